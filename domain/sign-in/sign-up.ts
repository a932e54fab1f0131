import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { UserAlreadyExists } from "../errors.ts"
import { PasswordHasher } from "../ports/password-hasher.ts"
import { find, insert } from "../ports/store.ts"
import { Settings } from "../settings.ts"
import { Accounts, Users } from "../storage/tables.ts"
import type { StoredUser } from "../users/user.ts"
import { Name } from "../users/user.ts"
import { Email } from "../values/text.ts"
import { acceptable, newCredential } from "./passwords.ts"
import { verificationMail } from "./verification.ts"

/** Who is to be a user. */
export const Registration = Schema.Struct({ email: Email, password: Schema.String, name: Schema.optionalKey(Name) })
export type Registration = typeof Registration.Type

/** A new user with a password, and the writes that make them real: `Taken` when somebody else was faster. */
export const register = Effect.fnUntraced(function* register({ email, password, name }: Registration) {
  const accepted = yield* acceptable(password)
  if (Option.isSome(yield* find(Users, { email }))) return yield* new UserAlreadyExists()

  const hash = yield* (yield* PasswordHasher).hash(accepted)
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  const now = yield* DateTime.now
  const user: StoredUser = {
    id,
    email,
    email_verified: false,
    last_verified_email: null,
    name: name ?? null,
    image: null,
    created_at: now,
    updated_at: now,
  }
  const { require_email_verification } = (yield* Settings).email_password
  const mail = require_email_verification ? yield* verificationMail(user, email) : []
  return { user, writes: [insert(Users, user), insert(Accounts, yield* newCredential(id, hash)), ...mail] }
})
