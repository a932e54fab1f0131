import { Effect } from "effect"
import type { AuthError } from "../../../../domain/errors.ts"
import { UserNotFound } from "../../../../domain/errors.ts"
import type { Key } from "../../../texts/texts.ts"
import { field, type Input, Visit } from "../../page.ts"
import { attributesFor, changedAttributes } from "../parts/attributes.ts"
import { type Answer, askedId, goTo, Operator } from "../screen.ts"

/** What the buttons on the page of an organization do. */

/** Runs an action on the organization of the page, and returns to it with a notice. */
const acting = (
  notice: Key,
  run: (organization_id: string, entered: (name: string) => string) => Effect.Effect<unknown, AuthError, Visit | Operator>,
) =>
  Effect.gen(function* (): Effect.fn.Return<Answer, AuthError, Visit | Operator> {
    const { form } = yield* Visit
    const id = yield* askedId
    yield* run(id, (name) => field(form, name))
    return yield* goTo("/organization", notice, { id })
  })

/** The id of the user with this address or id. */
const userOf = Effect.fnUntraced(function* userOf(text: string) {
  const { call } = yield* Visit
  const typed = text.trim()
  if (!typed.includes("@")) return typed
  const { users } = yield* call("adminUsersList", { email_prefix: typed })
  const user = users.find(({ email }) => email === typed.toLowerCase())
  if (user === undefined) return yield* new UserNotFound({ member: "user" })
  return user.id
})

export const actions = {
  edit: acting(
    "console.organization.saved",
    Effect.fnUntraced(function* edit(organization_id, entered) {
      const { call } = yield* Visit
      const changes = { name: entered("name"), slug: entered("slug") }
      yield* call("adminOrganizationsUpdate", { organization_id, changes, expected_version: entered("version") })
    }),
  ),
  attributes: acting(
    "console.organization.saved",
    Effect.fnUntraced(function* changeAttributes(organization_id, entered) {
      const { call, form, site } = yield* Visit
      const { organization } = yield* call("adminOrganizationsShow", { organization_id })
      const attributes = changedAttributes(form, attributesFor((yield* Operator).view, site.attributes.organization), organization)
      const changes = { attributes } as Input<"adminOrganizationsUpdate">["changes"]
      yield* call("adminOrganizationsUpdate", { organization_id, changes, expected_version: entered("version") })
    }),
  ),
  role: acting(
    "console.member.saved",
    Effect.fnUntraced(function* setRole(organization_id, entered) {
      const { call } = yield* Visit
      const member = { organization_id, user_id: entered("user_id"), role: entered("new_role") }
      yield* call("adminOrganizationsSetMemberRole", { ...member, expected_version: entered("version") })
    }),
  ),
  add: acting(
    "console.member.added",
    Effect.fnUntraced(function* add(organization_id, entered) {
      const { call } = yield* Visit
      const user_id = yield* userOf(entered("user"))
      yield* call("adminOrganizationsAddMember", { organization_id, user_id, role: entered("member_role") })
    }),
  ),
  invite: acting(
    "console.invitation.sent",
    Effect.fnUntraced(function* invite(organization_id, entered) {
      const { call } = yield* Visit
      yield* call("adminOrganizationsInvite", { organization_id, email: entered("email"), role: entered("role") })
    }),
  ),
  resend: acting(
    "console.invitation.sent",
    Effect.fnUntraced(function* resend(organization_id, entered) {
      const { call } = yield* Visit
      yield* call("adminOrganizationsResendInvitation", { organization_id, reference: entered("reference") })
    }),
  ),
  cancel: acting(
    "console.invitation.cancelled",
    Effect.fnUntraced(function* cancel(organization_id, entered) {
      const { call } = yield* Visit
      yield* call("adminOrganizationsCancelInvitation", { organization_id, reference: entered("reference") })
    }),
  ),
}
