import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Schema } from "effect"
import { DatabaseRefused } from "../../../adapters/database-refused.ts"
import { Database } from "../../../adapters/postgres/database.ts"
import { migrate, plan, unused } from "../../../adapters/postgres/migrations.ts"
import * as PostgresStore from "../../../adapters/postgres/postgres-store.ts"
import { find, insert, Store, Taken } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import * as Table from "../../../domain/ports/table.ts"
import { schemaVersion } from "../../../domain/storage/schema-version.ts"
import { freshDatabase, storeName } from "../../stores.ts"

const fields = { id: Schema.String, name: Schema.String, size: Schema.Int }
const struct = Schema.Struct(fields)
const Boxes = Table.make("box", struct, { key: "id", unique: ["name"] })
const box = { id: "a", name: "first", size: 3 }

const Grown = Table.make("box", Schema.Struct({ ...fields, color: Schema.NullOr(Schema.String) }), {
  key: "id",
  unique: ["name", ["size", "color"]],
  indexed: ["color"],
})

/** The statements that make `Grown` of `Boxes`. */
const growing = [
  'ALTER TABLE "box" ADD COLUMN "color" text COLLATE "C"',
  'CREATE UNIQUE INDEX CONCURRENTLY "box__size__color__key" ON "box" ("size", "color")',
  'CREATE INDEX CONCURRENTLY "box__color__idx" ON "box" ("color")',
]

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
    assert.strictEqual(error.refusals.length, 1)
    assert.include(error.message, error.refusals[0]?.statement ?? "a statement")
    assert.notInclude(error.message, "\n")
    return error.refusals[0]?.statement
  })

