import { Clock, DateTime, Effect, Option, Stream } from "effect"
import { find, rowsOf, Store } from "../../../domain/ports/store.ts"
import { liveAt } from "../../../domain/storage/live.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { digestOf } from "./record.ts"
import { beginning, gone, purpose, sealDigest, sealId } from "./seal.ts"
import { type AuditRecord, Chain, Days, Records, type Seal, Seals, Unsealed } from "./tables.ts"

/** The result of a verification. */
export interface Verification {
  readonly seals: number
  /** Records that a seal covers and that are stored. */
  readonly records: number
  /** Records that wait for their seal. */
  readonly waiting: number
  /** Seals under a secret that is no longer listed; newer seals cover them. */
  readonly retired: number
  /** What is wrong, at most `maxFaults` sentences. */
  readonly faults: ReadonlyArray<string>
}

export const maxFaults = 100
/** Milliseconds. Younger records may be committed or sealed while they are counted. */
const settled = 60_000

/** Checks every seal of the chain, and every record that a seal covers. */
export const verify = Effect.gen(function* verifyRecords() {
  const { list, read } = yield* Store
  const now = yield* Clock.currentTimeMillis
  const faults: Array<string> = []
  const report = (fault: string) => void (faults.length < maxFaults && faults.push(fault))
  // Read first: records are added and sealed meanwhile, which must not look like a fault.
  const head = Option.getOrUndefined(yield* read(Chain, { id: "head" }))?.row
  const { waiting, unsealed } = yield* countUnsealed(now)
  let last: Seal | undefined
  let hasHead = head === undefined
  const total = { seals: 0, records: 0, counted: 0, retired: 0 }
  // Seals are read one at a time: each has up to a thousand entries.
  while (true) {
    const [seal] = yield* list(Seals, {}, { limit: 1, order: "id", ...(last === undefined ? {} : { after: { id: last.id } }) })
    if (seal === undefined) break
    yield* Effect.forEach(linkFaults(last, seal, now), (fault) => Effect.sync(() => report(fault)))
    if ((yield* sealDigest(seal)) !== seal.digest) report(`seal ${seal.id} was changed`)
    const tag = yield* tagState(seal)
    if (tag === "forged") report(`seal ${seal.id} has a tag that no listed secret made`)
    if (tag === "retired") total.retired += 1
    const covered = yield* verifyEntries(seal, now, report)
    total.seals += 1
    total.records += covered.stored
    total.counted += covered.settled
    hasHead ||= seal.digest === head?.digest
    last = seal
  }
  if (head !== undefined && !hasHead && head.expires > now) report("the last seals are missing")
  if (head === undefined && last !== undefined) report("the head of the chain is missing")
  if (last !== undefined && (yield* tagState(last)) === "retired")
    report(
      "the last seal needs a secret that is not listed, so nothing can be verified: list this secret after the others and run `secret rotate`",
    )
  yield* verifyDays(report)
  const stored = yield* countRecords(now)
  if (stored > total.counted + unsealed) report(`${stored - total.counted - unsealed} records have no seal`)
  return { seals: total.seals, records: total.records, waiting, retired: total.retired, faults } satisfies Verification
})

const linkFaults = (last: Seal | undefined, seal: Seal, now: number): ReadonlyArray<string> => {
  if (last !== undefined)
    return Number(seal.id) === Number(last.id) + 1 && seal.previous === last.digest ? [] : [`a seal before ${seal.id} is missing`]
  return seal.previous === beginning || seal.previous_expires <= now ? [] : [`the seals before ${seal.id} are missing`]
}

const tagState = Effect.fnUntraced(function* tagState({ digest, tag, key_id }: Pick<Seal, "digest" | "tag" | "key_id">) {
  const keys = yield* Keys
  if (yield* keys.verify(purpose, digest, tag)) return "valid"
  return keys.ids.includes(key_id) ? "forged" : "retired"
})

const verifyEntries = Effect.fnUntraced(function* verifyEntries(seal: Seal, now: number, report: (fault: string) => void) {
  const ids = seal.entries.map(([id]) => id)
  const rows = (yield* (yield* Store).listForEach(Records, "id", ids, { limit: 1 })).map(([row]) => row)
  let [stored, old] = [0, 0]
  for (const [at, [id, digest, expires]] of seal.entries.entries()) {
    const row = rows[at]
    if (row === undefined) {
      if (expires > now || digest === gone) report(`record ${id} is missing`)
      continue
    }
    stored += 1
    if (isCounted(row, now)) old += 1
    if ((yield* digestOf(row)) !== digest) report(`record ${id} was changed`)
  }
  return { stored, settled: old }
})

/** Expired records may outlive their seals, and be removed while they are counted. */
const isCounted = (row: AuditRecord, now: number) =>
  DateTime.toEpochMillis(row.at) < now - settled && liveAt(Records, DateTime.makeUnsafe(now))(row)

const verifyDays = Effect.fnUntraced(function* verifyDays(report: (fault: string) => void) {
  const checkDay = Effect.fnUntraced(function* checkDay({ day, number, ...last }: (typeof Days)["schema"]["Type"]) {
    const seal = Option.getOrUndefined(yield* find(Seals, { id: sealId(number) }))
    if (seal !== undefined && seal.digest !== last.digest) report(`the last seal of ${day} was changed`)
    if ((yield* tagState(last)) === "forged") report(`the note of the last seal of ${day} was changed`)
  })
  yield* Stream.runForEach(rowsOf(Days, {}, { limit: 100, order: "day" }), checkDay)
})

const inOrder = { limit: 1000, order: "id" } as const

const countRecords = (now: number) => Stream.runCount(Stream.filter(rowsOf(Records, {}, inOrder), (row) => isCounted(row, now)))

const countUnsealed = Effect.fnUntraced(function* countUnsealed(now: number) {
  let [waiting, unsealed] = [0, 0]
  const count = Effect.fnUntraced(function* countPage(rows: ReadonlyArray<{ readonly id: string }>) {
    const ids = rows.map(({ id }) => id)
    const records = yield* (yield* Store).listForEach(Records, "id", ids, { limit: 1 })
    waiting += rows.length
    unsealed += records.flat().filter((row) => isCounted(row, now)).length
  })
  yield* Stream.runForEachArray(rowsOf(Unsealed, {}, inOrder), count)
  return { waiting, unsealed }
})
