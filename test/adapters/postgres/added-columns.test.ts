import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import type { Database } from "../../../adapters/postgres/database.ts"
import { migrate, plan } from "../../../adapters/postgres/migrations.ts"
import * as PostgresStore from "../../../adapters/postgres/postgres-store.ts"
import { Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { testSearchTexts } from "../../application/modules/admin/search-texts.suite.ts"
import { testSearchNames } from "../../application/modules/organization/search-names.suite.ts"
import { type OpenVersion, testAddedColumns } from "../../domain/ports/added-columns.suite.ts"
import { freshDatabase } from "../../stores.ts"

const versions: Parameters<typeof testAddedColumns>[0] = (test) =>
  Effect.gen(function* () {
    const database = yield* Effect.context<Database>()
    const open: OpenVersion = (tables) =>
      Effect.map(Effect.provide(Layer.build(PostgresStore.layer(tables)), database), (built) => Context.get(built, Store))
    yield* test(open)
  }).pipe(Effect.scoped, Effect.provide(freshDatabase()))

testAddedColumns(versions)
testSearchNames(versions)
testSearchTexts(versions)

const Id = { id: Schema.String }
const Old = Table.make("box", Schema.Struct(Id), { key: "id" })
const Nullable = Table.make("box", Schema.Struct({ ...Id, open: Schema.NullOr(Schema.Boolean) }), { key: "id" })
const New = Table.make("box", Schema.Struct({ ...Id, open: Schema.Boolean, name: Schema.String, tags: Schema.Array(Schema.String) }), {
  key: "id",
  added: { open: true, name: ({ id }) => id, tags: ["it's", "plain"] },
})

it.live("a constant is the default of its column, which takes no time; an earlier version finds nothing to change", () =>
  Effect.gen(function* () {
    yield* migrate([Old])
    assert.deepStrictEqual(yield* migrate([New]), [
      'ALTER TABLE "box" ADD COLUMN "open" boolean DEFAULT true',
      'ALTER TABLE "box" ADD COLUMN "name" text COLLATE "C"',
      `ALTER TABLE "box" ADD COLUMN "tags" jsonb DEFAULT '["it''s","plain"]'`,
    ])
    assert.deepStrictEqual(yield* plan([New]), [])
    assert.deepStrictEqual(yield* plan([Old]), [])
  }).pipe(Effect.provide(freshDatabase())),
)

it.live("a nullable column can become a required one, and an earlier version finds nothing to change", () =>
  Effect.gen(function* () {
    yield* migrate([Nullable])
    const [first] = yield* migrate([New])
    assert.strictEqual(first, 'ALTER TABLE "box" ALTER COLUMN "open" SET DEFAULT true')
    assert.deepStrictEqual(yield* plan([New]), [])
    assert.deepStrictEqual(yield* plan([Nullable]), [])
  }).pipe(Effect.provide(freshDatabase())),
)
