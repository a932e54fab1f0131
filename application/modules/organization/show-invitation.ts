import { Effect, Option, Schema } from "effect"
import { InvalidInvitation } from "../../../domain/errors.ts"
import { isMailedAddress, isMailedName } from "../../../domain/mail/mailed-name.ts"
import { Invitations, Organizations, type StoredInvitation } from "../../../domain/organizations/tables.ts"
import { find, orFail } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { isOpen } from "./invitations.ts"
import { canSignUp } from "./invited-sign-up.ts"
import { stillInviting } from "./offers.ts"
import type { OrganizationSettings } from "./settings.ts"

const ShownInvitation = Schema.Struct({
  organization_id: Schema.String,
  organization: Schema.NullOr(Schema.String).pipe(
    Schema.annotateKey({ description: "Its name; null if it could be taken for a link or a telephone number." }),
  ),
  invited_by: Schema.Struct({
    kind: Schema.Literals(["member", "administrator", "program"]),
    name: Schema.NullOr(Schema.String),
    email: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "Only a verified one." })),
  }).annotate({ identifier: "InvitationSender" }),
  email: Schema.String,
  role: Schema.String,
  expires_at: Schema.DateTimeUtc,
  can_sign_up: Schema.Boolean.pipe(
    Schema.annotateKey({ description: "Whether `POST /organization/accept-invitation/sign-up` takes the token." }),
  ),
}).annotate({ identifier: "ShownInvitation" })

export const showInvitation = ({ access_control }: OrganizationSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/organization/show-invitation",
    summary: "What an open invitation offers, for the reader of its mail: its id is a secret.",
    access: "public",
    input: Schema.Struct({
      invitation_id: Schema.String,
      token: Schema.optionalKey(Schema.String).pipe(Schema.annotateKey({ description: "Of the mail." })),
    }),
    output: Schema.Struct({ invitation: ShownInvitation }),
    errors: [InvalidInvitation],
    handler: Effect.fnUntraced(function* organizationShowInvitation({ invitation_id: id, token }) {
      const invitation = yield* orFail(find(Invitations, { id }), () => new InvalidInvitation())
      const isValid = (yield* isOpen(invitation)) && Option.isSome(yield* stillInviting(access_control, invitation))
      if (!isValid) return yield* new InvalidInvitation()
      const { name } = yield* orFail(find(Organizations, { id: invitation.organization_id }), () => new InvalidInvitation())
      const { organization_id, email, role, expires_at } = invitation
      const organization = isMailedName(name) ? name : null
      const can_sign_up = token !== undefined && (yield* canSignUp(invitation, token))
      const invited_by = yield* senderOf(invitation)
      return Endpoint.reply({ invitation: { organization_id, organization, invited_by, email, role, expires_at, can_sign_up } })
    }),
  })

const senderOf = Effect.fnUntraced(function* senderOf({ initiator, inviter_id }: StoredInvitation) {
  const unnamed = { name: null, email: null }
  if (initiator !== null) {
    const kind: "administrator" | "program" = initiator.permissions.length > 0 ? "administrator" : "program"
    return { kind, ...unnamed }
  }
  const kind = "member" as const
  return Option.match(yield* find(Users, { id: inviter_id }), {
    onNone: () => ({ kind, ...unnamed }),
    onSome: ({ name, email, email_verified }) => ({
      kind,
      name: name !== null && isMailedName(name) ? name : null,
      email: email_verified && isMailedAddress(email) ? email : null,
    }),
  })
})
