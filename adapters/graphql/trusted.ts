import { readFile } from "node:fs/promises"
import { Effect, Schema } from "effect"
import { ConfigurationFault } from "../configuration-faults.ts"

const Documents = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

/** The trusted documents by their ids; undefined when any document may run. */
export const trustedDocuments = Effect.fnUntraced(function* readTrustedDocuments(file: string | undefined) {
  if (file === undefined) return undefined
  const fault = (found: string) =>
    new ConfigurationFault({ faults: [`graphql.trusted_documents: found ${found}, wanted a JSON object of documents by their ids`] })
  const text = yield* Effect.tryPromise({ try: () => readFile(file, "utf8"), catch: () => fault("a file that cannot be read") })
  const documents = yield* Effect.mapError(Schema.decodeUnknownEffect(Documents)(text), () => fault("something else"))
  return new Map(Object.entries(documents))
})
