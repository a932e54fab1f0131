import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { wantedBy } from "../../../../adapters/pages/console/screens/users/filters.ts"
import { attributes } from "../../../../application/modules/attributes/index.ts"
import { fillIndexes } from "../../../../domain/attributes/indexes.ts"
import { insert, Store } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { storedUser } from "../../../stored-user.ts"
import { times } from "../../../world.ts"
import { signedUp } from "../browse.ts"
import { modules, root, rootAgain, withConsole, withRole } from "./console.ts"

describe("the filters of the list of users", () => {
  it.each([
    [{}, {}],
    [{ q: "  " }, {}],
    [{ q: "ada" }, { search: "ada" }],
    [
      { state: "suspended", role: "support" },
      { banned: true, role: "support" },
    ],
    [{ state: "constructor" }, {}],
    [{ organization: " 1 " }, { organization_id: "1" }],
    [
      { from: "2026-01-31", to: "2026-01-31" },
      { created_from: "2026-01-31T00:00:00Z", created_before: "2026-02-01T00:00:00.000Z" },
    ],
    [{ to: "soon" }, { created_before: "soonT00:00:00Z" }],
    [{ attribute: "plan" }, {}],
    [{ value: "pro" }, {}],
    [
      { attribute: "plan", value: "pro" },
      { attribute: "plan", value: "pro" },
    ],
  ])("of %j", (typed, wanted) => {
    assert.deepStrictEqual(wantedBy(typed), wanted)
  })
})

const plan = attributes.build(Schema.decodeUnknownSync(attributes.settings)({ plan: { schema: { type: "string" }, indexed: true } }))
const own = [...modules.filter(({ name }) => name !== "attributes"), plan]

describe("the search of the console", () => {
  it.layer(withConsole({}, own))((it) => {
    it.effect("finds users, organizations, clients and screens, and links to their pages and lists", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com", "Ada <b> Auden")
        const { organization } = (yield* owner.api("/organization/create", { name: "Audit & co", slug: "audit-co" })) as any
        const { html, text } = yield* owner.open("/admin/search?q=au")
        assert.include(html, `<a href="/admin/user?id=${ada.user.id}"><bdi>Ada &lt;b&gt; Auden</bdi></a>`)
        assert.include(html, `<a href="/admin/organization?id=${organization.id}"><bdi>Audit &amp; co</bdi></a>`)
        assert.include(html, '<a href="/admin/users?q=au">')
        assert.include(html, '<li><a href="/admin/audit">Audit log</a></li>')
        assert.notInclude(text, "Nothing begins with this")
        assert.include((yield* owner.open("/admin")).html, 'action="/admin/search"')
      }),
    )

    it.effect("says why it finds nothing", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        assert.include((yield* owner.open("/admin/search?q=zzz")).text, "Nothing begins with this.")
        for (const q of ["", "a", "%20a%20", "x".repeat(255)])
          assert.include((yield* owner.open(`/admin/search?q=${q}`)).text, "Enter 2 to 254 characters.", q)
      }),
    )

    it.effect("shows only what its visitor may read", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        yield* signedUp("au@example.com", "Augusta")
        const watcher = yield* withRole(owner, "watcher")
        const { text } = yield* watcher.open("/admin/search?q=au")
        assert.notInclude(text, "Augusta")
        assert.include((yield* owner.open("/admin/search?q=au")).text, "Augusta")
      }),
    )
  })
})

describe("the list of users in the console", () => {
  it.layer(withConsole({}, own))((it) => {
    it.effect("has filters without a script, which it names where they find nothing", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const { html } = yield* owner.open("/admin/users")
        for (const name of ["q", "state", "role", "organization", "from", "to", "attribute", "value"])
          assert.match(html, new RegExp(`<(input|select)[^>]* name="${name}"`))
        assert.notInclude(html, '<details class="more-filters" open>')
        yield* fillIndexes(plan.attributes)
        yield* TestClock.adjust("10 seconds")
        yield* fillIndexes(plan.attributes)
        const found = yield* owner.open("/admin/users?q=unknown&from=2026-01-01&attribute=plan&value=%3Cb%3E")
        assert.include(found.html, '<details class="more-filters" open>')
        assert.include(found.html, 'href="/admin/users?from=2026-01-01&amp;attribute=plan&amp;value=%3Cb%3E"')
        assert.include(found.html, 'href="/admin/users?q=unknown&amp;from=2026-01-01"')
        assert.include(found.html, "Without “plan: <bdi>&lt;b&gt;</bdi>”")
        const impossible = yield* owner.open("/admin/users?from=soon")
        assert.include(impossible.text, "There are no such users.")
      }),
    )

    it.effect("has ways in and the second factor, and the last session for visitors who may see sessions", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const shown = yield* owner.open("/admin/users?q=root")
        assert.include(shown.text, "Last seen")
        assert.include(shown.text, "Password")
        const reader = yield* withRole(owner, "reader")
        const read = yield* reader.open("/admin/users?q=root")
        assert.notInclude(read.text, "Last seen")
        assert.include(read.text, "Password")
      }),
    )

    it.effect("goes on behind a thousand users of whom none matches", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const many = times(1100, (index) => storedUser({ id: `many ${String(index).padStart(4, "0")}`, name: `Many ${index}` }))
        yield* Store.use(({ commit }) => Effect.orDie(commit(many.map((each) => insert(Users, each)))))
        const first = yield* owner.open("/admin/users?q=many&state=suspended")
        assert.include(first.text, "Only a part of the list was examined for this page.")
        const [, href] = /<a href="([^"]*)" rel="next">Keep looking/.exec(first.html) ?? []
        const last = yield* owner.open(String(href).replaceAll("&amp;", "&"))
        assert.include(last.text, "There are no such users.")
        assert.notInclude(last.text, "Keep looking")
        const all = yield* owner.open("/admin/users?q=many")
        assert.notInclude(all.text, "Keep looking")
        assert.include(all.text, "Next")
      }),
    )
  })
})
