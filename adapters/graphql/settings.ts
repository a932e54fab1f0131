import { Schema } from "effect"
import { orElse, Positive } from "../../domain/settings.ts"
import { minSecretBytes } from "../../domain/tokens/keys.ts"

/** The hooks around the request as the client sends it. The shell is in the place of this part of yoga, so they would never run. */
const shellHooks = ["onRequest", "onResponse", "onRequestParse"] as const

/** A plugin of yoga. Its own type would make every application that compiles the types of this service compile those of yoga. */
const isPlugin = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null) return false
  return Object.values(value).some((hook) => typeof hook === "function") && !shellHooks.some((hook) => hook in value)
}

const YogaPlugin = Schema.declare(isPlugin, {
  expected: `a plugin of graphql-yoga or envelop: an object with hooks, without ${shellHooks.join(", ")}, which do not run here`,
})

export const Settings = Schema.Struct({
  enabled: Schema.Boolean.pipe(orElse(true)),
  /** Absolute, not below `base_path`. */
  path: Schema.String.check(
    Schema.isPattern(/^(\/[A-Za-z0-9._~-]+)+$/, { expected: "a path such as /graphql, without a slash at its end" }),
  ).pipe(orElse("/graphql")),
  /** Serves the GraphiQL page and adds suggestions to errors. Default: on when `public_url` is on this machine. */
  graphiql: Schema.Boolean.pipe(Schema.optionalKey),
  /** Allows introspection queries. Default: on when `public_url` is on this machine. */
  introspection: Schema.Boolean.pipe(Schema.optionalKey),
  max_depth: Positive.pipe(orElse(12)),
  max_aliases: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(orElse(15)),
  /** The maximum number of tokens in a document, and also of values in its variables. */
  max_tokens: Positive.pipe(orElse(2000)),
  /** The maximum number of objects in a response. Each list counts with its requested length. */
  max_cost: Positive.pipe(orElse(5000)),
  /** A JSON file of documents by their ids. With it, no other document runs. */
  trusted_documents: Schema.NonEmptyString.pipe(Schema.optionalKey),
  /** Makes the schema a subgraph of Apollo Federation 2. */
  federation: Schema.Boolean.pipe(orElse(false)),
  /** The credential of the gateway, which resolves any entity. */
  gateway_secret: Schema.RedactedFromValue(
    Schema.String.check(
      Schema.makeFilter((text) => new TextEncoder().encode(text).length >= minSecretBytes, {
        expected: `at least ${minSecretBytes} bytes; the command \`secret\` prints a good one`,
      }),
    ),
  ).pipe(Schema.optionalKey),
  /** Plugins of graphql-yoga or envelop. They run before those of the shell, with all rights of the service. */
  plugins: Schema.Array(YogaPlugin).pipe(orElse([])),
})
export type Settings = typeof Settings.Type

export const decode = Schema.decodeUnknownEffect(Settings)
