import { Effect, Option, Schema } from "effect"
import { invalidMember } from "../../../domain/errors.ts"
import { PhoneNumbers } from "../../../domain/ports/phone-numbers.ts"
import { find } from "../../../domain/ports/store.ts"
import { phoneProvider } from "../../../domain/users/credential-account.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import { Text } from "../../../domain/values/text.ts"
import type { PhoneSettings } from "./settings.ts"

export const provider_id = phoneProvider

/** A number as the user typed it. Numbers have at most 15 digits (ITU-T E.164); the limit leaves room for separators. */
export const Phone = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(64))

/** The account that has this number. */
export const holderOf = (number: string) => find(Accounts, { provider_id, account_id: number })

const refusal = (expected: string) => invalidMember("phone", `expected ${expected}`)

/**
 * The number that a user typed, refused if no message can be sent to it. `stored` is its name in accounts and codes, `to` the recipient of
 * messages, and `e164` the name that all spellings share, for budgets.
 */
export const numberOf = Effect.fnUntraced(function* numberOf(
  { countries, default_country }: Pick<PhoneSettings, "countries" | "default_country">,
  typed: string,
) {
  const read = yield* (yield* PhoneNumbers).read(typed, default_country)
  if (Option.isNone(read)) return yield* refusal("a number with its country code, such as +442079460018")
  const { e164, country } = read.value
  if (countries !== undefined && !countries.includes(country)) return yield* refusal(`a number of ${countries.join(", ")}`)
  if (default_country === undefined) return { stored: typed, to: typed, e164, country }
  // A number that was stored as typed, before `default_country` was set, keeps its account.
  const isStored = typed !== e164 && Option.isSome(yield* holderOf(typed))
  return { stored: isStored ? typed : e164, to: e164, e164, country }
})

export type AcceptedNumber = Effect.Success<ReturnType<typeof numberOf>>
