import { DateTime, Effect, Option } from "effect"
import { replace, Store } from "../../../domain/ports/store.ts"
import { randomToken } from "../../../domain/tokens/keys.ts"
import { moduleKeys } from "../../../domain/tokens/module-keys.ts"
import { keyPurpose, name, type Start, Starts } from "./tables.ts"

const keys = moduleKeys(name)

/** The row of the start, with its revision; none before the first one was stored. */
export const readStart = Effect.flatMap(Store, (store) => store.read(Starts, { id: "start" }))

const nextHour = Effect.map(DateTime.now, (now) => DateTime.endOf(now, "hour").pipe(DateTime.add({ milliseconds: 1 })))

const newStart = Effect.fnUntraced(function* newStart(seal: number) {
  const key = yield* keys.seal(keyPurpose, yield* randomToken)
  return { id: "start", since: yield* nextHour, seal, key } satisfies Start
})

/**
 * The write that notes this seal as counted. If the seal before it was not, such as while the module was off, figures are complete only from
 * the next hour on.
 */
export const startWrite = Effect.fnUntraced(function* startWrite(seal: number) {
  const found = yield* readStart
  if (Option.isNone(found)) return [replace(Starts, found, yield* newStart(seal))]
  const { row } = found.value
  const since = row.seal === seal - 1 ? row.since : yield* nextHour
  return [replace(Starts, found, { ...row, since, seal })]
})

/** The key for the ids of active users; none before the first seal, and if the secret that encrypted it is not listed. */
export const activeKey = Effect.gen(function* readActiveKey() {
  const found = yield* readStart
  return Option.isNone(found) ? Option.none<string>() : yield* keys.open(keyPurpose, found.value.row.key)
})
