import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema, type Scope } from "effect"
import type { DatabaseRefused } from "../../../adapters/database-refused.ts"
import { Database } from "../../../adapters/postgres/database.ts"
import { migrate, plan, unused } from "../../../adapters/postgres/migrations.ts"
import * as PostgresStore from "../../../adapters/postgres/postgres-store.ts"
import { find, insert, removeAll, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { storeSuite, sweepSuite } from "../../../testing/store-suite.ts"
import { freshDatabase, storeName } from "../../stores.ts"

const run = (...statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const connection = yield* (yield* Database).connect
    const results = yield* Effect.forEach(statements, (statement) => connection.query(statement, [], false))
    return results.at(-1)?.rows ?? []
  }).pipe(Effect.scoped)

const newName = () => `auth-${randomUUID()}`

/** Runs an effect with a schema of the same database, which is dropped at the end. */
const inSchema = <A, E, R>(schema: string, effect: Effect.Effect<A, E, R | Database>) =>
  Effect.updateService(effect, Database, (database) => ({ ...database, schema }))

const dropping = (schema: string) => Effect.addFinalizer(() => Effect.orDie(run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)))

const test = (name: string, effect: Effect.Effect<unknown, unknown, Database | Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.provide(effect, freshDatabase())))

const Boxes = Table.make("box", Schema.Struct({ id: Schema.String, name: Schema.String }), { key: "id", unique: ["name"] })
const Lids = Table.make("lid", Schema.Struct({ id: Schema.String, box_id: Schema.String }), { key: "id", references: { box_id: Boxes } })
const tables = [Boxes, Lids]

/** The store of a schema of its own, beside tables of an application with the same names. */
const besideOthers = (tables: Parameters<typeof PostgresStore.layer>[0]) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const schema = newName()
      const database = { ...(yield* Database), schema }
      yield* Effect.orDie(run(...tables.map(({ name }) => `CREATE TABLE "${name}" (id serial)`)))
      yield* Effect.addFinalizer(() => Effect.orDie(run(`DROP SCHEMA "${schema}" CASCADE`)).pipe(Effect.provideService(Database, database)))
      return Layer.orDie(Layer.provide(PostgresStore.layer(tables), Layer.succeed(Database, database)))
    }),
  ).pipe(Layer.provide(freshDatabase()))

storeSuite(`${storeName}, in a schema of its own`, besideOthers)
sweepSuite(`${storeName}, in a schema of its own`, besideOthers)

