import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { Database } from "../../../adapters/postgres/database.ts"
import { migrate, plan, unused } from "../../../adapters/postgres/migrations.ts"
import * as PostgresStore from "../../../adapters/postgres/postgres-store.ts"
import { find, insert, put, Store, Taken } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { firstIdAt } from "../../../domain/storage/new-id.ts"
import { storeSuite, sweepSuite } from "../../../testing/store-suite.ts"
import { freshServer } from "../../stores.ts"

const fields = { id: Schema.String, name: Schema.String, expires_at: Schema.DateTimeUtc }
const options = { key: "id", indexed: [["name", "id"]], expires: "expires_at", isByMonth: true } as const
const Notes = Table.make("note", Schema.Struct(fields), options)
const tables = [Notes]

const at = (iso: string) => DateTime.makeUnsafe(iso)
const dateOf = (iso: string) => DateTime.toDateUtc(at(iso))
let count = 0
/** A row of a day, such as `2026-03-05`, that expires on another. */
const note = (day: string, expires: string) => ({
  id: `${firstIdAt(at(day).epochMilliseconds).slice(0, -6)}${String(++count).padStart(6, "0")}`,
  name: "one",
  expires_at: at(expires),
})

const run = (...statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const connection = yield* (yield* Database).connect
    const results = yield* Effect.forEach(statements, (statement) => connection.query(statement, [], false))
    return results.at(-1)?.rows ?? []
  }).pipe(Effect.scoped, Effect.orDie)

/** The number of rows of each partition. */
const partitions = Effect.gen(function* () {
  const rows = yield* run("SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = to_regclass('note') ORDER BY 1")
  const counts = yield* Effect.forEach(rows, ({ name }) =>
    Effect.map(run(`SELECT count(*)::int AS count FROM ${name}`), ([row]) => [String(name), Number(row?.["count"])] as const),
  )
  return Object.fromEntries(counts)
})

const partitioning = freshServer({ isPartitioned: true, timeout: "60 seconds" })

const test = (name: string, effect: Effect.Effect<unknown, unknown, Database | Store>) =>
  it.live(name, () => Effect.provide(effect, Layer.provideMerge(PostgresStore.layer(tables), partitioning)))

const byMonth = (all: Parameters<typeof PostgresStore.layer>[0]) =>
  Layer.orDie(
    Layer.provide(
      PostgresStore.layer(
        all.map((table) =>
          table.expires === undefined || table.unique.length > 0 ? table : Object.assign({ ...table }, { isByMonth: true }),
        ),
      ),
      partitioning,
    ),
  )

storeSuite("postgres, with partitions", byMonth)
sweepSuite("postgres, with partitions", byMonth)

/** Partitions for March and April. */
const inFebruary = Effect.flatMap(Store, ({ sweep }) => sweep(dateOf("2026-02-10"), 100))

