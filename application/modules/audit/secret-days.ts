import { Effect, Option, Stream } from "effect"
import { rowsOf } from "../../../domain/ports/store.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { Days } from "./tables.ts"

/** The first day whose last seal has the newest secret; null if there is none. */
export const newestSecretSince = Effect.gen(function* newestSecretSince() {
  const [newest] = (yield* Keys).ids
  const days = rowsOf(Days, {}, { limit: 100, order: "day" })
  const first = yield* Stream.runHead(Stream.filter(days, ({ key_id }) => key_id === newest))
  return Option.getOrNull(Option.map(first, ({ day }) => day))
})
