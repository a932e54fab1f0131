import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { memberAttributes } from "../../../../application/modules/attributes/members.ts"
import { organizationAttributes } from "../../../../application/modules/attributes/organizations.ts"
import { type Browse, signedUp } from "../browse.ts"
import { modules, root, rootAgain, withConsole, withRole } from "./console.ts"

/** An organization of a new user. */
const founded = Effect.fnUntraced(function* founded(owner: Browse, slug: string) {
  const ada = yield* signedUp(`${slug}@example.com`, "Ada")
  const { organization } = yield* owner.api("/admin/organizations/create", { name: `The ${slug}`, slug, user_id: ada.user.id })
  return { ada, id: String(organization.id), at: `/admin/organization?id=${organization.id}` }
})

describe("the organizations in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("are found by the beginning of their name, and changed with the version that was shown", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const { at, id } = yield* founded(owner, "engines")
        yield* founded(owner, "looms")
        const found = (yield* owner.open("/admin/organizations?q=the%20eng")).text
        assert.include(found, "The engines")
        assert.notInclude(found, "The looms")
        const page = yield* owner.open(at)
        const taken = yield* owner.press(page, "edit", { name: "Engines", slug: "looms" })
        assert.include(taken.problem, "in use")
        const saved = yield* owner.press(taken, "edit", { name: "Engines", slug: "engines" })
        assert.deepStrictEqual([saved.at, saved.heading, saved.notice], [at, "Engines", "The organization was changed."])
        yield* owner.api("/admin/organizations/update", { organization_id: id, changes: { name: "Others" } })
        const refused = yield* owner.press(saved, "edit", { name: "Mine", slug: "engines" })
        assert.strictEqual(refused.status, 412)
        assert.include(refused.text, "Others")
      }),
    )

    it.effect("have members who are added, get another role and are removed", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { ada, at, id } = yield* founded(owner, "members")
        const grace = yield* signedUp("grace@example.com", "Grace")
        const unknown = yield* owner.press(yield* owner.open(at), "add", { user: "unknown@example.com", member_role: "member" })
        assert.notInclude(unknown.text, "grace@example.com")
        assert.notStrictEqual(unknown.problem, "")
        const added = yield* owner.press(unknown, "add", { user: " Grace@example.com", member_role: "member" })
        assert.deepStrictEqual([added.at, added.notice], [at, "The user is a member now."])
        const raised = yield* owner.press(added, "role", { new_role: "admin" }, { user_id: grace.user.id })
        assert.strictEqual(raised.notice, "The role was changed.")
        const stale = yield* owner.press(
          raised,
          "role",
          { version: owner.formOf(added, "role", { user_id: grace.user.id }).values["version"] ?? "", new_role: "owner" },
          { user_id: grace.user.id },
        )
        assert.strictEqual(stale.status, 412)
        const alone = yield* owner.press(raised, "role", { new_role: "member" }, { user_id: ada.user.id })
        assert.include(alone.problem, "This is the only owner")
        assert.match(raised.html, /<select name="new_role" aria-label="Role of grace@example.com">(?!.*value="owner".*<\/select>)/)
        assert.match(raised.html, /<summary[^>]*>Make owner<\/summary><div><p>An owner can do everything/)
        const promoted = yield* owner.press(raised, "role", {}, { user_id: grace.user.id, new_role: "owner" })
        assert.strictEqual(promoted.notice, "The role was changed.")
        assert.notInclude(promoted.html, "Make owner")
        const memberships = yield* owner.open(`/admin/user?id=${ada.user.id}`)
        assert.include(memberships.html, `href="${at}"`)
        const asked = yield* owner.open(`/admin/organization/remove?id=${id}&user=${grace.user.id}`)
        assert.include(asked.text, "Grace")
        assert.match(asked.html, /<p class="back"><a [^>]*><bdi>The members<\/bdi>/)
        const removed = yield* owner.press(asked, "confirm")
        assert.deepStrictEqual([removed.at, removed.notice], [at, "The user is no longer a member."])
        assert.notInclude(removed.text, "grace@example.com")
      }),
    )

    it.effect("have invitations that are sent, sent again and cancelled", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { at } = yield* founded(owner, "guests")
        const sent = yield* owner.press(yield* owner.open(at), "invite", { email: "invited@example.com", role: "member" })
        assert.include(sent.text, "invited@example.com")
        const again = yield* owner.press(sent, "resend")
        assert.strictEqual(again.notice, "The invitation was sent.")
        assert.match(again.html, /<summary[^>]*>Cancel invitation<\/summary><div><p>The link in the mail will no longer work/)
        const cancelled = yield* owner.press(again, "cancel")
        assert.strictEqual(cancelled.notice, "The invitation was cancelled.")
        assert.include(cancelled.text, "There are no open invitations.")
      }),
    )

    it.effect("are deleted once their short name is typed", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { at, id } = yield* founded(owner, "former")
        const asked = yield* owner.open(`/admin/organization/delete?id=${id}`)
        const refused = yield* owner.press(asked, "confirm", { typed: "other" })
        assert.strictEqual(refused.status, 400)
        const deleted = yield* owner.press(refused, "confirm", { typed: "former" })
        assert.deepStrictEqual([deleted.at, deleted.notice], ["/admin/organizations", "The organization was deleted."])
        assert.strictEqual((yield* owner.open(at)).status, 404)
      }),
    )

    it.effect("have no buttons for administrators who may only read", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { at } = yield* founded(owner, "readers")
        const support = yield* withRole(owner, "support")
        const page = yield* support.open(at)
        assert.include(page.text, "readers@example.com")
        assert.deepStrictEqual(
          page.forms.flatMap(({ buttons }) => Object.keys(buttons)),
          [],
        )
        assert.notInclude(page.html, "/organization/")
      }),
    )
  })
})

