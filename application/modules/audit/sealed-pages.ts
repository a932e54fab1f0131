import { Effect, Option } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import { eventOf } from "./recorded-events.ts"
import { sealId, sealSize } from "./seal.ts"
import { Chain, Records, type Seal, Seals } from "./tables.ts"

/** The maximum number of seals of a page. */
const mostSeals = 100

/** The number of the last seal; 0 before the first one. */
export const lastSeal = Effect.map(
  Effect.flatMap(Store, (store) => store.read(Chain, { id: "head" })),
  Option.match({ onNone: () => 0, onSome: ({ row }) => row.number }),
)

/**
 * The events of the newest of these seals that the log still has, at most as many as a seal can have. `from`: the oldest seal; `whole_since`:
 * when the seal was made from which on no event is gone. Undefined if all of the seals have expired.
 */
export const newestSealed = Effect.fnUntraced(function* newestSealed(from: number, to: number) {
  const seals = yield* newestSeals(from, to)
  const oldest = seals.at(-1)
  if (oldest === undefined) return undefined
  const ids = seals.flatMap(({ entries }) => entries.map(([id]) => id))
  const records = (yield* (yield* Store).listForEach(Records, "id", ids, { limit: 1 })).flat()
  const kept = new Set(records.map(({ id }) => id))
  const broken = seals.findIndex(({ entries }) => entries.some(([id]) => !kept.has(id)))
  const whole = broken === -1 ? seals : seals.slice(0, broken)
  const whole_since = whole.at(-1)?.sealed_at ?? null
  return { from: Number(oldest.id), events: records.map(eventOf), isWhole: broken === -1, whole_since }
})

/** The newest of these seals, the newest first: one, or more that together cover no more records than one can. */
const newestSeals = Effect.fnUntraced(function* newestSeals(from: number, to: number) {
  const { list } = yield* Store
  const upTo = (limit: number) =>
    Effect.map(list(Seals, {}, { limit, order: "id", descending: true, after: { id: sealId(to + 1) } }), (rows) =>
      rows.filter(({ id }) => id >= sealId(from)),
    )
  const [newest] = yield* upTo(1)
  if (newest === undefined) return []
  const like = Math.floor(sealSize / Math.max(1, newest.entries.length))
  return like < 2 ? [newest] : fitting(yield* upTo(Math.min(like, mostSeals)))
})

const fitting = (seals: ReadonlyArray<Seal>) => {
  let covered = 0
  return seals.filter(({ entries }, index) => {
    covered += entries.length
    return index === 0 || covered <= sealSize
  })
}
