import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { insert, remove, Store, type StoreService } from "../../../domain/ports/store.ts"
import { counting, lastCount, page, Tallies } from "../../../domain/storage/tally.ts"
import { Users } from "../../../domain/users/tables.ts"
import { rule } from "../../rule.ts"
import { storedUser } from "../../stored-user.ts"
import { rows, times, whileTimePasses } from "../../world.ts"

const id = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`

const added = Effect.fnUntraced(function* (from: number, count: number) {
  const { commit } = yield* Store
  const users = times(count, (offset) => insert(Users, storedUser({ id: id(from + offset), email: `u${from + offset}@example.com` })))
  for (let at = 0; at < count; at += page) yield* Effect.orDie(commit(users.slice(at, at + page)))
})

/** A process that counts, and the keys after which it has read pages. Its read of the page after `killedAt` pages does not return. */
const process = Effect.fnUntraced(function* (killedAt = Number.POSITIVE_INFINITY) {
  const store = yield* Store
  const pages: Array<unknown> = []
  const list: StoreService["list"] = (table, where, options) => {
    if (table.name === Users.name) {
      assert.isAtMost(options.limit, 500)
      pages.push(options.after?.[Users.key as never])
      if (pages.length > killedAt) return Effect.never
    }
    return store.list(table, where, options)
  }
  const run = Effect.provideService(counting(Users).run, Store, { ...store, list })
  return { pages, run, round: whileTimePasses(run) }
})

const count = Effect.map(lastCount(Users), Option.match({ onNone: () => null, onSome: (last) => last.count }))

rule("a table is counted in pages, again an hour after the last count has ended", function* () {
  yield* added(0, 2 * page)
  const { pages, run, round } = yield* process()
  assert.isNull(yield* count)
  yield* round
  assert.deepStrictEqual(pages, [undefined, id(page - 1), id(2 * page - 1)])
  const last = yield* lastCount(Users)
  assert.strictEqual(yield* count, 2 * page)

  yield* added(2 * page, 1)
  yield* TestClock.adjust("3599 seconds")
  yield* run
  assert.lengthOf(pages, 3)
  assert.deepStrictEqual(yield* lastCount(Users), last)
  yield* TestClock.adjust("1 second")
  yield* round
  assert.strictEqual(yield* count, 2 * page + 1)
})

rule("a table without rows has none", function* () {
  yield* whileTimePasses(counting(Users).run)
  assert.strictEqual(yield* count, 0)
})

rule("a count goes on where a killed process has left it, after a minute, and the earlier count is shown until then", function* () {
  yield* added(0, page + 1)
  const [killed, other] = [yield* process(1), yield* process()]
  yield* other.round
  yield* added(page + 1, page)
  yield* TestClock.adjust("1 hour")
  const second = Effect.promise(() => vi.waitUntil(() => killed.pages.length > 1))
  yield* Effect.raceFirst(killed.round, second)
  assert.strictEqual(yield* count, page + 1)

  // The row behind which the next page begins.
  yield* Effect.orDie((yield* Store).commit([remove(Users, id(page - 1))]))
  const before = other.pages.length
  const [{ leased_until } = { leased_until: null }] = yield* rows(Tallies)
  const end = leased_until === null ? 0 : DateTime.toEpochMillis(leased_until)
  yield* TestClock.setTime(end - 1)
  yield* other.run
  assert.lengthOf(other.pages, before)
  yield* TestClock.setTime(end)
  yield* other.round
  assert.strictEqual(yield* count, 2 * page + 1)
  assert.notInclude(other.pages.slice(before), undefined)
})

rule("one process counts at a time, however many try", function* () {
  yield* added(0, 3 * page + 7)
  const processes = yield* Effect.forEach(times(4, String), () => process())
  yield* Effect.forEach(processes, ({ round }) => round, { concurrency: "unbounded", discard: true })
  assert.strictEqual(yield* count, 3 * page + 7)
  const later = processes.flatMap(({ pages }) => pages).filter((after) => after !== undefined)
  assert.deepStrictEqual(later, [id(page - 1), id(2 * page - 1), id(3 * page - 1)])
})
