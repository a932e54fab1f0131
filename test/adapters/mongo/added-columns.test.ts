import { Context, Effect, Layer, Redacted } from "effect"
import * as Database from "../../../adapters/mongo/database.ts"
import * as MongoStore from "../../../adapters/mongo/mongo-store.ts"
import { Store } from "../../../domain/ports/store.ts"
import { testSearchTexts } from "../../application/modules/admin/search-texts.suite.ts"
import { testSearchNames } from "../../application/modules/organization/search-names.suite.ts"
import { type OpenVersion, testAddedColumns } from "../../domain/ports/added-columns.suite.ts"
import { freshMongoUrl } from "../../stores.ts"

const versions: Parameters<typeof testAddedColumns>[0] = (test) =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* freshMongoUrl)
    const open: OpenVersion = (tables) =>
      Effect.map(Layer.build(Layer.provide(MongoStore.layer(tables), Database.layer(url))), (built) => Context.get(built, Store))
    yield* test(open)
  }).pipe(Effect.scoped)

testAddedColumns(versions)
testSearchNames(versions)
testSearchTexts(versions)
