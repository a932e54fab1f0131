import { Array, DateTime, Effect, Option, Schema } from "effect"
import { memberWithAttributes } from "../../../domain/attributes/members.ts"
import { Forbidden, InvalidInvitation } from "../../../domain/errors.ts"
import { consume } from "../../../domain/limits/limits.ts"
import { countMessage } from "../../../domain/limits/messages.ts"
import { recipientAt, requestedMail } from "../../../domain/mail/writing.ts"
import { isDefined } from "../../../domain/organizations/access-control.ts"
import { actingIn, commitAs, OrganizationCaller } from "../../../domain/organizations/acting.ts"
import { memberJoinWrites } from "../../../domain/organizations/joining.ts"
import { Invitation, Member } from "../../../domain/organizations/organization.ts"
import { Invitations, Organizations, type StoredInvitation } from "../../../domain/organizations/tables.ts"
import { check, find, insert, orFail, retryOnConflict, Store, update, type Versioned } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { Settings } from "../../../domain/settings.ts"
import { liveAt } from "../../../domain/storage/live.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { randomToken } from "../../../domain/tokens/keys.ts"
import { Users } from "../../../domain/users/tables.ts"
import { type StoredUser, type User, verifiedColumns } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { forMembers } from "../../service/guards.ts"
import { NextPage, PageInput } from "../../service/paging.ts"
import { invitationMessage } from "./emails.ts"
import { InvalidRole } from "./errors.ts"
import { invitationLink, isMailed, newInvitationToken } from "./invitation-token.ts"
import { requireRoomForInvitation, requireRoomOfUser } from "./limits.ts"
import { pageOfInvitations, shownTo } from "./lists.ts"
import { stillInviting } from "./offers.ts"
import type { OrganizationSettings } from "./settings.ts"

const invite = ({ access_control, invitation_expires_in, max_invitations }: OrganizationSettings) =>
  Endpoint.make({
    ...forMembers("create", "invitation"),
    method: "POST",
    path: "/organization/invite",
    summary: "Offers the owner of an address a role in the organization, and mails them.",
    input: Schema.Struct({ organization_id: Schema.String, email: Email, role: Schema.optionalKey(Schema.String) }),
    output: Schema.Struct({ invitation: Invitation }),
    errors: [InvalidRole, Forbidden],
    handler: Effect.fnUntraced(function* organizationInvite({ organization_id, email, role = access_control.invite_default }) {
      const caller = yield* OrganizationCaller
      const allowed = Effect.gen(function* () {
        const acting = yield* actingIn(access_control, organization_id)
        if (!isDefined(access_control, role)) return yield* new InvalidRole()
        return acting.mayGrant(role) ? acting : yield* new Forbidden()
      })
      yield* allowed
      // All keys of an organization share one budget: a member could make many.
      yield* consume("invitations", caller.key === null ? caller.session.user.id : organization_id)
      yield* countMessage({ channel: "mail", purpose: "invitation", to: email })

      const { token, offer } = yield* newInvitation({ organization_id, email, role }, invitation_expires_in)
      const sending = Effect.gen(function* () {
        const { inviter, checks, ...by } = yield* senderOf(caller)
        const acting = yield* allowed
        const { organization } = acting
        yield* requireRoomForInvitation(organization_id, email, max_invitations)
        const row: StoredInvitation = { ...offer, ...by }
        const { name, slug } = organization.row
        const page = yield* invitationLink(row, token, slug)
        const message = invitationMessage({ link: page, organization: name, inviter, lifetime: invitation_expires_in })
        const invited = yield* find(Users, { email })
        const sent = yield* requestedMail(recipientAt(email, invited, row.expires_at), message)
        const unchanged = [...checks, update(Organizations, organization, {})]
        yield* commitAs(acting, [...unchanged, ...(yield* replaced(row)), insert(Invitations, row), sent])
        return shownTo(access_control, acting.member)(row)
      })
      return Endpoint.reply({ invitation: yield* retryOnConflict(sending) })
    }),
  })

