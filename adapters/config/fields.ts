import { Redacted, Schema } from "effect"
import type { ExtraDefinition, ExtraModule } from "../../application/modules/index.ts"
import type { AnyDefinition } from "../../application/service/module.ts"
import { between, orElse, fields as settings } from "../../domain/settings.ts"
import { minSecretBytes } from "../../domain/tokens/keys.ts"
import { isPrivateUrl } from "../../domain/values/url.ts"
import * as Graphql from "../graphql/settings.ts"
import { hidden } from "../hidden.ts"
import * as KeyManagement from "../key-management/settings.ts"
import { isUrl } from "../mongo/url.ts"
import * as OpenApi from "../openapi/settings.ts"
import * as OwnClock from "../own/clock.ts"
import { isMailer, isSmsSender } from "../own/delivery.ts"
import * as OwnHttpClient from "../own/http-client.ts"
import { isStore } from "../own/store.ts"
import * as Pages from "../pages/settings.ts"
import { rootCertificateFault } from "../postgres/root-certificate.ts"
import { urlsOf } from "../postgres/url.ts"
import * as Webhook from "../sms/webhook.ts"
import { Telemetry } from "../telemetry/settings.ts"
import * as Texts from "../texts/settings.ts"

// The configuration keys of the process, with their defaults. `domain/settings.ts` declares the keys of the core.

const Secret = hidden(
  (text) => new TextEncoder().encode(text).length >= minSecretBytes,
  `at least ${minSecretBytes} bytes; the command \`secret\` prints a good one`,
)

/** The file that `sslrootcert` names is read, so that a wrong name is found at the start. */
const trustedFile = Schema.makeFilter((url: Redacted.Redacted) => rootCertificateFault(Redacted.value(url)))

const PostgresUrl = hidden(
  (text) => urlsOf(text).every((url) => /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? "")),
  "a URL that begins with postgres:// or postgresql://",
).check(trustedFile)

const ReplicaUrl = hidden(
  (text) => urlsOf(text).length === 1 && /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ""),
  "a URL of one server that begins with postgres:// or postgresql://",
).check(trustedFile)

const MongoUrl = hidden(isUrl, "a URL that begins with mongodb:// or mongodb+srv://, as the driver reads it")

const Redis = Schema.Struct({
  url: hidden((text) => /^rediss?:$/.test(URL.parse(text)?.protocol ?? ""), "a URL that begins with redis:// or rediss://"),
})

const maxConnections = between(1, 1000).pipe(orElse(10))

/** How many sessions the process keeps in memory for requests that only read them; 0 turns the cache off. */
const sessionCache = (size: number) => between(0, 1_000_000).pipe(orElse(size))

/** The time after which a session in the cache is read again, in seconds: so long, another process may accept a session after its end. */
const sessionCacheAge = between(1, 300).pipe(orElse(5))

const Store = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("embedded"),
    /** The folder of the data, relative to the working directory. */
    directory: Schema.NonEmptyString.pipe(orElse(".sallyport/data")),
    session_cache: sessionCache(10_000),
  }),
  Schema.Struct({
    kind: Schema.Literal("postgres"),
    url: PostgresUrl,
    max_connections: maxConnections,
    /** False for poolers that assign a connection for each transaction and do not know prepared statements, such as PgBouncer before 1.21. */
    prepare: Schema.Boolean.pipe(orElse(true)),
    /** The schema of all tables, which `migrate` or the first start creates; by default the one that the `search_path` of the role selects. */
    schema: Schema.String.check(
      Schema.isPattern(/^(?!pg_|information_schema$)[A-Za-z_][A-Za-z0-9_-]{0,62}$/, {
        expected: 'a name of letters, digits, _ and -, such as "auth", that does not begin with pg_',
      }),
    ).pipe(Schema.optionalKey),
    /** Standbys from which sessions are read. */
    replicas: Schema.Array(ReplicaUrl).pipe(orElse([])),
    /** Seconds by which a replica may lag behind the primary. At least 3, because the lag is measured every second. */
    replica_lag: between(3, 300).pipe(orElse(5)),
    session_cache: sessionCache(0),
    session_cache_age: sessionCacheAge,
  }),
  Schema.Struct({
    kind: Schema.Literal("mongo"),
    /** The database is `sallyport` unless the URL names another. */
    url: MongoUrl,
    max_connections: maxConnections,
    session_cache: sessionCache(0),
    session_cache_age: sessionCacheAge,
  }),
  Schema.Struct({ kind: Schema.Literal("memory") }),
  Schema.declare(isStore),
]).pipe(Schema.annotate({ expected: 'an object whose `kind` is "embedded", "postgres", "mongo" or "memory"' }))

const Mail = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("smtp"),
    url: hidden(() => true, "a URL that begins with smtp:// or smtps://"),
    /** The sender of every mail. */
    from: Schema.String.pipe(Schema.annotateKey({ messageMissingKey: "Expected the sender, such as Example <no-reply@example.com>" })),
  }),
  /** Prints mail: for development. */
  Schema.Struct({ kind: Schema.Literal("console") }),
  Schema.Struct({ kind: Schema.Literal("none") }),
  Schema.declare(isMailer),
]).pipe(Schema.annotate({ expected: 'an object whose `kind` is "smtp", "console" or "none"' }))

