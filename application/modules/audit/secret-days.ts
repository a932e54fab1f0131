import { Effect } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { Days } from "./tables.ts"

const page = 100

/** The first day whose last seal has the newest secret; null if there is none. */
export const newestSecretSince = Effect.gen(function* newestSecretSince() {
  const { list } = yield* Store
  const [newest] = (yield* Keys).ids
  for (let after = {}; ; ) {
    const days = yield* list(Days, {}, { limit: page, order: "day", ...after })
    const first = days.find(({ key_id }) => key_id === newest)
    if (first !== undefined) return first.day
    if (days.length < page) return null
    after = { after: days.at(-1) }
  }
})
