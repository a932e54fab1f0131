import { DateTime, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { administeredWrites } from "../../../domain/attributes/administrators.ts"
import { attributesIn, conflictIfAttributeTaken } from "../../../domain/attributes/writing.ts"
import {
  AddressNotAllowed,
  IdempotencyKeyReused,
  invalidMember,
  PasswordTooLong,
  PasswordTooShort,
  UserAlreadyExists,
} from "../../../domain/errors.ts"
import { mail } from "../../../domain/mail/writing.ts"
import { HashFormats } from "../../../domain/ports/hash-formats.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { insert, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { Settings } from "../../../domain/settings.ts"
import { checkNewPassword, checkPasswordRules, newCredential } from "../../../domain/sign-in/passwords.ts"
import { verificationMail } from "../../../domain/sign-in/verification.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { AdministeredUser, administered, defaultMetadata } from "../../../domain/users/admin-metadata.ts"
import { admitAnyway, admitByOperator } from "../../../domain/users/admission.ts"
import { addedUser, newUser } from "../../../domain/users/new-user.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import { Locale, Name, type StoredUser } from "../../../domain/users/user.ts"
import { Email, Text } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../service/idempotency.ts"
import { invitationMail } from "./emails.ts"

const Creation = Schema.Struct({
  ...IdempotencyKey,
  // Required, since a misspelt member is ignored: the user would get a made-up address.
  email: Schema.NullOr(Email).pipe(Schema.annotateKey({ description: "Null: the user gets an address that takes no mail." })),
  email_verified: Schema.optionalKey(Schema.Boolean).pipe(Schema.annotateKey({ description: "Default: false." })),
  password: Schema.optionalKey(Schema.String),
  password_hash: Schema.optionalKey(Text.check(Schema.isMaxLength(1024))).pipe(
    Schema.annotateKey({ description: "In place of a password: a hash of another system, in a format that imports accept." }),
  ),
  name: Schema.optionalKey(Name),
  locale: Schema.optionalKey(Locale),
  send: Schema.optionalKey(Schema.Literals(["none", "invite", "verification"]).annotate({ identifier: "NewUserMail" })).pipe(
    Schema.annotateKey({ description: "A mail with a link to choose a password, or to verify the address. Default: none." }),
  ),
})
type Creation = Omit<typeof Creation.Type, "idempotency_key">

const WithUser = Schema.Struct({ user: AdministeredUser })

const checkMembers = Effect.fnUntraced(function* checkMembers({ email, email_verified, password, password_hash, send = "none" }: Creation) {
  if (password !== undefined && password_hash !== undefined)
    return yield* invalidMember("password_hash", "Expected either password or password_hash")
  if (email === null && (email_verified !== undefined || send !== "none")) return yield* invalidMember("email", "Expected an address")
  if (email_verified === true && send === "verification") return yield* invalidMember("send", "The address is verified already")
  if (send === "invite" && !(yield* Settings).email_password.enabled)
    return yield* invalidMember("send", "Users cannot choose passwords, since email_password.enabled is false")
})

/** The hash to store; none without a password. */
const passwordHashOf = Effect.fnUntraced(function* passwordHashOf({ password, password_hash }: Creation) {
  if (password_hash !== undefined && Option.isNone((yield* HashFormats).formatOf(password_hash)))
    return yield* invalidMember("password_hash", "Expected a hash in a format that sign-in can verify")
  if (password === undefined) return password_hash
  const accepted = yield* checkNewPassword(password)
  yield* checkPasswordRules(accepted, null)
  return yield* (yield* PasswordHasher).hash(accepted)
})

const mailsTo = (user: StoredUser, { send = "none" }: Creation, hasPassword: boolean) => {
  if (send === "invite") return invitationMail(user, hasPassword)
  return send === "verification" ? verificationMail(user, user.email, mail) : Effect.succeed([])
}

/** Synthetic addresses have a colon, and no mail is sent to them. */
const addressWithoutMailbox = Effect.map(newId, (id) => `created:${id}`)

export const createUser = Endpoint.make({
  method: "POST",
  path: "/admin/users/create",
  summary: "Adds a user, with or without an address and a password, and mails them on request.",
  access: { permission: "users:create" },
  input: Creation,
  attributes: { from: "admin" },
  output: WithUser,
  errors: [PasswordTooShort, PasswordTooLong, UserAlreadyExists, AddressNotAllowed, IdempotencyKeyReused],
  handler: idempotent(
    WithUser,
    Effect.fnUntraced(function* adminUsersCreate(input: typeof Creation.Type, keep: Keep<typeof WithUser.Type>) {
      yield* checkMembers(input)
      const hash = yield* passwordHashOf(input)
      const { email, email_verified = false, name = null, locale = null } = input
      const admission = email === null ? admitAnyway(yield* addressWithoutMailbox) : yield* admitByOperator(email)
      const { user: plain } = yield* newUser(admission, { email_verified, name })
      const { user, writes: inserted } = addedUser(admission, { ...plain, locale })
      const answer = { user: administered(user, defaultMetadata, yield* DateTime.now) }
      const password = hash === undefined ? [] : [insert(Accounts, yield* newCredential(user.id, hash))]
      const added = Effect.gen(function* () {
        // The address alone can make the user an administrator.
        const unchanged = yield* ofPrincipal(user)
        const attributes = yield* administeredWrites(user.id, attributesIn(input))
        const sent = yield* mailsTo(user, input, hash !== undefined)
        const writes = [...(yield* keep(answer)), ...unchanged, ...inserted, ...password, ...attributes, ...sent]
        yield* Effect.mapError(conflictIfAttributeTaken((yield* Store).commit(writes)), (error) =>
          error._tag === "Taken" ? new UserAlreadyExists() : error,
        )
      })
      yield* retryOnConflict(added)
      return Endpoint.reply(answer)
    }),
  ),
})
