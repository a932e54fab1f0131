import { Effect, Option, Schema } from "effect"
import { UserAlreadyExists } from "../errors.ts"
import { PasswordHasher } from "../ports/password-hasher.ts"
import { find, insert, type Write } from "../ports/store.ts"
import { Settings } from "../settings.ts"
import type { Admission } from "../users/admission.ts"
import { newUser } from "../users/new-user.ts"
import { Accounts, Users } from "../users/tables.ts"
import { Name, type StoredUser } from "../users/user.ts"
import { Email } from "../values/text.ts"
import { checkNewPassword, checkPasswordRules, newCredential } from "./passwords.ts"

/** The input of a sign-up. */
export const Registration = Schema.Struct({ email: Email, password: Schema.String, name: Schema.optionalKey(Name) })
export type Registration = typeof Registration.Type

/**
 * Whether a sign-up opens no session before its address is proved: where `registration` admits only certain addresses, it must not be enough
 * to know one.
 */
export const provesFirst = Effect.map(
  Settings,
  ({ registration }) => registration !== undefined && (registration.mode === "invited" || registration.email.allow !== undefined),
)

/**
 * A new user with a password, and the writes that store them. `mailed` returns those of the mail to verify the address, where this is
 * required. The commit fails with `Taken` if a concurrent sign-up used the same address.
 */
export const register = Effect.fnUntraced(function* register<E, R>(
  admission: Admission,
  { password, name }: Omit<Registration, "email">,
  mailed: (user: StoredUser) => Effect.Effect<ReadonlyArray<Write>, E, R>,
) {
  const accepted = yield* checkNewPassword(password)
  yield* checkPasswordRules(accepted, null)
  // Before the address is looked up: pages that answer taken and free addresses alike must also take as long for both.
  const hash = yield* (yield* PasswordHasher).hash(accepted)
  if (Option.isSome(yield* find(Users, { email: admission.email }))) return yield* new UserAlreadyExists()

  // A visitor who knows the address must not spend its invitation: the proof of the address does.
  const needs_invitation = admission.spent.length > 0 && (yield* provesFirst)
  const admitted = needs_invitation ? { ...admission, spent: [] } : admission
  const { user, writes } = yield* newUser(admitted, { email_verified: false, name: name ?? null, needs_invitation })
  const { require_email_verification } = (yield* Settings).email_password
  const mail = require_email_verification ? yield* mailed(user) : []
  return { user, writes: [...writes, insert(Accounts, yield* newCredential(user.id, hash)), ...mail] }
})
