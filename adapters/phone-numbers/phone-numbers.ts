import { Effect, Layer } from "effect"
import { PhoneNumbers } from "../../domain/ports/phone-numbers.ts"
import { retainedOnSuccess } from "../retained.ts"

/** Loads the numbering plans at the first use: services without telephone numbers do not need them. */
export const layer = Layer.effect(
  PhoneNumbers,
  Effect.gen(function* makePhoneNumbers() {
    const loaded = yield* retainedOnSuccess(Effect.promise(() => import("./numbering.ts")))
    return PhoneNumbers.of({ read: (typed, country) => Effect.map(loaded, ({ read }) => read(typed, country)) })
  }),
)