/** The migration is refused with this statement, and succeeds after the statement was run. */
const settled = (table: AnyTable, statement: string) =>
  Effect.gen(function* () {
    assert.strictEqual(yield* refusal(table), statement)
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
      const Lids = Table.make("lid", Schema.Struct({ id: Schema.String, box_id: Schema.String }), {
        key: "id",
        references: { box_id: Grown },
      })
      assert.deepStrictEqual(yield* migrate([Grown, Lids]), [
        'CREATE TABLE "lid" ("id" text COLLATE "C" NOT NULL, "box_id" text COLLATE "C" NOT NULL, "revision" bigint NOT NULL DEFAULT nextval(\'"sallyport_revision"\'), CONSTRAINT "lid__pkey" PRIMARY KEY ("id"))',
        'CREATE INDEX "lid__box_id__idx" ON "lid" ("box_id")',
        ...growing,
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

  for (const [name, table, statement, ...before] of [
    [
      "null in a column that did not allow it",
      Table.make("box", Schema.Struct({ ...fields, size: Schema.NullOr(Schema.Int) }), { key: "id", unique: ["name"] }),
      'ALTER TABLE "box" ALTER COLUMN "size" DROP NOT NULL',
    ],
    ["uniqueness that ended", Table.make("box", struct, { key: "id" }), 'DROP INDEX CONCURRENTLY "box__name__key"'],
    [
      "rows without a required column that is no longer declared",
      Boxes,
      'ALTER TABLE "box" ALTER COLUMN "old" DROP NOT NULL',
      "ALTER TABLE box ADD COLUMN old text",
      "UPDATE box SET old = ''",
      "ALTER TABLE box ALTER COLUMN old SET NOT NULL",
    ],
  ] as const)
    test(
      `allow ${name}: nothing is lost`,
      Effect.gen(function* () {
        yield* started
        yield* run(...before)
        assert.deepStrictEqual(yield* migrate([table]), [statement])
        assert.deepStrictEqual(yield* plan([table]), [])
      }),
    )

  test(
    "report all refusals at once, a line each",
    Effect.gen(function* () {
      yield* started
      const other = Table.make("box", Schema.Struct({ ...fields, size: Schema.String, since: Schema.DateTimeUtc }), { key: "id" })
      const { message, lines } = (yield* Effect.flip(migrate([other]))) as DatabaseRefused
      assert.strictEqual(lines.length, 2)
      assert.strictEqual(message, lines.join("\n"))
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
      yield* settled(Boxes, 'DROP INDEX CONCURRENTLY "box__name__key"; CREATE UNIQUE INDEX CONCURRENTLY "box__name__key" ON "box" ("name")')
    }),
  )

  test(
    "refuse a unique index that rows violate, and leave no index behind",
    Effect.gen(function* () {
      yield* started
      yield* run("INSERT INTO box (id, name, size) VALUES ('b', 'second', 3)")
      const Strict = Table.make("box", Schema.Struct({ ...fields, color: Schema.NullOr(Schema.String) }), {
        key: "id",
        unique: ["name", "size"],
      })
      const error = (yield* Effect.flip(migrate([Strict]))) as DatabaseRefused
      const statement = 'CREATE UNIQUE INDEX CONCURRENTLY "box__size__key" ON "box" ("size")'
      assert.strictEqual(error.refusals[0]?.statement, statement)
      assert.deepStrictEqual(
        (yield* plan([Strict])).map((change) => change.statement),
        [statement],
      )
      yield* run("UPDATE box SET size = 4 WHERE id = 'b'")
      assert.deepStrictEqual(yield* migrate([Strict]), [statement])
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
    "can run in several processes at once on a table in use",
    Effect.gen(function* () {
      yield* started
      const done = yield* Effect.all(
        Array.from({ length: 4 }, () => migrate([Grown])),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(done.flat().toSorted(), growing.toSorted())
      assert.deepStrictEqual(yield* plan([Grown]), [])
    }),
  )

  test(
    "build an index again whose build was interrupted",
    Effect.gen(function* () {
      yield* started
      yield* run("INSERT INTO box (id, name, size) VALUES ('b', 'second', 3)")
      yield* Effect.flip(run('CREATE UNIQUE INDEX CONCURRENTLY "box__size__key" ON box (size)'))
      yield* run("DELETE FROM box WHERE id = 'b'")
      const Strict = Table.make("box", struct, { key: "id", unique: ["name", "size"] })
      const due = ['DROP INDEX CONCURRENTLY "box__size__key"', 'CREATE UNIQUE INDEX CONCURRENTLY "box__size__key" ON "box" ("size")']
      assert.deepStrictEqual(
        (yield* plan([Strict])).map(({ statement }) => statement),
        due,
      )
      assert.deepStrictEqual(yield* migrate([Strict]), due)
      assert.deepStrictEqual(yield* plan([Strict]), [])
    }),
  )

  const later = (version: number, oldest: number) =>
    run(`COMMENT ON SEQUENCE sallyport_revision IS 'sallyport schema ${version}, oldest ${oldest}'`)

  test(
    "leave what a later version allows, and add what this one misses",
    Effect.gen(function* () {
      yield* started
      yield* run("ALTER TABLE box ALTER COLUMN size DROP NOT NULL", "ALTER TABLE box ADD COLUMN must text")
      yield* later(schemaVersion.version + 1, schemaVersion.version)
      assert.deepStrictEqual(yield* migrate([Boxes]), [])
      assert.deepStrictEqual(yield* migrate([Grown]), growing)
      assert.deepStrictEqual(yield* run("SELECT obj_description('sallyport_revision'::regclass) AS version"), [
        { version: `sallyport schema ${schemaVersion.version + 1}, oldest ${schemaVersion.version}` },
      ])
    }),
  )

  test(
    "refuse the schema of a version that excludes this one",
    Effect.gen(function* () {
      yield* started
      yield* later(schemaVersion.version + 1, schemaVersion.version + 1)
      for (const attempt of [migrate([Grown]), plan([Grown])]) {
        const refused = yield* Effect.flip(attempt as Effect.Effect<unknown, unknown, Database>)
        assert.instanceOf(refused, DatabaseRefused)
        assert.match(refused.message, /^The database has the schema \d+ of a later version.*start a later version, or restore a backup$/)
      }
    }),
  )

  test(
    "note their version in a database of an earlier release, at the end",
    Effect.gen(function* () {
      yield* started
      yield* run("COMMENT ON SEQUENCE sallyport_revision IS NULL")
      assert.deepStrictEqual(yield* migrate([Grown]), [
        ...growing,
        `COMMENT ON SEQUENCE "sallyport_revision" IS 'sallyport schema ${schemaVersion.version}, oldest ${schemaVersion.oldest}'`,
      ])
      assert.deepStrictEqual(yield* plan([Grown]), [])
    }),
  )

  if (storeName === "postgres")
    test(
      "wait for a long transaction, such as that of a dump, and let requests pass",
      Effect.gen(function* () {
        yield* started
        const { connect } = yield* Database
        const dump = yield* connect
        yield* dump.query("BEGIN", [])
        yield* dump.query("SELECT * FROM box", [])
        yield* Effect.sleep("2100 millis")
        const migration = yield* Effect.forkChild(migrate([Grown]))
        for (const _ of [1, 2, 3]) {
          yield* Effect.sleep("300 millis")
          assert.strictEqual((yield* run("SELECT * FROM box")).length, 1)
          assert.deepStrictEqual(
            yield* run("SELECT mode FROM pg_locks WHERE relation = 'box'::regclass AND (NOT granted OR mode = 'AccessExclusiveLock')"),
            [],
          )
        }
        assert.isUndefined(migration.pollUnsafe())
        yield* dump.query("COMMIT", [])
        assert.deepStrictEqual(yield* Fiber.join(migration), growing)
      }).pipe(Effect.scoped),
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