describe("a table in partitions", () => {
  test(
    "has a partition for each month, made a month ahead, and one for other rows",
    Effect.gen(function* () {
      const { commit } = yield* Store
      assert.deepStrictEqual(yield* partitions, { note_other: 0 })
      yield* inFebruary
      yield* commit([
        insert(Notes, note("2026-02-11", "2026-06-01")),
        insert(Notes, note("2026-03-01T00:00:00Z", "2026-06-01")),
        insert(Notes, note("2026-03-31T23:59:59.999Z", "2026-06-01")),
        insert(Notes, note("2026-05-01", "2026-06-01")),
      ])
      assert.deepStrictEqual(yield* partitions, { note_2026_03: 2, note_2026_04: 0, note_other: 2 })
      assert.deepStrictEqual(yield* plan(tables), [])
      assert.deepStrictEqual(yield* unused(tables), [])
    }),
  )

  test(
    "does not make a partition of a month that begins within a day: rows could be added to it meanwhile",
    Effect.gen(function* () {
      const { sweep } = yield* Store
      yield* sweep(dateOf("2026-02-28T12:00:00Z"), 100)
      assert.deepStrictEqual(yield* partitions, { note_2026_04: 0, note_other: 0 })
    }),
  )

  test(
    "accepts rows of a month that was reserved and got no partition",
    Effect.gen(function* () {
      const { commit, sweep } = yield* Store
      const [from, to] = ["2026-03-01", "2026-04-01"].map((day) => firstIdAt(at(day).epochMilliseconds))
      yield* run(`ALTER TABLE note_other ADD CONSTRAINT note_2026_03__free CHECK (id < '${from}' OR id >= '${to}') NOT VALID`)
      yield* sweep(dateOf("2026-02-28T12:00:00Z"), 100)
      yield* commit([insert(Notes, note("2026-03-01", "2026-06-01"))])
      assert.deepStrictEqual(yield* partitions, { note_2026_04: 0, note_other: 1 })
    }),
  )

  test(
    "reports a key that is taken",
    Effect.gen(function* () {
      const { commit } = yield* Store
      yield* inFebruary
      const row = note("2026-03-05", "2026-06-01")
      yield* commit([insert(Notes, row)])
      for (const writes of [[insert(Notes, row)], [insert(Notes, note("2026-03-06", "2026-06-01")), insert(Notes, row)]])
        assert.deepStrictEqual(yield* Effect.flip(commit(writes)), new Taken({ table: "note", field: "id" }))
      yield* commit([put(Notes, { ...row, name: "two" })])
      assert.strictEqual(
        (yield* find(Notes, { id: row.id })).pipe((found) => (found._tag === "Some" ? found.value.name : "")),
        "two",
      )
    }),
  )

  test(
    "is dropped when all its rows have expired, and they are left until then",
    Effect.gen(function* () {
      const { commit, sweep } = yield* Store
      yield* inFebruary
      yield* commit([insert(Notes, note("2026-03-01", "2026-05-01")), insert(Notes, note("2026-03-30", "2026-05-30"))])
      assert.strictEqual(yield* sweep(dateOf("2026-05-20"), 100), 0)
      assert.strictEqual((yield* partitions)["note_2026_03"], 2)
      assert.strictEqual(yield* sweep(dateOf("2026-05-30"), 100), 0)
      assert.notProperty(yield* partitions, "note_2026_03")
      yield* commit([insert(Notes, note("2026-03-30", "2026-12-01"))])
      assert.strictEqual((yield* partitions)["note_other"], 1)
    }),
  )

  test(
    "stays while its rows have not expired by the clock of the database: that of an instance may be ahead",
    Effect.gen(function* () {
      const { commit, sweep } = yield* Store
      yield* inFebruary
      yield* commit([insert(Notes, note("2026-03-01", "2100-01-01"))])
      yield* sweep(dateOf("2100-02-01"), 100)
      assert.strictEqual((yield* partitions)["note_2026_03"], 1)
    }),
  )

  test(
    "is replaced by its rest when most rows have expired and the others stay for long",
    Effect.gen(function* () {
      const { commit, list, sweep } = yield* Store
      yield* inFebruary
      const days = Array.from({ length: 28 }, (_, day) => `2026-03-${String(day + 1).padStart(2, "0")}`)
      const kept = note("2026-03-15", "2026-11-15")
      yield* commit([...days.map((day) => insert(Notes, note(day, `2026-06-${day.slice(-2)}`))), insert(Notes, kept)])
      assert.strictEqual(yield* sweep(dateOf("2026-06-20"), 5), 0)
      assert.strictEqual((yield* partitions)["note_2026_03"], 29)
      const [before] = yield* run("SELECT 'note_2026_03'::regclass::oid::int AS oid")
      assert.strictEqual(yield* sweep(dateOf("2026-06-29"), 5), 0)
      assert.strictEqual((yield* partitions)["note_2026_03"], 1)
      assert.notDeepEqual(yield* run("SELECT 'note_2026_03'::regclass::oid::int AS oid"), [before!])
      assert.deepStrictEqual(yield* list(Notes, { name: "one" }, { limit: 10 }), [kept])
      assert.deepStrictEqual(yield* plan(tables), [])
      yield* sweep(dateOf("2026-11-15"), 5)
      assert.notProperty(yield* partitions, "note_2026_03")
    }),
  )

  test(
    "loses expired rows one by one while few have expired",
    Effect.gen(function* () {
      const { commit, sweep } = yield* Store
      yield* inFebruary
      const days = Array.from({ length: 28 }, (_, day) => `2026-03-${String(day + 1).padStart(2, "0")}`)
      const short = days.slice(0, 5).map((day) => insert(Notes, note(day, "2026-04-10")))
      yield* commit([...days.map((day) => insert(Notes, note(day, "2026-07-01"))), ...short])
      assert.strictEqual(yield* sweep(dateOf("2026-04-11"), 3), 3)
      assert.strictEqual(yield* sweep(dateOf("2026-04-11"), 3), 2)
      assert.strictEqual((yield* partitions)["note_2026_03"], 28)
    }),
  )

  test(
    "stays as it is while a transaction uses it",
    Effect.gen(function* () {
      const { commit, sweep } = yield* Store
      yield* inFebruary
      yield* commit([insert(Notes, note("2026-03-01", "2026-05-01"))])
      const connection = yield* (yield* Database).connect
      yield* connection.query("BEGIN", [], false)
      yield* connection.query("SELECT 1 FROM note", [], false)
      yield* sweep(dateOf("2026-05-30"), 100)
      assert.property(yield* partitions, "note_2026_03")
      yield* connection.query("COMMIT", [], false)
      yield* sweep(dateOf("2026-05-30"), 100)
      assert.notProperty(yield* partitions, "note_2026_03")
    }).pipe(Effect.scoped),
  )

  test(
    "gets a new index while it is used: first on the partitions",
    Effect.gen(function* () {
      yield* inFebruary
      const Grown = Table.make("note", Schema.Struct(fields), {
        ...options,
        indexed: [
          ["name", "id"],
          ["name", "expires_at"],
        ],
      })
      const made = yield* migrate([Grown])
      assert.deepStrictEqual(made, [
        'CREATE INDEX CONCURRENTLY "note_2026_03__name__expires_at__idx" ON "note_2026_03" ("name", "expires_at")',
        'CREATE INDEX CONCURRENTLY "note_2026_04__name__expires_at__idx" ON "note_2026_04" ("name", "expires_at")',
        'CREATE INDEX CONCURRENTLY "note_other__name__expires_at__idx" ON "note_other" ("name", "expires_at")',
        'CREATE INDEX "note__name__expires_at__idx" ON "note" ("name", "expires_at")',
      ])
      const [row] = yield* run(
        "SELECT count(*)::int AS count FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE '%(name, expires_at)'",
      )
      assert.strictEqual(row?.["count"], 4)
    }),
  )
})

