import { DateTime, Effect, Option } from "effect"
import { commitOrConflict, replace, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { randomToken } from "../../../domain/tokens/keys.ts"
import { moduleKeys } from "../../../domain/tokens/module-keys.ts"
import { keyPurpose, name, type Start, Starts } from "./tables.ts"

const keys = moduleKeys(name)

/** The row of the start, with its revision; none before the first one was stored. */
export const readStart = Effect.flatMap(Store, (store) => store.read(Starts, { id: "start" }))

/** The first hour that begins after a moment. */
export const hourAfter = (at: DateTime.Utc) => DateTime.endOf(at, "hour").pipe(DateTime.add({ milliseconds: 1 }))

const newStart = Effect.fnUntraced(function* newStart() {
  const key = yield* keys.seal(keyPurpose, yield* randomToken)
  return { id: "start", since: hourAfter(yield* DateTime.now), seal: 0, gaps: [], key } satisfies Start
})

/** The maximum number of gaps. The oldest ones are forgotten: their records expire first. */
export const maxGaps = 100

/** Notes that the seals up to this one were not counted: figures are complete only from the next hour on. */
const withGap = Effect.fnUntraced(function* withGap(found: Option.Option<{ readonly row: Start }>, to: number) {
  const start = Option.isSome(found) ? found.value.row : yield* newStart()
  if (start.seal >= to) return start
  const since = Option.isSome(found) ? DateTime.toEpochMillis(start.since) : null
  const gap = { from: start.seal + 1, to, since, is_whole: true }
  return { ...start, since: hourAfter(yield* DateTime.now), seal: to, gaps: [...start.gaps, gap].slice(-maxGaps) } satisfies Start
})

/** The write that notes this seal as counted. Seals before it that were not, such as while the module was off, become a gap. */
export const startWrite = Effect.fnUntraced(function* startWrite(seal: number) {
  const found = yield* readStart
  return [replace(Starts, found, { ...(yield* withGap(found, seal - 1)), seal })]
})

/** Notes the seals up to this one that were not counted. It must have been read before. */
export const noteGap = Effect.fnUntraced(function* noteGap(last: number) {
  const found = yield* readStart
  const counted = Option.isSome(found) ? found.value.row.seal : 0
  if (counted >= last) return
  yield* commitOrConflict([replace(Starts, found, yield* withGap(found, last))])
}, retryOnConflict)

/** The key for the ids of active users; none before the first seal, and if the secret that encrypted it is not listed. */
export const activeKey = Effect.gen(function* readActiveKey() {
  const found = yield* readStart
  return Option.isNone(found) ? Option.none<string>() : yield* keys.open(keyPurpose, found.value.row.key)
})
