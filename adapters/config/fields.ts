import { Schema } from "effect"
import type { ExtraDefinition, ExtraModule } from "../../application/modules/index.ts"
import type { AnyDefinition } from "../../application/service/module.ts"
import * as Attributes from "../../domain/attributes/settings.ts"
import { about, between, fields as core, orElse } from "../../domain/settings.ts"
import { minSecretBytes } from "../../domain/tokens/keys.ts"
import * as Graphql from "../graphql/settings.ts"
import { hidden } from "../hidden.ts"
import * as Http from "../http/settings.ts"
import { type Adapter, kindsOf } from "../kinds/adapter.ts"
import * as OpenApi from "../openapi/settings.ts"
import * as OwnClock from "../own/clock.ts"
import * as OwnHttpClient from "../own/http-client.ts"
import * as Pages from "../pages/settings.ts"
import * as Passwords from "../passwords/settings.ts"
import { Telemetry } from "../telemetry/settings.ts"
import * as Texts from "../texts/settings.ts"
import { adapters } from "./adapters.ts"

// The configuration keys of the process, with their defaults, and those that the core and the adapters declare.

const Secret = hidden(
  (text) => new TextEncoder().encode(text).length >= minSecretBytes,
  `at least ${minSecretBytes} bytes; the command \`secret\` prints a good one`,
)

const Redis = Schema.Struct({
  url: hidden((text) => /^rediss?:$/.test(URL.parse(text)?.protocol ?? ""), "a URL that begins with redis:// or rediss://").pipe(
    about("The URL of a Redis or Valkey."),
  ),
})

/** A section whose `kind` selects an adapter and so its other keys. */
const selectedBy = <A extends Pick<Adapter<Schema.Codec<any, any>, unknown>, "kind" | "settings">>(all: ReadonlyArray<A>) => {
  const members: ReadonlyArray<A["settings"]> = all.map(({ settings }) => settings)
  return Schema.Union(members).pipe(Schema.annotate({ expected: `an object whose \`kind\` is ${kindsOf(all)}` }))
}

const Listen = Schema.Struct({
  host: Schema.NonEmptyString.pipe(orElse("127.0.0.1"), about("The address at which the process listens. Links use `public_url`.")),
  port: between(0, 65_535).pipe(Schema.optionalKey, about("0 is any free port. Default: the port of `public_url`.")),
  drain_delay: between(0, 3600).pipe(
    orElse(5),
    about(
      "Seconds after SIGTERM in which `/readyz` answers 503 and requests are still answered, with `Connection: close`. Must be longer than your load balancer needs to detect a failing probe (period of the probe × number of failures). Ctrl+C skips it.",
    ),
  ),
  drain: between(0, 3600).pipe(
    orElse(20),
    about("Seconds that running requests have to finish after `drain_delay`, before their connections are closed."),
  ),
  workers: between(1, 64).pipe(
    orElse(1),
    about(
      'Processes that share the port, for more than one processor ([operating](docs/operating.md#workers)). More than 1 needs PostgreSQL or MongoDB and, with rate limits, `rate_limit.store: "store"`.',
    ),
  ),
})

const Rest = Schema.Struct({
  enabled: Schema.Boolean.pipe(
    orElse(true),
    about("Whether the endpoints are served over REST. Those of other protocols (OAuth) are served in any case."),
  ),
})

const Log = Schema.Struct({
  level: Schema.Literals(["trace", "debug", "info", "warn", "error", "none"]).pipe(
    orElse("info"),
    about("The least severe messages that are written."),
  ),
  format: Schema.Literals(["pretty", "json"]).pipe(Schema.optionalKey, about("Default: `pretty` on a terminal, else `json`.")),
})

const has = (value: object, member: string, type: string) => typeof Reflect.get(value, member) === type

/** Whether an extension is a module definition, which gets its settings from `modules`; otherwise it is a module that is built already. */
export const isDefinition = (value: unknown): value is ExtraDefinition =>
  typeof value === "object" &&
  value !== null &&
  has(value, "name", "string") &&
  Schema.isSchema(Reflect.get(value, "settings")) &&
  has(value, "faults", "function") &&
  has(value, "build", "function")

export const isModule = (value: unknown): value is ExtraModule =>
  typeof value === "object" &&
  value !== null &&
  has(value, "name", "string") &&
  has(value, "endpoints", "object") &&
  has(value, "pages", "object") &&
  has(value, "events", "object")

const Extension = Schema.declare((value: unknown): value is ExtraDefinition | ExtraModule => isDefinition(value) || isModule(value), {
  expected: "a module made by Module.define",
})

const { public_url, base_path, trusted_origins, cookie: _, ...others } = core

/** The keys that the core and the HTTP adapter need. */
export const coreFields = {
  public_url,
  base_path,
  trusted_origins,
  ...Http.fields,
  ...others,
  email_password: Passwords.Settings.pipe(orElse({})),
  branding: Pages.Branding.pipe(orElse({})),
}

