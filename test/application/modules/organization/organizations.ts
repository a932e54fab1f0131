import { Effect } from "effect"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { standard } from "../../../../domain/organizations/access-control.ts"
import { rulesOf } from "../../../rule.ts"
import { core, signedUp } from "../../../world.ts"

// A service with organizations, and users in them.

/** The default limits. */
export const limits = { max_per_user: 100, max_teams: 500, max_invitations: 500 }

const built = organization.build({ access_control: standard, invitation_expires_in: 604_800, ...limits })
export const modules = [...core, built]
export const auth = AuthOf.make(modules)
export const rule = rulesOf(modules)
export const { endpoints } = built

export const person = (name: string) => signedUp(`${name}@example.com`)
export type Person = Effect.Success<ReturnType<typeof person>>

/** A new organization of a user. */
export const founded = Effect.fnUntraced(function* (owner: Person, slug = "acme") {
  return (yield* owner.body(endpoints.organizationCreate, { name: `The ${slug}`, slug })).organization
})

/** Adds a user to an organization by invitation. */
export const joined = Effect.fnUntraced(function* (owner: Person, newcomer: Person, organization_id: string, role = "member") {
  const { invitation } = yield* owner.body(endpoints.organizationInvite, { organization_id, email: newcomer.user.email, role })
  return (yield* newcomer.body(endpoints.organizationAcceptInvitation, { invitation_id: invitation.id })).member
})

/** An organization with an owner, an administrator and a member, and a user who is not a member. */
export const staffed = Effect.gen(function* () {
  const [owner, admin, member, outsider] = yield* Effect.forEach(["owner", "admin", "member", "outsider"], person)
  const { id } = yield* founded(owner!)
  yield* joined(owner!, admin!, id, "admin")
  yield* joined(owner!, member!, id)
  return { owner: owner!, admin: admin!, member: member!, outsider: outsider!, organization_id: id }
})

/** The roles of an organization's members, as one of them sees them. */
export const rolesSeenBy = Effect.fnUntraced(function* (their: Person, organization_id: string) {
  const { members } = yield* their.body(endpoints.organizationListMembers, { organization_id })
  return Object.fromEntries(members.map(({ email, role }) => [email.replace("@example.com", ""), role]))
})