/** Who sends an invitation, and the writes that make the commit fail once they cannot. A key is examined again for each acceptance. */
const senderOf = Effect.fnUntraced(function* senderOf(caller: OrganizationCaller["Service"]) {
  if (caller.key !== null) {
    const { id, kind, credential } = caller.key
    const initiator: StoredInvitation["initiator"] = { kind, id, credential, permissions: [] }
    return { inviter_id: id, initiator, inviter: "program" as const, checks: [] }
  }
  const { user } = yield* Effect.provideService(rereadSession, CurrentSession, caller.session)
  return { inviter_id: user.row.id, initiator: null, inviter: user.row, checks: [check(Users, user)] }
})

/** A new invitation, and the token for its mail. The id is a secret: the mail contains it, and accepting the invitation requires it. */
export const newInvitation = Effect.fnUntraced(function* newInvitation(
  offer: Pick<Invitation, "organization_id" | "email" | "role">,
  seconds: number,
) {
  const created_at = yield* DateTime.now
  const { token, token_hash } = yield* newInvitationToken
  const fresh = { id: yield* randomToken, reference: yield* newId, token_hash, admitted_at: null, created_at }
  return { token, offer: { ...offer, ...fresh, status: "pending" as const, expires_at: DateTime.add(created_at, { seconds }) } }
})

/** Limit on the invitations that one invitation replaces. An address has more than one open invitation only after concurrent requests. */
const maxReplaced = 100

/** The writes that cancel an organization's other open invitations to the same address. */
export const replaced = Effect.fnUntraced(function* replaced({ organization_id, email, reference }: StoredInvitation) {
  const { list, read } = yield* Store
  const pending = yield* list(Invitations, { organization_id, email, status: "pending" }, { limit: maxReplaced })
  const others = pending.filter((invitation) => invitation.reference !== reference)
  const versioned = yield* Effect.forEach(others, (other) => read(Invitations, { reference: other.reference }), { concurrency: 4 })
  return Array.getSomes(versioned).map((other) => update(Invitations, other, { status: "cancelled" }))
})

export const isOpen = Effect.fnUntraced(function* isOpen(invitation: StoredInvitation) {
  return invitation.status === "pending" && liveAt(Invitations, yield* DateTime.now)(invitation)
})

/** The open invitation with this id. Fails if it is addressed to another user. */
const addressedTo = Effect.fnUntraced(function* addressedTo({ email }: User, id: string) {
  const invitation = yield* (yield* Store).read(Invitations, { id })
  if (Option.isNone(invitation) || !(yield* isOpen(invitation.value.row))) return yield* new InvalidInvitation()
  return invitation.value.row.email === email
    ? invitation.value
    : yield* new Forbidden({ message: "The invitation is for another address." })
})

/** What changes of the user if this token proves their address. An address that needs an invitation to sign up is proved otherwise. */
const provedColumns = Effect.fnUntraced(function* provedColumns(user: StoredUser, invitation: StoredInvitation, token: string) {
  const isAwaited = !user.email_verified && !user.needs_invitation
  return isAwaited && (yield* isMailed(invitation, token)) ? verifiedColumns(yield* DateTime.now) : {}
})