const byAdministrators = { schema: { type: "integer" }, read: "admin", write: "admin" }
const withAttributes = [
  ...modules.filter(({ name }) => !["organization_attributes", "member_attributes"].includes(name)),
  organizationAttributes.build(Schema.decodeUnknownSync(organizationAttributes.settings)({ seats: byAdministrators })),
  memberAttributes.build(Schema.decodeUnknownSync(memberAttributes.settings)({ desk: byAdministrators })),
]

describe("the attributes in the console", () => {
  it.layer(withConsole({}, withAttributes))((it) => {
    it.effect("of an organization and of a member are changed with the version that was shown", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const { ada, at, id } = yield* founded(owner, "desks")
        const page = yield* owner.open(at)
        const refused = yield* owner.press(page, "attributes", { "attributes.seats": "many" })
        assert.deepStrictEqual([refused.status, /href="#attributes\.seats"/.test(refused.html)], [400, true])
        const saved = yield* owner.press(refused, "attributes", { "attributes.seats": "12" })
        assert.deepStrictEqual([saved.notice, saved.text.includes("seats 12")], ["The organization was changed.", true])
        assert.strictEqual((yield* owner.press(page, "attributes", { "attributes.seats": "13" })).status, 412)

        const own = `/admin/organization/member?id=${id}&user=${ada.user.id}`
        assert.include(saved.html, own.replaceAll("&", "&amp;"))
        const member = yield* owner.open(own)
        const back = yield* owner.press(member, "attributes", { "attributes.desk": "4" })
        assert.deepStrictEqual([back.at, back.notice], [at, "Your changes were saved."])
        assert.include((yield* owner.open(own)).text, "desk 4")
        assert.strictEqual((yield* owner.press(member, "attributes", { "attributes.desk": "5" })).status, 412)
        assert.strictEqual((yield* owner.open(`/admin/organization/member?id=${id}&user=unknown`)).status, 404)

        const reader = yield* withRole(owner, "support")
        const read = yield* reader.open(own)
        assert.deepStrictEqual([read.text.includes("desk 4"), read.html.includes("attributes.desk")], [true, false])
        assert.notInclude((yield* reader.open(at)).html, "attributes.seats")
      }),
    )
  })

  it.layer(withConsole())((it) => {
    it.effect("of members have no page where none are declared", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const { at } = yield* founded(owner, "plain")
        assert.notInclude((yield* owner.open(at)).html, "/organization/member?")
      }),
    )
  })
})
