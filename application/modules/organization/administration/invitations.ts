import { DateTime, Effect, Schema } from "effect"
import { initiator } from "../../../../domain/administration/later.ts"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { InvalidInvitation } from "../../../../domain/errors.ts"
import { mail, recipientAt } from "../../../../domain/mail/writing.ts"
import { isDefined } from "../../../../domain/organizations/access-control.ts"
import type { Organization } from "../../../../domain/organizations/organization.ts"
import { Invitations, Organizations, type StoredInvitation } from "../../../../domain/organizations/tables.ts"
import { check, find, insert, orFail, retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { Email } from "../../../../domain/values/text.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { invitationMessage } from "../emails.ts"
import { InvalidRole, OrganizationNotFound } from "../errors.ts"
import { invitationLink, newInvitationToken } from "../invitation-token.ts"
import { isOpen, newInvitation, replaced } from "../invitations.ts"
import { requireRoomForInvitation } from "../limits.ts"
import type { OrganizationSettings } from "../settings.ts"
import { AdministeredInvitation, reached, withoutId } from "./shown.ts"

const Body = Schema.Struct({ invitation: AdministeredInvitation })
const One = { organization_id: Schema.String, reference: Schema.String }

const mailed = Effect.fnUntraced(function* mailedInvitation(
  invitation: StoredInvitation,
  token: string,
  { name, slug }: Organization,
  lifetime: number,
) {
  const { email, expires_at } = invitation
  const page = yield* invitationLink(invitation, token, slug)
  const message = invitationMessage({ link: page, organization: name, inviter: "administrator", lifetime })
  return yield* mail(recipientAt(email, yield* find(Users, { email }), expires_at), message)
})

const invite = ({ access_control, invitation_expires_in, max_invitations }: OrganizationSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/organizations/invite",
    summary: "Offers the owner of an address a role in an organization, and mails them, for administrators.",
    access: { permission: "invitations:create" },
    input: Schema.Struct({ organization_id: Schema.String, email: Email, role: Schema.optionalKey(Schema.String) }),
    output: Body,
    errors: [OrganizationNotFound, InvalidRole],
    handler: Effect.fnUntraced(function* adminInviteToOrganization({ organization_id, email, role = access_control.invite_default }) {
      const organization = yield* reached(organization_id)
      if (!isDefined(access_control, role)) return yield* new InvalidRole()
      yield* requireRoomForInvitation(organization_id, email, max_invitations)
      const by = yield* initiator
      const { token, offer } = yield* newInvitation({ organization_id, email, role }, invitation_expires_in)
      const invitation: StoredInvitation = { ...offer, inviter_id: by.id, initiator: by }
      const unchanged = [...(yield* ofPrincipal(null)), update(Organizations, organization, {})]
      const writes = [...(yield* replaced(invitation)), insert(Invitations, invitation)]
      yield* (yield* Store).commit([...unchanged, ...writes, yield* mailed(invitation, token, organization.row, invitation_expires_in)])
      return Endpoint.reply({ invitation: withoutId(invitation) })
    }, retryOnConflict),
  })

/** An open invitation of an organization, by its reference. */
const open = Effect.fnUntraced(function* openInvitation({ organization_id, reference }: Schema.Struct.Type<typeof One>) {
  const organization = yield* reached(organization_id)
  const invitation = yield* orFail((yield* Store).read(Invitations, { reference }), () => new InvalidInvitation())
  if (invitation.row.organization_id !== organization_id || !(yield* isOpen(invitation.row))) return yield* new InvalidInvitation()
  return { organization, invitation }
})

const resend = ({ access_control, invitation_expires_in }: OrganizationSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/organizations/resend-invitation",
    summary: "Mails an invitation again, which begins anew as one of the administrator.",
    access: { permission: "invitations:create" },
    input: Schema.Struct(One),
    output: Body,
    errors: [OrganizationNotFound, InvalidInvitation, InvalidRole],
    handler: Effect.fnUntraced(function* adminResendOrganizationInvitation(one) {
      const { organization, invitation } = yield* open(one)
      if (!isDefined(access_control, invitation.row.role)) return yield* new InvalidRole()
      const by = yield* initiator
      const expires_at = DateTime.add(yield* DateTime.now, { seconds: invitation_expires_in })
      const { token, token_hash } = yield* newInvitationToken
      const renewed: StoredInvitation = { ...invitation.row, token_hash, expires_at, inviter_id: by.id, initiator: by }
      const unchanged = [...(yield* ofPrincipal(null)), check(Organizations, organization)]
      const sent = yield* mailed(renewed, token, organization.row, invitation_expires_in)
      yield* (yield* Store).commit([...unchanged, update(Invitations, invitation, renewed), sent])
      return Endpoint.reply({ invitation: withoutId(renewed) })
    }, retryOnConflict),
  })

const cancel = Endpoint.make({
  method: "POST",
  path: "/admin/organizations/cancel-invitation",
  summary: "Cancels an open invitation of an organization, for administrators.",
  access: { permission: "invitations:cancel" },
  input: Schema.Struct(One),
  output: Endpoint.Success,
  errors: [OrganizationNotFound, InvalidInvitation],
  handler: Effect.fnUntraced(function* adminCancelOrganizationInvitation(one) {
    const { invitation } = yield* open(one)
    yield* (yield* Store).commit([...(yield* ofPrincipal(null)), update(Invitations, invitation, { status: "cancelled" })])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

export const invitationChanges = (settings: OrganizationSettings) => [invite(settings), resend(settings), cancel] as const