describe("a plain table", () => {
  const plain = freshServer({ timeout: "60 seconds" })
  const others = { ...options, isByMonth: false }

  it.live("becomes the partition of the other rows, with its rows and rights", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const role = `reader_${Date.now()}`
      const row = note("2026-01-05", "2026-06-01")
      yield* Effect.gen(function* () {
        const { commit } = yield* Store
        yield* commit([insert(Notes, row)])
      }).pipe(Effect.provide(PostgresStore.layer([Notes])))
      yield* Effect.acquireRelease(run(`CREATE ROLE ${role}`, `GRANT SELECT ON note TO ${role}`), () =>
        run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`),
      )
      const [before] = yield* run("SELECT pg_relation_filenode('note')::int AS file")
      const asked = Layer.succeed(Database, { ...database, isPartitioned: true })
      const planned = yield* Effect.provide(plan([Notes]), asked)
      assert.strictEqual(planned.length, 1)
      assert.include(planned[0]?.note, "moves no row")
      yield* Effect.gen(function* () {
        const { commit, read, sweep } = yield* Store
        yield* sweep(dateOf("2026-02-10"), 100)
        yield* commit([insert(Notes, note("2026-03-05", "2026-06-01"))])
        assert.deepStrictEqual(yield* partitions, { note_2026_03: 1, note_2026_04: 0, note_other: 1 })
        assert.deepStrictEqual(yield* run("SELECT pg_relation_filenode('note_other')::int AS file"), [before!])
        assert.deepStrictEqual(yield* run(`SELECT has_table_privilege('${role}', 'note', 'SELECT') AS may`), [{ may: true }])
        assert.isTrue((yield* read(Notes, { id: row.id }))._tag === "Some")
        assert.deepStrictEqual(yield* plan([Notes]), [])
        assert.deepStrictEqual(yield* plan([Table.make("note", Schema.Struct(fields), others)]), [])
      }).pipe(Effect.provide(Layer.provideMerge(PostgresStore.layer([Notes]), asked)))
    }).pipe(Effect.scoped, Effect.provide(plain)),
  )

  it.live("stays one unless partitions are asked for, and so does one in partitions", () =>
    Effect.gen(function* () {
      yield* migrate(tables)
      assert.deepStrictEqual(yield* partitions, {})
      const database = yield* Database
      yield* migrate(tables).pipe(Effect.provideService(Database, { ...database, isPartitioned: true }))
      assert.deepStrictEqual(yield* partitions, { note_other: 0 })
      assert.deepStrictEqual(yield* plan(tables), [])
    }).pipe(Effect.provide(plain)),
  )
})
