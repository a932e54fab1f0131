import { Schema } from "effect"
import { orElse, Positive } from "../../domain/settings.ts"

/** What the GraphQL shell can be told. */
export const Settings = Schema.Struct({
  enabled: Schema.Boolean.pipe(orElse(true)),
  /** From the root of the host. */
  path: Schema.String.check(
    Schema.isPattern(/^(\/[A-Za-z0-9._~-]+)+$/, { expected: "a path such as /graphql, without a slash at its end" }),
  ).pipe(orElse("/graphql")),
  /** A page to try queries on; where `public_url` is on this machine when left out. Mistakes are answered with suggestions where it is. */
  graphiql: Schema.Boolean.pipe(Schema.optionalKey),
  /** Whether clients may read the schema from the service; where `public_url` is on this machine when left out. */
  introspection: Schema.Boolean.pipe(Schema.optionalKey),
  /** Fields within fields. */
  max_depth: Positive.pipe(orElse(12)),
  max_aliases: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(orElse(15)),
  /** Of a document; as many values in its variables. */
  max_tokens: Positive.pipe(orElse(2000)),
  /** Objects that an answer can hold, lists taken as long as they are asked for. */
  max_cost: Positive.pipe(orElse(5000)),
  /** A JSON file of documents by their ids. Where there is one, nothing else runs. */
  trusted_documents: Schema.NonEmptyString.pipe(Schema.optionalKey),
})
export type Settings = typeof Settings.Type

/** With defaults filled in. */
export const decode = Schema.decodeUnknownEffect(Settings)
