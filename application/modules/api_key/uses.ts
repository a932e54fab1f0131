import { DateTime, Effect, Option } from "effect"
import { check, isCommitted, put, Store } from "../../../domain/ports/store.ts"
import { ApiKeys, type ApiKeyUse, ApiKeyUses } from "./tables.ts"

/** The maximum number of keys whose uses wait to be stored. The uses of further keys are not noted. */
const maxWaiting = 10_000

/** Milliseconds between two writes of the uses: each key costs at most one write in this time. */
export const writeEvery = 60_000

/** The last use of each key, kept in memory and stored by `write`, so that no request waits for it. A killed process loses a minute. */
export const makeUses = () => {
  const waiting = new Map<string, ApiKeyUse>()

  const note = (key_id: string, ip_address: string | null) =>
    Effect.map(DateTime.now, (at) => {
      if (waiting.has(key_id) || waiting.size < maxWaiting) waiting.set(key_id, { key_id, at, ip_address })
    })

  const write = Effect.gen(function* writeUses() {
    const uses = [...waiting.values()]
    waiting.clear()
    yield* Effect.forEach(uses, stored, { discard: true })
  })
  return { note, write }
}
export type Uses = ReturnType<typeof makeUses>

/** Without the check, the use of a key that is removed meanwhile would stay. One that a change of its key prevents is lost. */
const stored = Effect.fnUntraced(function* storedUse(use: ApiKeyUse) {
  const key = yield* (yield* Store).read(ApiKeys, { id: use.key_id })
  if (Option.isSome(key)) yield* isCommitted([check(ApiKeys, key.value), put(ApiKeyUses, use)])
})
