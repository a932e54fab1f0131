import { readFile } from "node:fs/promises"
import { Effect, Schema } from "effect"
import { ConfigurationFault } from "../config/faults.ts"

const Documents = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

/** The documents of a file, by their ids; undefined where any document may run. */
export const trustedDocuments = Effect.fnUntraced(function* trustedDocuments(file: string | undefined) {
  if (file === undefined) return undefined
  const wrong = (found: string) =>
    new ConfigurationFault({ faults: [`graphql.trusted_documents: found ${found}, wanted a JSON object of documents by their ids`] })
  const text = yield* Effect.tryPromise({ try: () => readFile(file, "utf8"), catch: () => wrong("a file that cannot be read") })
  const documents = yield* Effect.mapError(Schema.decodeUnknownEffect(Documents)(text), () => wrong("something else"))
  return new Map(Object.entries(documents))
})
