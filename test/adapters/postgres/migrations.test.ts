import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { DatabaseRefused } from "../../../adapters/database-refused.ts"
import { Database } from "../../../adapters/postgres/database.ts"
import { migrate, plan, unused } from "../../../adapters/postgres/migrations.ts"
import * as PostgresStore from "../../../adapters/postgres/postgres-store.ts"
import { find, insert, Store, Taken } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import * as Table from "../../../domain/ports/table.ts"
import { freshDatabase } from "../../stores.ts"

const fields = { id: Schema.String, name: Schema.String, size: Schema.Int }
const struct = Schema.Struct(fields)
const Boxes = Table.make("box", struct, { key: "id", unique: ["name"] })
const box = { id: "a", name: "first", size: 3 }

const run = (...statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const connection = yield* (yield* Database).connect
    const results = yield* Effect.forEach(statements, (statement) => connection.query(statement, [], false))
    return results.at(-1)?.rows ?? []
  }).pipe(Effect.scoped)

/** A database that an earlier service migrated, with one row. */
const started = Effect.gen(function* () {
  yield* migrate([Boxes])
  yield* run("INSERT INTO box (id, name, size) VALUES ('a', 'first', 3)")
})

const onStore = <A, E>(tables: ReadonlyArray<AnyTable>, effect: Effect.Effect<A, E, Store>) =>
  Effect.flatMap(Database, (database) =>
    effect.pipe(Effect.provide(PostgresStore.layer(tables).pipe(Layer.provide(Layer.succeed(Database, database))))),
  )

const refusal = (table: AnyTable) =>
  Effect.gen(function* () {
    const before = yield* plan([Boxes])
    const error = yield* Effect.flip(migrate([table]))
    assert.instanceOf(error, DatabaseRefused)
    assert.deepStrictEqual(yield* plan([Boxes]), before)
    assert.include(error.message, error.statement ?? "a statement")
    assert.notInclude(error.message, "\n")
    return error
  })

/** The migration is refused with this statement, and succeeds after the statement was run. */
const settled = (table: AnyTable, statement: string) =>
  Effect.gen(function* () {
    assert.strictEqual((yield* refusal(table)).statement, statement)
    yield* run(...statement.split("; "))
    yield* migrate([table])
    assert.deepStrictEqual(yield* plan([table]), [])
  })

/** Connections whose statements run with the rights of another role. */
const actingAs = (role: string, { connect }: Database["Service"]) =>
  Effect.acquireRelease(
    Effect.tap(connect, (connection) => connection.query(`SET ROLE ${role}`, [], false)),
    (connection) => Effect.ignore(connection.query("RESET ROLE", [], false)),
  )

const test = (name: string, effect: Effect.Effect<unknown, unknown, Database>) =>
  it.live(name, () => Effect.provide(effect, freshDatabase()))

test(
  "only our own tables are reported as unused",
  Effect.gen(function* () {
    yield* started
    yield* run("CREATE TABLE theirs (id text PRIMARY KEY, revision bigint)")
    assert.deepStrictEqual(yield* unused([Boxes]), [])
    assert.deepStrictEqual(yield* unused([]), ["box"])
  }),
)