const accept = ({ access_control, max_per_user }: OrganizationSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/organization/accept-invitation",
    summary: "Makes the caller a member of the organization that invited their address.",
    access: "session",
    input: Schema.Struct({
      invitation_id: Schema.String,
      token: Schema.optionalKey(Schema.String).pipe(Schema.annotateKey({ description: "Of the mail: verifies the caller's address." })),
    }),
    output: Schema.Struct({ member: Member }),
    errors: [InvalidInvitation, Forbidden],
    handler: Effect.fnUntraced(function* organizationAcceptInvitation({ invitation_id, token }) {
      const acceptance = Effect.gen(function* () {
        const { user } = yield* rereadSession
        const invitation = yield* addressedTo(user.row, invitation_id)
        const { require_email_verification } = (yield* Settings).email_password
        const proved = token === undefined ? {} : yield* provedColumns(user.row, invitation.row, token)
        if (require_email_verification && !{ ...user.row, ...proved }.email_verified)
          return yield* new Forbidden({ message: "Verify the email address first." })

        const { organization_id, role } = invitation.row
        yield* requireRoomOfUser(user.row.id, max_per_user)
        const { host, unchanged } = yield* orFail(stillInviting(access_control, invitation.row), () => new InvalidInvitation())
        const { member, writes } = yield* memberJoinWrites({ organization_id, user: user.row, role, host })
        const accepted = [update(Invitations, invitation, { status: "accepted" }), ...(yield* replaced(invitation.row))]
        yield* commitAs({ checks: unchanged }, [update(Users, user, proved), ...accepted, ...writes])
        return member
      }).pipe(Effect.catchTag("Taken", () => Effect.fail(new InvalidInvitation({ message: "You are a member already." }))))
      const member = yield* retryOnConflict(acceptance)
      return Endpoint.reply({ member: yield* memberWithAttributes(member, "user") })
    }),
  })

const reject = Endpoint.make({
  method: "POST",
  path: "/organization/reject-invitation",
  summary: "Declines an invitation that is addressed to the caller.",
  access: "session",
  impersonation: "act",
  input: Schema.Struct({ invitation_id: Schema.String }),
  output: Endpoint.Success,
  errors: [InvalidInvitation, Forbidden],
  handler: Effect.fnUntraced(function* organizationRejectInvitation({ invitation_id }) {
    const { user } = yield* rereadSession
    const invitation = yield* addressedTo(user.row, invitation_id)
    yield* (yield* Store).commit([check(Users, user), update(Invitations, invitation, { status: "rejected" })])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

const cancel = ({ access_control }: OrganizationSettings) =>
  Endpoint.make({
    ...forMembers("cancel", "invitation"),
    method: "POST",
    path: "/organization/cancel-invitation",
    summary: "Cancels an open invitation.",
    impersonation: "act",
    input: Schema.Struct({ invitation_id: Schema.String }),
    output: Endpoint.Success,
    errors: [InvalidInvitation, Forbidden],
    handler: Effect.fnUntraced(function* organizationCancelInvitation({ invitation_id }) {
      const invitation = yield* listedAs(invitation_id)
      const acting = yield* actingIn(access_control, invitation.row.organization_id)
      if (!(yield* isOpen(invitation.row))) return yield* new InvalidInvitation()
      yield* commitAs(acting, [update(Invitations, invitation, { status: "cancelled" })])
      return Endpoint.reply(Endpoint.succeeded)
    }, retryOnConflict),
  })

/** The invitation with this id or reference: a list shows the reference to members who must not get the id. */
const listedAs = Effect.fnUntraced(function* listedAs(id: string) {
  const { read } = yield* Store
  const invitation: Option.Option<Versioned<StoredInvitation>> = yield* read(Invitations, { id })
  if (Option.isSome(invitation)) return invitation.value
  return yield* orFail(read(Invitations, { reference: id }), () => new InvalidInvitation())
})

const list = ({ access_control }: OrganizationSettings) =>
  Endpoint.make({
    ...forMembers("read", "invitation"),
    method: "GET",
    path: "/organization/list-invitations",
    summary: "The open invitations of an organization, the newest first.",
    input: Schema.Struct({ organization_id: Schema.String, ...PageInput }),
    output: Schema.Struct({ invitations: Schema.Array(Invitation), ...NextPage }),
    errors: [Forbidden],
    handler: Effect.fnUntraced(function* organizationListInvitations({ organization_id, ...request }) {
      const acting = yield* actingIn(access_control, organization_id)
      const { rows, rest } = yield* pageOfInvitations(access_control, acting, request)
      return Endpoint.reply({ invitations: rows, ...rest })
    }),
  })

export const invitationEndpoints = (settings: OrganizationSettings) => [
  invite(settings),
  accept(settings),
  reject,
  cancel(settings),
  list(settings),
]
