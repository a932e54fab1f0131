import { DateTime, Effect, Option, Schema } from "effect"
import { Store, update } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { User } from "../../../../domain/users/user.ts"

const own = {
  user_id: Schema.String,
  /** Wrong codes since the last right one. */
  failures: Schema.Int,
  locked_until: Schema.NullOr(Schema.DateTimeUtc),
  created_at: Schema.DateTimeUtc,
}

const ownData = { personal: ["locked_until", "created_at"], other: ["user_id", "failures"] } as const

/** Users whose sign-ins take a code by SMS. An operation that adds or removes a row must also write the user. */
export const SmsFactors = Table.make("two_factor_sms", Schema.Struct(own), {
  key: "user_id",
  references: { user_id: Users },
  data: ownData,
})
export type OwnFactor = Table.Row<typeof SmsFactors>

/**
 * Users whose sign-ins take a code by mail. `password_mailed_at`: when a mailed link set the password, so that the password and the code
 * would both prove the mailbox only. An operation that adds or removes a row must also write the user.
 */
export const EmailFactors = Table.make(
  "two_factor_email",
  Schema.Struct({ ...own, password_mailed_at: Schema.NullOr(Schema.DateTimeUtc) }),
  {
    key: "user_id",
    references: { user_id: Users },
    data: { ...ownData, personal: [...ownData.personal, "password_mailed_at"] },
  },
)

/** Codes that were sent, one for each pending sign-in or session. The row outlives its code's guesses, so that it counts what was sent. */
export const SentCodes = Table.make(
  "two_factor_code",
  Schema.Struct({
    /** The hash of the pending sign-in, or of the session. */
    name: Schema.String,
    user_id: Schema.String,
    method: Schema.String,
    hash: Schema.String,
    /** Wrong guesses at this code. */
    attempts: Schema.Int,
    /** Codes so far, of all methods. */
    sends: Schema.Int,
    expires_at: Schema.DateTimeUtc,
  }),
  {
    key: "name",
    references: { user_id: Users },
    expires: "expires_at",
    data: { personal: ["method", "expires_at"], secret: ["name", "hash"], other: ["user_id", "attempts", "sends"] },
  },
)

/** The table of the users of each method. */
export const factorTables = { email: EmailFactors, sms: SmsFactors } as const

/** The row of a user who has turned the method on. */
export const factorOf = (method: keyof typeof factorTables, user_id: string) =>
  Store.use(({ read }) => read(factorTables[method], { user_id }))

/** The same for mailed codes. */
export const emailFactorOf = (user_id: string) => Store.use(({ read }) => read(EmailFactors, { user_id }))

/** The write that notes how the password of a user was set, where it matters; for every commit that sets one. */
export const notePassword = Effect.fnUntraced(function* notePassword({ id }: User, isMailed: boolean) {
  const password_mailed_at = isMailed ? yield* DateTime.now : null
  const found = yield* emailFactorOf(id)
  return Option.toArray(Option.map(found, (factor) => update(EmailFactors, factor, { password_mailed_at })))
})
