import { DateTime, Effect, Option, Schema } from "effect"
import { memberWithAttributes } from "../../../domain/attributes/members.ts"
import { attributesIn, attributeWrites } from "../../../domain/attributes/writing.ts"
import { InvalidInvitation, notAdmitted, PasswordTooLong, PasswordTooShort, UserAlreadyExists } from "../../../domain/errors.ts"
import { countNewcomer } from "../../../domain/limits/limits.ts"
import { checkedBy } from "../../../domain/organizations/acting.ts"
import { memberJoinWrites } from "../../../domain/organizations/joining.ts"
import { Member } from "../../../domain/organizations/organization.ts"
import { Invitations, Members, type StoredInvitation } from "../../../domain/organizations/tables.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { Conflict, insert, orFail, retryOnConflict, Store, type Taken, update } from "../../../domain/ports/store.ts"
import { Settings } from "../../../domain/settings.ts"
import { issueToNewAccount } from "../../../domain/sign-in/issuing.ts"
import { checkNewPassword, checkPasswordRules, newCredential } from "../../../domain/sign-in/passwords.ts"
import { isReclaimed, reclaim } from "../../../domain/sign-in/verified-email.ts"
import { admitInvited } from "../../../domain/users/admission.ts"
import { newUser } from "../../../domain/users/new-user.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { Name, User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { withPasswords } from "../../service/guards.ts"
import { isMailed } from "./invitation-token.ts"
import { isOpen, replaced } from "./invitations.ts"
import { requireRoomOfUser } from "./limits.ts"
import { stillInviting } from "./offers.ts"
import type { OrganizationSettings } from "./settings.ts"

const Input = Schema.Struct({
  invitation_id: Schema.String,
  token: Schema.String.pipe(Schema.annotateKey({ description: "Of the newest mail of the invitation." })),
  password: Schema.String,
  name: Schema.optionalKey(Name),
})
type Input = typeof Input.Type

/** The open invitation of a mail. Without the token of that mail, it is refused as an unknown one. */
const mailedInvitation = Effect.fnUntraced(function* mailedInvitation({
  invitation_id: id,
  token,
}: Pick<Input, "invitation_id" | "token">) {
  const invitation = yield* orFail((yield* Store).read(Invitations, { id }), () => new InvalidInvitation())
  const isValid = (yield* isOpen(invitation.row)) && (yield* isMailed(invitation.row, token))
  return isValid ? invitation : yield* new InvalidInvitation()
})

/**
 * How the owner of an invited address comes in: admitted as a new user, or as the owner of an account whose address was never verified,
 * which is returned to them. Fails if another account has the address, or if it is not admitted.
 */
const placeFor = Effect.fnUntraced(function* placeFor({ email, admitted_at }: StoredInvitation) {
  const owner = yield* (yield* Store).read(Users, { email })
  const admission = admitInvited(email, admitted_at !== null)
  if (Option.isNone(owner)) return { owner: undefined, admission: yield* admission }
  if (!(yield* isReclaimed(owner.value.row))) return yield* new UserAlreadyExists()
  if (owner.value.row.needs_invitation) yield* admission
  return { owner: owner.value }
})

/** Whether the reader of the mail can sign up by it. */
export const canSignUp = Effect.fnUntraced(function* canSignUp(invitation: StoredInvitation, token: string) {
  if (!(yield* Settings).email_password.enabled || !(yield* isMailed(invitation, token))) return false
  return yield* Effect.match(placeFor(invitation), { onSuccess: () => true, onFailure: () => false })
})

interface Entered {
  readonly name: string | null
  /** Accepted. */
  readonly password: string
  readonly password_hash: string
}

/** The user of an invited address with this password, and the writes that store them. */
const entrant = Effect.fnUntraced(function* entrant(invitation: StoredInvitation, { name, ...entered }: Entered, max_per_user: number) {
  const { owner, admission } = yield* placeFor(invitation)
  if (owner === undefined) {
    yield* checkPasswordRules(entered.password, null)
    const { user, writes } = yield* newUser(admission, { email_verified: true, name })
    return { user, writes: [...writes, insert(Accounts, yield* newCredential(user.id, entered.password_hash))] }
  }
  yield* checkPasswordRules(entered.password, owner.row)
  yield* requireRoomOfUser(owner.row.id, max_per_user)
  return yield* reclaim(owner, yield* newCredential(owner.row.id, entered.password_hash), name === null ? {} : { name })
})

/** The member that an invitation makes, with a session. Everything is one commit. */
const joined = Effect.fnUntraced(
  function* joinedByInvitation(input: Input, entered: Entered, { access_control, max_per_user }: OrganizationSettings) {
    const invitation = yield* mailedInvitation(input)
    const { organization_id, role } = invitation.row
    const { host, unchanged } = yield* orFail(stillInviting(access_control, invitation.row), () => new InvalidInvitation())
    const { user, writes } = yield* entrant(invitation.row, entered, max_per_user)
    const attributes = yield* attributeWrites(user.id, attributesIn(input))
    const { member, writes: joining } = yield* memberJoinWrites({ organization_id, user, role, host })
    const accepted = update(Invitations, invitation, { status: "accepted", admitted_at: yield* DateTime.now })
    const all = [...writes, ...attributes, accepted, ...(yield* replaced(invitation.row)), ...joining]
    return { member, issued: yield* issueToNewAccount(user, checkedBy(unchanged, all)) }
  },
  Effect.catchTag("Taken", (taken) =>
    Effect.fail(isMember(taken) ? new InvalidInvitation({ message: "You are a member already." }) : again(taken)),
  ),
)

const isMember = ({ table }: Taken) => table === Members.name

/** A concurrent request took the address, or a unique attribute. */
const again = ({ table }: Taken) => new Conflict({ table })

export const invitedSignUp = (settings: OrganizationSettings) =>
  Endpoint.make({
    ...withPasswords,
    method: "POST",
    path: "/organization/accept-invitation/sign-up",
    summary: "Signs up the owner of an invited address as a member of the organization, and signs them in: the token proves the address.",
    signsIn: "registration",
    methods: ["pwd"],
    input: Input,
    attributes: { from: "sign_up" },
    output: Schema.Struct({ user: User, member: Member }),
    errors: [InvalidInvitation, PasswordTooShort, PasswordTooLong, UserAlreadyExists, ...notAdmitted],
    handler: Effect.fnUntraced(function* organizationAcceptInvitationSignUp(input) {
      yield* countNewcomer
      yield* mailedInvitation(input)
      const password = yield* checkNewPassword(input.password)
      const password_hash = yield* (yield* PasswordHasher).hash(password)
      const entered = { name: input.name ?? null, password, password_hash }
      const { member, issued } = yield* retryOnConflict(joined(input, entered, settings))
      return Endpoint.reply({ user: issued.user, member: yield* memberWithAttributes(member, "user") }, issued)
    }),
  })
