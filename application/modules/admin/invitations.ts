import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { AddressNotAllowed, InvalidInvitation, UserAlreadyExists } from "../../../domain/errors.ts"
import { link } from "../../../domain/mail/links.ts"
import type { Message } from "../../../domain/mail/message.ts"
import type { Samples } from "../../../domain/mail/samples.ts"
import { mail } from "../../../domain/mail/writing.ts"
import { find, put, removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import { liveAt } from "../../../domain/storage/live.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { blockRule } from "../../../domain/users/address-rules.ts"
import { Users } from "../../../domain/users/tables.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { NextPage, PageInput, page } from "../../service/paging.ts"

// Invitations to sign up, for `registration`. Those of organizations are in the module `organization`.

const lifetime = Duration.days(7)

const Invitation = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  created_at: Schema.DateTimeUtc,
  expires_at: Schema.DateTimeUtc,
}).annotate({ identifier: "SignUpInvitation", description: "An invitation of an address to sign up." })

/** The open invitations, one for each address. The commit that adds its user with a proof of the address, proves the address of one who signed up, or withdraws it, removes the row. */
export const SignUpInvitations = Table.make("sign_up_invitation", Invitation, {
  key: "email",
  unique: ["id"],
  expires: "expires_at",
  data: { address: "email" },
})

const OneInvitation = Schema.Struct({ invitation_id: Schema.String })
const Shown = Schema.Struct({ invitation: Invitation })

const message = (link: string): Message => ({
  subject: phrase("mail.sign_up_invitation.subject"),
  preheader: phrase("mail.sign_up_invitation.not_you"),
  hidesCaller: true,
  parts: [
    phrase("mail.sign_up_invitation.text"),
    { label: phrase("mail.sign_up_invitation.button"), link },
    phrase("mail.sign_up_invitation.lifetime", { duration: lifetime }),
    phrase("mail.sign_up_invitation.not_you"),
  ],
})

/** The mail of an invitation, with a made-up value. */
export const mails: Samples = { sign_up_invitation: Effect.map(link("sign_up", { email: "ada@example.com" }), message) }

const mailed = Effect.fnUntraced(function* mailedInvitation({ email, expires_at }: typeof Invitation.Type) {
  return yield* mail({ to: email, locale: null, expiresAt: expires_at }, message(yield* link("sign_up", { email })))
})

/** An invitation that begins now. */
const begun = Effect.map(DateTime.now, (created_at) => ({ created_at, expires_at: DateTime.addDuration(created_at, lifetime) }))

const open = Effect.fnUntraced(function* openInvitation(where: { readonly id: string } | { readonly email: string }) {
  const now = yield* DateTime.now
  return Option.filter(yield* (yield* Store).read(SignUpInvitations, where), ({ row }) => liveAt(SignUpInvitations, now)(row))
})

const requireOpen = Effect.fnUntraced(function* requireOpenInvitation(id: string) {
  const invitation = yield* open({ id })
  return Option.isSome(invitation) ? invitation.value : yield* new InvalidInvitation()
})

/** The writes that spend the invitation of this address; empty without one. */
export const spending = (email: string) =>
  Effect.map(open({ email }), (invitation) => Option.toArray(invitation).map((row) => removeVersioned(SignUpInvitations, row)))

const create = Endpoint.make({
  method: "POST",
  path: "/admin/invitations/create",
  summary: "Invites an address to sign up, and mails it. Replaces an earlier invitation of the address.",
  access: { permission: "invitations:create" },
  input: Schema.Struct({ email: Email }),
  output: Shown,
  errors: [AddressNotAllowed, UserAlreadyExists],
  handler: Effect.fnUntraced(function* adminInvite({ email }) {
    if ((yield* blockRule)(email)) return yield* new AddressNotAllowed()
    // A stranger can sign up with an invited address, but only its owner can prove it: until then it can be invited again.
    if (Option.exists(yield* find(Users, { email }), (user) => !user.needs_invitation)) return yield* new UserAlreadyExists()
    const invitation = { id: yield* newId, email, ...(yield* begun) }
    const unchanged = yield* ofPrincipal(null)
    yield* (yield* Store).commit([...unchanged, put(SignUpInvitations, invitation), yield* mailed(invitation)])
    return Endpoint.reply({ invitation })
  }, retryOnConflict),
})

const list = Endpoint.make({
  method: "GET",
  path: "/admin/invitations/list",
  summary: "The open invitations to sign up, by address, page by page.",
  access: { permission: "invitations:read" },
  input: Schema.Struct(PageInput),
  output: Schema.Struct({ invitations: Schema.Array(Invitation), ...NextPage }),
  handler: Effect.fnUntraced(function* adminListInvitations(request) {
    const { rows, rest } = yield* page(SignUpInvitations, {}, request)
    return Endpoint.reply({ invitations: rows, ...rest })
  }),
})

const cancel = Endpoint.make({
  method: "POST",
  path: "/admin/invitations/cancel",
  summary: "Withdraws an invitation to sign up.",
  access: { permission: "invitations:cancel" },
  input: OneInvitation,
  output: Success,
  errors: [InvalidInvitation],
  handler: Effect.fnUntraced(function* adminCancelInvitation({ invitation_id }) {
    const invitation = yield* requireOpen(invitation_id)
    const unchanged = yield* ofPrincipal(null)
    yield* (yield* Store).commit([...unchanged, removeVersioned(SignUpInvitations, invitation)])
    return Endpoint.reply(succeeded)
  }, retryOnConflict),
})

const resend = Endpoint.make({
  method: "POST",
  path: "/admin/invitations/resend",
  summary: "Mails an invitation to sign up again, which begins anew.",
  access: { permission: "invitations:create" },
  input: OneInvitation,
  output: Shown,
  errors: [InvalidInvitation],
  handler: Effect.fnUntraced(function* adminResendInvitation({ invitation_id }) {
    const open = yield* requireOpen(invitation_id)
    const invitation = { ...open.row, expires_at: (yield* begun).expires_at }
    const unchanged = yield* ofPrincipal(null)
    yield* (yield* Store).commit([...unchanged, update(SignUpInvitations, open, invitation), yield* mailed(invitation)])
    return Endpoint.reply({ invitation })
  }, retryOnConflict),
})

export const invitationEndpoints = [create, list, cancel, resend] as const