describe("a schema of its own", () => {
  test(
    "is created by the migration, once, with everything in it",
    Effect.gen(function* () {
      const schema = newName()
      yield* dropping(schema)
      const planned = yield* inSchema(schema, plan(tables))
      assert.strictEqual(planned[0]?.statement, `CREATE SCHEMA "${schema}"`)
      assert.isTrue(planned.slice(1).every(({ statement }) => statement.includes(`"${schema}".`)))
      const statements = yield* inSchema(schema, migrate(tables))
      assert.strictEqual(statements[0], `CREATE SCHEMA "${schema}"`)
      assert.deepStrictEqual(yield* inSchema(schema, plan(tables)), [])
      assert.deepStrictEqual(yield* inSchema(schema, migrate(tables)), [])
      const created = yield* run("SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace")
      assert.deepStrictEqual(created, [])
      assert.deepStrictEqual(yield* inSchema(schema, unused([])), ["box", "lid"])
      assert.deepStrictEqual(yield* unused([]), [])
    }),
  )

  test(
    "is created once by several processes that start at the same time",
    Effect.gen(function* () {
      const schema = newName()
      yield* dropping(schema)
      const done = yield* Effect.all(
        Array.from({ length: 5 }, () => inSchema(schema, migrate(tables))),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(done.filter((statements) => statements.length > 0).length, 1)
    }),
  )

  test(
    "holds a service of its own: two services and an application share a database",
    Effect.gen(function* () {
      const schemas = [newName(), newName()]
      for (const schema of schemas) yield* dropping(schema)
      yield* run("CREATE TABLE box (id serial, email text)", "INSERT INTO box (email) VALUES ('ada@example.com')")
      const database = yield* Database
      const stores = yield* Effect.forEach(schemas, (schema) =>
        Effect.map(
          Layer.build(Layer.provide(PostgresStore.layer(tables), Layer.succeed(Database, { ...database, schema }))),
          (context) => context,
        ),
      )
      const on = <A, E>(index: number, effect: Effect.Effect<A, E, Store>) => Effect.provide(effect, stores[index]!)
      const row = (index: number) => ({ id: "a", name: `of ${index}` })
      for (const index of [0, 1])
        yield* on(
          index,
          Effect.flatMap(Store, ({ commit }) => commit([insert(Boxes, row(index)), insert(Lids, { id: "l", box_id: "a" })])),
        )
      yield* on(
        0,
        Effect.flatMap(Store, ({ commit }) => commit([removeAll(Boxes, { id: "a" })])),
      )
      assert.deepStrictEqual(yield* on(0, find(Lids, { id: "l" })), Option.none())
      assert.deepStrictEqual(yield* on(1, find(Boxes, { id: "a" })), Option.some(row(1)))
      assert.deepStrictEqual(yield* on(1, find(Lids, { id: "l" })), Option.some({ id: "l", box_id: "a" }))
      assert.deepStrictEqual(yield* run("SELECT email FROM box"), [{ email: "ada@example.com" }])
    }),
  )

  test(
    "is planned with the right to use it",
    Effect.gen(function* () {
      const schema = newName()
      const role = `limited_${randomUUID().replaceAll("-", "")}`
      yield* dropping(schema)
      yield* inSchema(schema, migrate(tables))
      yield* run(`CREATE ROLE ${role}`)
      const missing = yield* inSchema(
        schema,
        Effect.updateService(plan(tables), Database, (database) => ({
          ...database,
          connect: Effect.acquireRelease(
            Effect.tap(database.connect, (connection) => connection.query(`SET ROLE ${role}`, [], false)),
            (connection) => Effect.ignore(connection.query("RESET ROLE", [], false)),
          ),
        })),
      )
      assert.deepStrictEqual(
        missing.map(({ statement }) => statement),
        [
          `GRANT USAGE ON SCHEMA "${schema}" TO ${role}`,
          `GRANT DELETE, INSERT, SELECT, UPDATE ON "${schema}".box TO ${role}`,
          `GRANT DELETE, INSERT, SELECT, UPDATE ON "${schema}".lid TO ${role}`,
          `GRANT USAGE ON SEQUENCE "${schema}".sallyport_revision TO ${role}`,
        ],
      )
      yield* run(...missing.map(({ statement }) => statement), `DROP OWNED BY ${role}`, `DROP ROLE ${role}`)
    }),
  )
})

/** Statements of an application after which a table of this name cannot be created. */
const occupations: Readonly<Record<string, (name: string) => string>> = {
  "a table with a key of its own": (name) => `CREATE TABLE ${name} (id serial PRIMARY KEY, email text)`,
  "a table with the same columns and a revision of its own": (name) =>
    `CREATE TABLE ${name} (id text PRIMARY KEY, name text NOT NULL, revision bigint NOT NULL DEFAULT 1)`,
  "a table with a sequence of its own": (name) => `CREATE TABLE ${name} (id text PRIMARY KEY, revision bigserial)`,
  "a partitioned table": (name) => `CREATE TABLE ${name} (id int) PARTITION BY LIST (id)`,
  "a table without columns": (name) => `CREATE TABLE ${name} ()`,
  "a view": (name) => `CREATE VIEW ${name} AS SELECT 1 AS id`,
  "a materialized view": (name) => `CREATE MATERIALIZED VIEW ${name} AS SELECT 1 AS id`,
  "a sequence": (name) => `CREATE SEQUENCE ${name}`,
  "an enum": (name) => `CREATE TYPE ${name} AS ENUM ('a')`,
  "a composite type": (name) => `CREATE TYPE ${name} AS (a int)`,
  "a domain": (name) => `CREATE DOMAIN ${name} AS int`,
}

describe("what an application has under the name of a table", () => {
  for (const [what, statement] of Object.entries(occupations))
    test(
      `${what}: nothing is created, and the advice is a schema of its own`,
      Effect.gen(function* () {
        yield* run(statement("box"))
        const [{ name } = {}] = yield* run("SELECT current_schema()::text AS name")
        for (const attempt of [migrate(tables), plan(tables)]) {
          const { message } = (yield* Effect.flip(attempt as Effect.Effect<unknown, DatabaseRefused, Database>)) as DatabaseRefused
          assert.match(
            message,
            new RegExp(
              `^(Table|View|Sequence|Type) "box" exists in schema "${name}" and is not Sallyport's; use store\\.schema: "auth" or another database$`,
            ),
          )
          assert.notMatch(message, /ALTER|DROP|run:/)
        }
        assert.deepStrictEqual(
          yield* run("SELECT 1 FROM pg_class WHERE relname = 'lid' AND relnamespace = current_schema()::regnamespace"),
          [],
        )
        const schema = newName()
        yield* dropping(schema)
        yield* inSchema(schema, migrate(tables))
        assert.deepStrictEqual(yield* inSchema(schema, plan(tables)), [])
      }),
    )

  test(
    "in the configured schema: the advice is another one",
    Effect.gen(function* () {
      const schema = newName()
      yield* dropping(schema)
      yield* run(`CREATE SCHEMA "${schema}"`, `CREATE TABLE "${schema}".box (id serial)`, `CREATE TABLE "${schema}".lid (id serial)`)
      const { message } = (yield* Effect.flip(inSchema(schema, migrate(tables)))) as DatabaseRefused
      assert.strictEqual(
        message,
        `Table "box", table "lid" exist in schema "${schema}" and are not Sallyport's; use another store.schema or another database`,
      )
    }),
  )

  test(
    "a table of a service that lacks what a later version declares is no table of an application",
    Effect.gen(function* () {
      yield* migrate([Boxes])
      yield* run("ALTER TABLE box DROP COLUMN name")
      const refused = (yield* Effect.flip(migrate([Boxes]))) as DatabaseRefused
      assert.include(refused.message, "Column box.name is missing")
    }),
  )
})
