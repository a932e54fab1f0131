import { Schema } from "effect"
import type { ExtraDefinition, ExtraModule } from "../../application/modules/index.ts"
import type { AnyDefinition } from "../../application/service/module.ts"
import { between, orElse, fields as settings } from "../../domain/settings.ts"
import { minSecretBytes } from "../../domain/tokens/keys.ts"
import * as Graphql from "../graphql/settings.ts"
import { hidden } from "../hidden.ts"
import { type Adapter, kindsOf } from "../kinds/adapter.ts"
import * as OpenApi from "../openapi/settings.ts"
import * as OwnClock from "../own/clock.ts"
import * as OwnHttpClient from "../own/http-client.ts"
import * as Pages from "../pages/settings.ts"
import { Telemetry } from "../telemetry/settings.ts"
import * as Texts from "../texts/settings.ts"
import { adapters } from "./adapters.ts"

// The configuration keys of the process, with their defaults. `domain/settings.ts` declares the keys of the core.

const Secret = hidden(
  (text) => new TextEncoder().encode(text).length >= minSecretBytes,
  `at least ${minSecretBytes} bytes; the command \`secret\` prints a good one`,
)

const Redis = Schema.Struct({
  url: hidden((text) => /^rediss?:$/.test(URL.parse(text)?.protocol ?? ""), "a URL that begins with redis:// or rediss://"),
})

/** A section whose `kind` selects an adapter and so its other keys. */
const selectedBy = <A extends Pick<Adapter<Schema.Codec<any, any>, unknown>, "kind" | "settings">>(all: ReadonlyArray<A>) => {
  const members: ReadonlyArray<A["settings"]> = all.map(({ settings }) => settings)
  return Schema.Union(members).pipe(Schema.annotate({ expected: `an object whose \`kind\` is ${kindsOf(all)}` }))
}

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
  key_management: selectedBy(adapters.key_management).pipe(orElse({ kind: "local" })),
  listen: Listen.pipe(orElse({})),
  store: selectedBy(adapters.store).pipe(orElse({ kind: "embedded" })),
  redis: Redis.pipe(Schema.optionalKey),
  mail: selectedBy(adapters.mail).pipe(orElse({ kind: "console" })),
  sms: selectedBy(adapters.sms).pipe(orElse({ kind: "console" })),
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
