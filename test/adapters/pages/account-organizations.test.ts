import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { emails } from "../../world.ts"
import type { Browse, Shown } from "./browse.ts"
import { signedUp, withPages } from "./browse.ts"

const created = Effect.fnUntraced(function* (their: Browse, slug: string, name = "Engines") {
  const page = yield* their.press(yield* their.open("/account/organizations"), "create", { name, slug })
  assert.match(page.at, /^\/account\/organization\?id=/)
  return { page, id: new URL(page.at, "http://x").searchParams.get("id") ?? "" }
})

/** Makes a user a member by an invitation. */
const joined = Effect.fnUntraced(function* (owner: Browse, id: string, email: string, role = "member") {
  const their = yield* signedUp(email)
  const { invitation } = yield* owner.api("/organization/invite", { organization_id: id, email, role })
  yield* their.api("/organization/accept-invitation", { invitation_id: invitation.id })
  return their
})

const linkTo = ({ html }: Shown, path: string) => (new RegExp(`href="(${path}\\?[^"]*)"`).exec(html)?.[1] ?? "").replaceAll("&amp;", "&")

describe("organizations", () => {
  layer(withPages())((it) => {
    it.effect("are created, renamed, made active and deleted", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        assert.include((yield* ada.open("/account/organizations")).text, "You are not a member of an organization yet.")
        const { page, id } = yield* created(ada, "engines", "شركة <المحركات>")
        assert.include(page.html, "<h1><bdi>شركة &lt;المحركات&gt;</bdi></h1>")
        const taken = yield* ada.press(yield* ada.open("/account/organizations"), "create", { name: "Other", slug: "Engines" })
        assert.deepStrictEqual([taken.status, taken.html.includes('<a href="#slug">')], [409, true])
        for (const [name, slug] of [
          ["Café Zürich & Co.", /^cafe-zurich-co$/],
          ["Café Zürich, Co", /^cafe-zurich-co-\d{4}$/],
          ["解析機関", /^organization-\d{4}$/],
        ] as const) {
          yield* ada.press(yield* ada.open("/account/organizations"), "create", { name, slug: "" })
          const { organizations } = yield* ada.api("/organization/list")
          assert.match(organizations.find((each: { readonly name: string }) => each.name === name).slug, slug)
        }
        const invalid = yield* ada.press(taken, "create", { name: "Other", slug: "-" })
        assert.deepStrictEqual([invalid.status, invalid.html.includes('<a href="#slug">')], [400, true])

        const active = yield* ada.press(yield* ada.open("/account/organizations"), "activate", {}, { organization_id: id })
        assert.include(active.text, "Active")
        const edit = yield* ada.open(linkTo(page, "/account/organization/edit"))
        const renamed = yield* ada.press(edit, "save", { name: "Looms", slug: "looms" })
        assert.include(renamed.text, "Looms")
        assert.strictEqual((yield* ada.press(edit, "save", { name: " ", slug: "looms" })).status, 400)

        const deletion = yield* ada.open(linkTo(page, "/account/organization/delete"))
        assert.include(deletion.text, "Looms will be deleted")
        assert.include((yield* ada.press(deletion, "delete")).text, "The organization was deleted.")
        assert.strictEqual((yield* ada.open(page.at)).status, 403)
      }),
    )

    it.effect("invite members, who are shown with their roles and removed", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("owner@example.com")
        const { page, id } = yield* created(ada, "members")
        const form = yield* ada.open(linkTo(page, "/account/organization/invite"))
        const invited = yield* ada.press(form, "invite", { email: "grace@example.com", role: "admin" })
        assert.include(invited.text, "grace@example.com")
        assert.include(invited.text, "Administrator")
        assert.isTrue((yield* emails).some(({ to }) => to === "grace@example.com"))
        assert.strictEqual((yield* ada.press(form, "invite", { email: "no address" })).status, 400)
        assert.strictEqual((yield* ada.press(form, "invite", { email: "x@example.com", role: "emperor" })).status, 400)
        assert.include((yield* ada.press(invited, "cancel")).text, "No invitation is open.")

        yield* joined(ada, id, "eve@example.com")
        const members = yield* ada.open(page.at)
        const links = [...members.html.matchAll(/href="(\/account\/organization\/member\?[^"]*)"/g)].map(([, href = ""]) =>
          href.replaceAll("&amp;", "&"),
        )
        assert.lengthOf(links, 2)
        const eve = yield* ada.open(links[1] ?? "")
        assert.include(eve.text, "eve@example.com")
        const changed = yield* ada.press(eve, "role", { role: "admin" })
        assert.include(changed.text, "The role was changed.")
        assert.strictEqual((yield* ada.press(eve, "role", { role: "emperor" })).status, 400)
        assert.include((yield* ada.press(eve, "remove")).text, "The member was removed.")
        assert.strictEqual((yield* ada.open(links[1] ?? "")).status, 404)
      }),
    )

    it.effect("show members only what they may do, and refuse the rest", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("boss@example.com")
        const { page, id } = yield* created(ada, "rights")
        const team = yield* ada.press(yield* ada.open(linkTo(page, "/account/organization/team/new")), "create", { name: "Weavers" })
        const eve = yield* joined(ada, id, "member@example.com")
        const hers = yield* eve.open(page.at)
        for (const part of ["edit", "invite", "member", "team/new", "delete"])
          assert.strictEqual(linkTo(hers, `/account/organization/${part}`), "", part)
        for (const part of ["edit", "invite", "team/new", "delete"])
          assert.strictEqual((yield* eve.open(`/account/organization/${part}?id=${id}`)).status, 403, part)
        assert.deepStrictEqual((yield* eve.open(team.at)).forms, [])

        const [form] = hers.forms
        const attempts = [
          [`/account/organization/edit?id=${id}`, { action: "save", name: "Mine", slug: "mine" }],
          [`/account/organization/invite?id=${id}`, { action: "invite", email: "x@example.com", role: "owner" }],
          [`/account/organization/member?id=${id}&user=${ada.user.id}`, { action: "remove" }],
          [`/account/organization/member?id=${id}&user=${eve.user.id}`, { action: "role", role: "owner" }],
          [`/account/organization/team/new?id=${id}`, { action: "create", name: "Mine" }],
          [team.at, { action: "delete" }],
          [team.at, { action: "rename", name: "Mine" }],
          [team.at, { action: "add", email: "member@example.com" }],
          [`/account/organization/delete?id=${id}`, { action: "delete" }],
        ] as const
        for (const [path, fields] of attempts)
          assert.strictEqual((yield* eve.request("POST", path, { ...form?.values, ...fields })).status, 403, `${path} ${fields.action}`)
        assert.include((yield* ada.open(page.at)).text, "Engines")
      }),
    )

    it.effect("show nothing to users who are not members", () =>
      Effect.gen(function* () {
        const [ada, eve] = [yield* signedUp("inside@example.com"), yield* signedUp("outside@example.com")]
        const { page, id } = yield* created(ada, "closed", "Secret Society")
        const other = yield* created(eve, "hers")
        const team = yield* ada.press(yield* ada.open(linkTo(page, "/account/organization/team/new")), "create", { name: "Hidden" })
        for (const path of [
          page.at,
          team.at,
          `/account/organization/member?id=${id}&user=${ada.user.id}`,
          `/account/organization/edit?id=${id}`,
        ]) {
          const shown = yield* eve.open(path)
          assert.strictEqual(shown.status, 403, path)
          assert.notInclude(shown.html, "Secret Society")
        }
        const crossed = team.at.replace(id, other.id)
        assert.strictEqual((yield* eve.open(crossed)).status, 404)
        const [form] = other.page.forms
        assert.strictEqual((yield* eve.request("POST", crossed, { ...form?.values, action: "delete" })).status, 404)
        assert.include((yield* ada.open(page.at)).text, "Hidden")
      }),
    )

    it.effect("are left by members, but not by their last owner", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("sole@example.com")
        const { page, id } = yield* created(ada, "leaving")
        const eve = yield* joined(ada, id, "leaver@example.com")
        const refused = yield* ada.press(page, "leave")
        assert.deepStrictEqual([refused.status, refused.text.includes("You are the only owner")], [400, true])
        const left = yield* eve.press(yield* eve.open(page.at), "leave")
        assert.deepStrictEqual([left.at, left.text.includes("You have left the organization.")], ["/account/organizations", true])
      }),
    )

    it.effect("have teams with members", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("lead@example.com")
        const { page, id } = yield* created(ada, "teams")
        yield* joined(ada, id, "weaver@example.com")
        const form = yield* ada.open(linkTo(page, "/account/organization/team/new"))
        assert.strictEqual((yield* ada.press(form, "create", { name: "" })).status, 400)
        const team = yield* ada.press(form, "create", { name: "Weavers" })
        assert.include(team.text, "The team has no members yet.")
        const added = yield* ada.press(team, "add", { email: " Weaver@example.com" })
        assert.include(added.text, "weaver@example.com")
        const unknown = yield* ada.press(team, "add", { email: "stranger@example.com" })
        assert.deepStrictEqual([unknown.status, unknown.text.includes("There is no such member")], [404, true])
        assert.include((yield* ada.press(added, "remove")).text, "The team has no members yet.")
        assert.include((yield* ada.press(added, "rename", { name: "Spinners" })).text, "Spinners")
        const gone = yield* ada.press(added, "delete")
        assert.deepStrictEqual([gone.at, gone.text.includes("There are no teams yet.")], [page.at, true])
      }),
    )

    it.effect("are listed in pages", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("many@example.com")
        const { page, id } = yield* created(ada, "pages")
        for (let n = 0; n < 25; n++) {
          yield* ada.api("/organization/create-team", { organization_id: id, name: `Team ${n}` })
          yield* ada.api("/organization/create", { name: `Other ${n}`, slug: `other-${n}` })
        }
        const first = yield* ada.open(page.at)
        assert.include(first.text, "Team 19")
        assert.notInclude(first.text, "Team 20")
        const [, next = ""] = /href="([^"]*)" rel="next"/.exec(first.html) ?? []
        const second = yield* ada.open(next.replaceAll("&amp;", "&"))
        assert.include(second.text, "Team 24")
        assert.include(second.text, "First page")

        const list = yield* ada.open("/account/organizations")
        assert.notInclude(list.text, "Other 24")
        assert.include((yield* ada.open(linkTo(list, "/account/organizations"))).text, "Other 24")
      }),
    )
  })
})