/** Every key of the configuration, with the keys of these definitions under `modules`. */
export const fields = (definitions: ReadonlyArray<AnyDefinition>) => ({
  ...coreFields,
  secret: Schema.Union([Secret, Schema.NonEmptyArray(Secret)]).pipe(
    Schema.annotate({ expected: "a text, or a list of texts" }),
    Schema.annotateKey({ messageMissingKey: `Expected at least ${minSecretBytes} bytes; the command \`secret\` prints a good one` }),
    about(
      "At least 32 bytes, or a list of such texts: the first one signs and encrypts, all of them verify and decrypt ([rotation](docs/configuration.md#rotating-the-secret)). `key_management` unwraps those that begin with `wrapped:`.",
    ),
  ),
  environment: Schema.Literals(["override", "fill"]).pipe(
    orElse("override"),
    about(
      "`override`: [environment variables](docs/configuration.md#environment-variables) replace settings. `fill`: `SALLYPORT_SECRET`, `SALLYPORT_PUBLIC_URL` and `SALLYPORT_DATABASE_URL` add `secret`, `public_url` and `store` where they are missing, and nothing else is read, as in [your own server](docs/your-app.md#in-your-own-server). Commands find variables in `.env.local` and `.env` too.",
    ),
  ),
  key_management: selectedBy(adapters.key_management).pipe(
    orElse({ kind: "local" }),
    about(
      "Where the key is kept that wraps the secrets. `local`: nowhere, the secrets are in the configuration as they are ([the others](docs/operating.md#wrapped-secrets)).",
    ),
  ),
  listen: Listen.pipe(orElse({})),
  store: selectedBy(adapters.store).pipe(
    orElse({ kind: "embedded" }),
    about(
      "Where everything is stored: `embedded` (PostgreSQL in the process), `postgres`, `mongo`, `memory` (lost when the process ends), or [an object of your own](docs/configuration.md#ports-of-your-own).",
    ),
  ),
  redis: Redis.pipe(Schema.optionalKey, about('The server that `rate_limit.store: "redis"` counts in ([more](adapters/redis/README.md)).')),
  mail: selectedBy(adapters.mail).pipe(
    orElse({ kind: "console" }),
    about(
      "How mails are sent: `smtp`, `console` (prints them with their links, for development), `none`, or [an object of your own](docs/configuration.md#ports-of-your-own).",
    ),
  ),
  sms: selectedBy(adapters.sms).pipe(
    orElse({ kind: "console" }),
    about(
      "How short messages are sent: `twilio`, `webhook`, `console` (prints them with their codes, for development), `none`, or [an object of your own](docs/configuration.md#ports-of-your-own).",
    ),
  ),
  http: Schema.declare(OwnHttpClient.isHttpClient, { expected: "an object with the method fetch" }).pipe(
    Schema.optionalKey,
    about(
      "Sends the requests to other services ([ports of your own](docs/configuration.md#ports-of-your-own); `.ts` and `.js` only). Default: undici.",
    ),
  ),
  clock: Schema.declare(OwnClock.isClock, { expected: "an object with the method now" }).pipe(
    Schema.optionalKey,
    about(
      "Tells the time ([ports of your own](docs/configuration.md#ports-of-your-own); `.ts` and `.js` only). Default: the clock of the system.",
    ),
  ),
  log: Log.pipe(orElse({})),
  telemetry: Telemetry.pipe(orElse({})),
  rest: Rest.pipe(orElse({})),
  graphql: Graphql.Settings.pipe(orElse({})),
  docs: OpenApi.Settings.pipe(orElse({})),
  pages: Pages.Settings.pipe(
    Schema.optionalKey,
    about("With `{}` the service has [pages](docs/configuration.md#pages): sign-in, account, and those of the links in its mails."),
  ),
  texts: Texts.Settings.pipe(
    orElse({}),
    about("[Texts](docs/configuration.md#texts) of your own for pages, mails and short messages, by language and key."),
  ),
  users: Schema.Struct({
    attributes: Attributes.Settings.pipe(
      orElse({}),
      about("Further members of users, by name, such as a plan or a birthday ([attributes](docs/administration.md#attributes))."),
    ),
  }).pipe(orElse({})),
  organizations: Schema.Struct({
    attributes: Attributes.GroupSettings.pipe(
      orElse({}),
      about("Further members of organizations, by name ([attributes](docs/administration.md#attributes)); needs `modules.organization`."),
    ),
  }).pipe(orElse({})),
  members: Schema.Struct({
    attributes: Attributes.MemberSettings.pipe(
      orElse({}),
      about(
        "Further members of memberships in organizations, by name, such as a job title ([attributes](docs/administration.md#attributes)); needs `modules.organization`.",
      ),
    ),
  }).pipe(orElse({})),
  modules: Schema.Struct(Object.fromEntries(definitions.map(({ name, settings }) => [name, Schema.optionalKey(settings)]))).pipe(
    orElse({}),
    about("The enabled modules, by their names, with their settings. `true` is `{}`, and `false` the same as no key."),
  ),
  extensions: Schema.Array(Extension).pipe(
    orElse([]),
    about("Your own modules (`.ts` and `.js` only), which import from `sallyport/module`."),
  ),
})
export type Fields = ReturnType<typeof fields>

/** A decoded configuration, key by key. */
export type Values = Schema.Struct.Type<Fields>
