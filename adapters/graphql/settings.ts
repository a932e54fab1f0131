import { Schema } from "effect"
import { about, orElse, Positive } from "../../domain/settings.ts"
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
  enabled: Schema.Boolean.pipe(orElse(true), about("Whether the operations are served over GraphQL.")),
  path: Schema.String.check(
    Schema.isPattern(/^(\/[A-Za-z0-9._~-]+)+$/, { expected: "a path such as /graphql, without a slash at its end" }),
  ).pipe(orElse("/graphql"), about("The path of GraphQL, from the root of the host.")),
  graphiql: Schema.Boolean.pipe(
    Schema.optionalKey,
    about(
      "Whether browsers get the page GraphiQL to try queries (in a project of your own: `npm install @graphql-yoga/render-graphiql`), and whether errors contain suggestions. Default: true where `public_url` is on this machine, else false.",
    ),
  ),
  introspection: Schema.Boolean.pipe(
    Schema.optionalKey,
    about(
      "Whether clients may read the schema from the service; `npm start -- schema` prints it in any case. Default: true where `public_url` is on this machine, else false.",
    ),
  ),
  max_depth: Positive.pipe(orElse(12), about("The maximum depth of nested fields.")),
  max_aliases: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(
    orElse(15),
    about("The maximum number of aliases and repeated fields."),
  ),
  max_tokens: Positive.pipe(orElse(2000), about("The maximum number of tokens in a document, and also of values in its variables.")),
  max_cost: Positive.pipe(orElse(5000), about("The maximum number of objects in a response. Each list counts with its requested length.")),
  trusted_documents: Schema.NonEmptyString.pipe(
    Schema.optionalKey,
    about("A JSON file of documents by id; with it, only these documents run, by `documentId`."),
  ),
  federation: Schema.Boolean.pipe(
    orElse(false),
    about(
      "Makes the schema a subgraph of Apollo Federation 2 with the entities `User`, `Organization` and `Team`; [adapters/graphql](adapters/graphql/README.md#apollo-federation) lists which callers resolve them.",
    ),
  ),
  gateway_secret: Schema.RedactedFromValue(
    Schema.String.check(
      Schema.makeFilter((text) => new TextEncoder().encode(text).length >= minSecretBytes, {
        expected: `at least ${minSecretBytes} bytes; the command \`secret\` prints a good one`,
      }),
    ),
  ).pipe(
    Schema.optionalKey,
    about(
      "With federation: a gateway that sends this secret (32 bytes or more) in the header field `sallyport-gateway-secret` resolves any entity and reads the SDL.",
    ),
  ),
  plugins: Schema.Array(YogaPlugin).pipe(
    orElse([]),
    about(
      "Plugins of graphql-yoga or envelop, for example for tracing (`.ts` and `.js` only, and the library); [adapters/graphql](adapters/graphql/README.md#plugins) lists the hooks that run.",
    ),
  ),
})
export type Settings = typeof Settings.Type

export const decode = Schema.decodeUnknownEffect(Settings)
