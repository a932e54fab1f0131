import { Array, DateTime, Effect, Option, Result } from "effect"
import { Base64Url } from "effect/encoding"
import { modify, Store } from "../../../domain/ports/store.ts"
import { TextHashes } from "../../../domain/ports/text-hashes.ts"
import type { NoteAccepted } from "../../../domain/sessions/accepted.ts"
import { liveAt } from "../../../domain/storage/live.ts"
import { expiryOf } from "./periods.ts"
import { add, emptySketch, estimate, merge, read, type Sketch, written } from "./sketch.ts"
import { activeKey } from "./start.ts"
import { ActiveDays } from "./tables.ts"

/** The maximum number of users of a day whom a process remembers, and of those who wait to be merged. */
const capacity = 100_000
const aDay = 86_400_000

interface Waiting {
  readonly user_id: string
  readonly at: DateTime.Utc
}

/** The users whom a process has seen, until they are merged into the sketch of their day. */
export const makeActive = () => {
  const waiting: Waiting[] = []
  const seen = new Set<string>()
  let day = 0

  const note: NoteAccepted = (user_id, at) => {
    const today = Math.floor(DateTime.toEpochMillis(at) / aDay)
    if (today !== day) seen.clear()
    day = today
    // Users who find no place are noted at a later use.
    if (seen.has(user_id) || waiting.length >= capacity) return
    if (seen.size < capacity) seen.add(user_id)
    waiting.push({ user_id, at })
  }

  const restore = (taken: ReadonlyArray<Waiting>) => {
    for (const each of taken) if (waiting.length < capacity) waiting.push(each)
  }

  /** Merges those who wait. After a fault of the store they wait again: to merge them twice changes nothing. */
  const mergeWaiting = Effect.gen(function* mergeActive() {
    if (waiting.length === 0) return
    const key = yield* activeKey
    if (Option.isNone(key)) return
    const { hmacSha256 } = yield* TextHashes
    const bytes = new TextEncoder().encode(key.value)
    const taken = waiting.splice(0)
    const days = Map.groupBy(taken, ({ at }) => DateTime.formatIsoDateUtc(at))
    const merged = Effect.forEach(days, ([name, users]) => mergeInto(name, users, (id) => hmacSha256(bytes, id)), { discard: true })
    yield* Effect.onError(merged, () => Effect.sync(() => restore(taken)))
  })
  return { note, mergeWaiting }
}

/** The number of users who are hashed before requests are answered again. */
const batch = 1000

const mergeInto = Effect.fnUntraced(function* mergeInto(day: string, users: ReadonlyArray<Waiting>, hash: (id: string) => string) {
  const own = emptySketch()
  for (const part of Array.chunksOf(users, batch)) {
    for (const { user_id } of part) addTo(own, hash(user_id))
    yield* Effect.yieldNow
  }
  const expires_at = expiryOf("day", users[0]?.at ?? DateTime.makeUnsafe(day))
  yield* modify(ActiveDays, day, (row) => {
    const all = Option.match(row, { onNone: emptySketch, onSome: ({ registers }) => read(registers) })
    merge(all, own)
    const registers = written(all)
    const isUnchanged = Option.isSome(row) && row.value.registers === registers
    return [undefined, isUnchanged ? row : Option.some({ day, registers, expires_at })]
  })
})

/** Adds a hash in base64url, of which 64 bits are used. */
export const addTo = (sketch: Sketch, hash: string) => {
  const { buffer, byteOffset } = Result.getOrThrow(Base64Url.decode(hash.slice(0, 12)))
  const view = new DataView(buffer, byteOffset)
  add(sketch, view.getUint32(0), view.getUint32(4))
}

/** About how many users were active in the last days up to this one. */
export const activeUntil = Effect.fnUntraced(function* activeUntil(last: DateTime.Utc) {
  const now = yield* DateTime.now
  const first = DateTime.subtract(last, { days: 29 })
  const after = { day: DateTime.formatIsoDateUtc(DateTime.subtract(first, { days: 1 })) }
  const rows = yield* (yield* Store).list(ActiveDays, {}, { limit: 30, order: "day", after })
  const live = rows.filter(liveAt(ActiveDays, now))
  const to = DateTime.formatIsoDateUtc(last)
  const since = (days: number) => {
    const from = DateTime.formatIsoDateUtc(DateTime.subtract(last, { days: days - 1 }))
    const all = emptySketch()
    for (const { day, registers } of live) if (day >= from && day <= to) merge(all, read(registers))
    return estimate(all)
  }
  return { day: since(1), week: since(7), month: since(30) }
})