describe("migrations", () => {
  test(
    "create everything, once",
    Effect.gen(function* () {
      assert.isAbove((yield* migrate([Boxes])).length, 1)
      assert.deepStrictEqual(yield* migrate([Boxes]), [])
      assert.deepStrictEqual(yield* plan([Boxes]), [])
    }),
  )

  test(
    "use the column types of PostgreSQL",
    Effect.gen(function* () {
      const Kinds = Table.make(
        "kinds",
        Schema.Struct({
          id: Schema.String,
          choice: Schema.Literals(["a", "b"]),
          whole: Schema.Int,
          part: Schema.Number,
          flag: Schema.Boolean,
          time: Schema.NullOr(Schema.DateTimeUtc),
          list: Schema.Array(Schema.String),
        }),
        { key: "id" },
      )
      yield* migrate([Kinds])
      const columns = yield* run(
        "SELECT column_name::text, data_type::text, collation_name::text FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'kinds' ORDER BY ordinal_position",
      )
      assert.deepStrictEqual(
        columns.map((column) => Object.values(column)),
        [
          ["id", "text", "C"],
          ["choice", "text", "C"],
          ["whole", "bigint", null],
          ["part", "double precision", null],
          ["flag", "boolean", null],
          ["time", "timestamp with time zone", null],
          ["list", "jsonb", null],
          ["revision", "bigint", null],
        ],
      )
    }),
  )

  test(
    "add a table, a nullable column and indexes to an existing database",
    Effect.gen(function* () {
      yield* started
      const Grown = Table.make("box", Schema.Struct({ ...fields, color: Schema.NullOr(Schema.String) }), {
        key: "id",
        unique: ["name", ["size", "color"]],
        indexed: ["color"],
      })
      const Lids = Table.make("lid", Schema.Struct({ id: Schema.String, box_id: Schema.String }), {
        key: "id",
        references: { box_id: Grown },
      })
      assert.deepStrictEqual(yield* migrate([Grown, Lids]), [
        'ALTER TABLE "box" ADD COLUMN "color" text COLLATE "C"',
        'CREATE UNIQUE INDEX "box__size__color__key" ON "box" ("size", "color")',
        'CREATE INDEX "box__color__idx" ON "box" ("color")',
        'CREATE TABLE "lid" ("id" text COLLATE "C" NOT NULL, "box_id" text COLLATE "C" NOT NULL, "revision" bigint NOT NULL DEFAULT nextval(\'"sallyport_revision"\'), CONSTRAINT "lid__pkey" PRIMARY KEY ("id"))',
        'CREATE INDEX "lid__box_id__idx" ON "lid" ("box_id")',
      ])
      yield* onStore(
        [Grown, Lids],
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* find(Grown, { id: "a" }), Option.some({ ...box, color: null }))
          yield* (yield* Store).commit([insert(Grown, { id: "b", name: "second", size: 1, color: "red" })])
          const again = (yield* Store).commit([insert(Grown, { id: "c", name: "third", size: 1, color: "red" })])
          assert.deepStrictEqual({ ...(yield* Effect.flip(again)) }, { ...new Taken({ table: "box", field: "size" }) })
        }),
      )
    }),
  )

  test(
    "keep undeclared tables and columns, as long as rows can be added",
    Effect.gen(function* () {
      yield* started
      yield* run("ALTER TABLE box ADD COLUMN old text", "ALTER TABLE box ADD COLUMN older text NOT NULL DEFAULT ''")
      yield* run("CREATE TABLE other (id int)", "CREATE INDEX mine ON box (size)", "CREATE UNIQUE INDEX strict ON box (lower(name))")
      assert.deepStrictEqual(yield* migrate([Boxes]), [])
      assert.strictEqual((yield* run("SELECT old FROM box")).length, 1)
    }),
  )

  for (const [name, table, statement] of [
    [
      "a column that existing rows need a value for",
      Table.make("box", Schema.Struct({ ...fields, since: Schema.DateTimeUtc }), { key: "id", unique: ["name"] }),
      'ALTER TABLE "box" ADD COLUMN "since" timestamp with time zone NOT NULL DEFAULT now()',
    ],
    [
      "another type",
      Table.make("box", Schema.Struct({ ...fields, size: Schema.String }), { key: "id", unique: ["name"] }),
      'ALTER TABLE "box" ALTER COLUMN "size" TYPE text COLLATE "C" USING "size"::text',
    ],
    [
      "null in a column that did not allow it",
      Table.make("box", Schema.Struct({ ...fields, size: Schema.NullOr(Schema.Int) }), { key: "id", unique: ["name"] }),
      'ALTER TABLE "box" ALTER COLUMN "size" DROP NOT NULL',
    ],
    ["uniqueness that ended", Table.make("box", struct, { key: "id" }), 'DROP INDEX "box__name__key"'],
    [
      "another key",
      Table.make("box", struct, { key: "name", unique: ["name"] }),
      'ALTER TABLE "box" DROP CONSTRAINT "box__pkey", ADD CONSTRAINT "box__pkey" PRIMARY KEY ("name")',
    ],
  ] as const) {
    test(
      `refuse ${name}, with the statement to run`,
      Effect.gen(function* () {
        yield* started
        yield* settled(table, statement)
      }),
    )
  }

  test(
    "refuse a column that must no longer contain null",
    Effect.gen(function* () {
      yield* started
      yield* run("ALTER TABLE box ALTER COLUMN size DROP NOT NULL")
      yield* settled(Boxes, 'ALTER TABLE "box" ALTER COLUMN "size" SET NOT NULL')
    }),
  )

  test(
    "refuse a required column that is no longer declared",
    Effect.gen(function* () {
      yield* started
      yield* run("ALTER TABLE box ADD COLUMN old text", "UPDATE box SET old = ''", "ALTER TABLE box ALTER COLUMN old SET NOT NULL")
      yield* settled(Boxes, 'ALTER TABLE "box" ALTER COLUMN "old" DROP NOT NULL')
    }),
  )

  test(
    "refuse text that sorts by a locale",
    Effect.gen(function* () {
      yield* started
      yield* run('ALTER TABLE box ALTER COLUMN name TYPE text COLLATE "default"')
      yield* settled(Boxes, 'ALTER TABLE "box" ALTER COLUMN "name" TYPE text COLLATE "C" USING "name"::text')
    }),
  )

  test(
    "refuse an index that differs from its declaration",
    Effect.gen(function* () {
      yield* started
      yield* run("DROP INDEX box__name__key", "CREATE UNIQUE INDEX box__name__key ON box (name) WHERE size > 3")
      yield* settled(Boxes, 'DROP INDEX "box__name__key"; CREATE UNIQUE INDEX "box__name__key" ON "box" ("name")')
    }),
  )

  test(
    "refuse a unique index that rows violate, and change nothing else either",
    Effect.gen(function* () {
      yield* started
      yield* run("INSERT INTO box (id, name, size) VALUES ('b', 'second', 3)")
      const Strict = Table.make("box", Schema.Struct({ ...fields, color: Schema.NullOr(Schema.String) }), {
        key: "id",
        unique: ["name", "size"],
      })
      assert.strictEqual((yield* refusal(Strict)).statement, 'CREATE UNIQUE INDEX "box__size__key" ON "box" ("size")')
    }),
  )

  test(
    "are planned with the rights that the role lacks",
    Effect.gen(function* () {
      yield* started
      const role = `limited_${randomUUID().replaceAll("-", "")}`
      const [schema] = yield* run("SELECT quote_ident(current_schema()) AS name")
      yield* run(`CREATE ROLE ${role}`, `GRANT USAGE ON SCHEMA ${schema?.["name"]} TO ${role}`, `GRANT SELECT ON box TO ${role}`)
      const planned = Effect.updateService(plan([Boxes]), Database, (database) => ({ ...database, connect: actingAs(role, database) }))
      const missing = yield* planned
      assert.deepStrictEqual(missing, [
        { statement: `GRANT DELETE, INSERT, UPDATE ON box TO ${role}`, refusal: `The role ${role} lacks rights on box` },
        {
          statement: `GRANT USAGE ON SEQUENCE sallyport_revision TO ${role}`,
          refusal: `The role ${role} lacks rights on SEQUENCE sallyport_revision`,
        },
      ])
      yield* run(...missing.map(({ statement }) => statement))
      assert.deepStrictEqual(yield* planned, [])
      yield* run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`)
    }),
  )

  test(
    "can run in several processes at once",
    Effect.gen(function* () {
      const done = yield* Effect.all(
        Array.from({ length: 5 }, () => migrate([Boxes])),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(done.filter((statements) => statements.length > 0).length, 1)
    }),
  )

  test(
    "give indexes with long names distinct names, and errors still name the field",
    Effect.gen(function* () {
      const long = (end: string) => `${"very_".repeat(11)}${end}`
      const Long = Table.make("long", Schema.Struct({ id: Schema.String, [long("a")]: Schema.String, [long("b")]: Schema.String }), {
        key: "id",
        unique: [long("a"), long("b")],
      })
      const row = (id: string, a: string, b: string) => ({ id, [long("a")]: a, [long("b")]: b }) as typeof Long.schema.Type
      yield* onStore(
        [Long],
        Effect.gen(function* () {
          const { commit } = yield* Store
          yield* commit([insert(Long, row("1", "x", "y"))])
          assert.strictEqual(((yield* Effect.flip(commit([insert(Long, row("2", "z", "y"))]))) as Taken).field, long("b"))
          assert.strictEqual(((yield* Effect.flip(commit([insert(Long, row("2", "x", "z"))]))) as Taken).field, long("a"))
        }),
      )
      assert.deepStrictEqual(yield* plan([Long]), [])
    }),
  )

  test(
    "refuse a field by the name of the adapter's own column",
    Effect.gen(function* () {
      const Clash = Table.make("clash", Schema.Struct({ id: Schema.String, revision: Schema.Int }), { key: "id" })
      const exit = yield* Effect.exit(onStore([Clash], Effect.void))
      assert.isTrue(exit._tag === "Failure")
    }),
  )
})