const webhookSecret = hidden(
  (text) => Webhook.keyOf(text) !== null,
  "whsec_ and 24 to 64 bytes in base64, with which the receiver verifies signatures",
)

const Sms = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("twilio"),
    account_sid: Schema.String.check(Schema.isPattern(/^AC[0-9a-f]{32}$/, { expected: "AC and 32 hexadecimal digits" })),
    auth_token: hidden((text) => text !== "", "the account's auth token"),
    from: Schema.String.check(Schema.isNonEmpty({ expected: "a number, a sender's name, or the SID of a messaging service" })),
  }),
  Schema.Struct({
    kind: Schema.Literal("webhook"),
    url: hidden(
      isPrivateUrl,
      "a URL that begins with https://, or http:// on this machine; without user and password, which go to headers",
    ),
    /** The signing secret; derived from the service's secret by default. */
    secret: Schema.Union([webhookSecret, Schema.NonEmptyArray(webhookSecret)]).pipe(
      Schema.annotate({ expected: "a text, or a list of texts" }),
      Schema.optionalKey,
    ),
    /** Header fields that are added to every request, such as `authorization`. */
    headers: Schema.Record(
      Schema.String,
      hidden(() => true, "a text"),
    ).pipe(orElse({})),
  }),
  /** Prints messages: for development. */
  Schema.Struct({ kind: Schema.Literal("console") }),
  Schema.Struct({ kind: Schema.Literal("none") }),
  Schema.declare(isSmsSender),
]).pipe(Schema.annotate({ expected: 'an object whose `kind` is "twilio", "webhook", "console" or "none"' }))

const Listen = Schema.Struct({
  host: Schema.NonEmptyString.pipe(orElse("127.0.0.1")),
  /** Default: the port of `public_url`; 0 is any free port. */
  port: between(0, 65_535).pipe(Schema.optionalKey),
  /** After SIGTERM, seconds in which `/readyz` already refuses but requests are still accepted. */
  drain_delay: between(0, 3600).pipe(orElse(5)),
  /** The time that running requests then have to finish, seconds. */
  drain: between(0, 3600).pipe(orElse(20)),
  /** Processes that share the port. */
  workers: between(1, 64).pipe(orElse(1)),
})

/** If REST is disabled, endpoints of standard protocols (OAuth) stay reachable. */
const Rest = Schema.Struct({ enabled: Schema.Boolean.pipe(orElse(true)) })

const Log = Schema.Struct({
  level: Schema.Literals(["trace", "debug", "info", "warn", "error", "none"]).pipe(orElse("info")),
  /** Default: pretty on a terminal, JSON elsewhere. */
  format: Schema.Literals(["pretty", "json"]).pipe(Schema.optionalKey),
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

/** Every key of the configuration, with the keys of these definitions under `modules`. */
export const fields = (definitions: ReadonlyArray<AnyDefinition>) => ({
  ...settings,
  secret: Schema.Union([Secret, Schema.NonEmptyArray(Secret)]).pipe(
    Schema.annotate({ expected: "a text, or a list of texts" }),
    Schema.annotateKey({ messageMissingKey: `Expected at least ${minSecretBytes} bytes; the command \`secret\` prints a good one` }),
  ),
  key_management: KeyManagement.Settings.pipe(orElse({ kind: "local" })),
  listen: Listen.pipe(orElse({})),
  store: Store.pipe(orElse({ kind: "embedded" })),
  redis: Redis.pipe(Schema.optionalKey),
  mail: Mail.pipe(orElse({ kind: "console" })),
  sms: Sms.pipe(orElse({ kind: "console" })),
  http: Schema.declare(OwnHttpClient.isHttpClient, { expected: "an object with the method fetch" }).pipe(Schema.optionalKey),
  clock: Schema.declare(OwnClock.isClock, { expected: "an object with the method now" }).pipe(Schema.optionalKey),
  log: Log.pipe(orElse({})),
  telemetry: Telemetry.pipe(orElse({})),
  rest: Rest.pipe(orElse({})),
  graphql: Graphql.Settings.pipe(orElse({})),
  docs: OpenApi.Settings.pipe(orElse({})),
  pages: Pages.Settings.pipe(Schema.optionalKey),
  texts: Texts.Settings.pipe(orElse({})),
  modules: Schema.Struct(Object.fromEntries(definitions.map(({ name, settings }) => [name, Schema.optionalKey(settings)]))).pipe(
    orElse({}),
  ),
  extensions: Schema.Array(Extension).pipe(orElse([])),
})
export type Fields = ReturnType<typeof fields>

/** A decoded configuration, key by key. */
export type Values = Schema.Struct.Type<Fields>

/** The content of a configuration file. */
export type Input = Omit<Schema.Struct.Encoded<Fields>, "modules"> & { readonly modules?: Readonly<Record<string, unknown>> }
