import type { Redacted } from "effect"
import { Array, Effect, Result, Schema } from "effect"
import type { ExtraDefinition, ExtraModule } from "../../application/modules/index.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import { ConfigurationFault, type Fault, faultsOf, line, unexpected } from "./faults.ts"
import { type Fields, fields, type Input, isDefinition, type Values } from "./fields.ts"
import { moduleFaults, ruleFaults } from "./rules.ts"
import { isRaw, overlay, type Raw, readSource, type Source } from "./source.ts"

/** A store that outlives the process. */
export type KeptStore = Extract<Values["store"], { readonly kind: "embedded" | "postgres" | "mongo" }>

/** The decoded configuration, with defaults. */
export interface Configuration {
  /** The settings of the core. */
  readonly settings: SettingsValue
  /** The newest first. */
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
  readonly listen: { readonly host: string; readonly port: number }
  readonly store: Values["store"]
  readonly mail: Values["mail"]
  readonly sms: Values["sms"]
  /** Your own HTTP client. */
  readonly http?: Values["http"]
  /** Your own clock. */
  readonly clock?: Values["clock"]
  /** Whether an enabled module requires SMS. */
  readonly needsSms: boolean
  readonly log: Values["log"]
  readonly rest: Values["rest"]
  readonly graphql: Values["graphql"]
  readonly docs: Values["docs"]
  /** The enabled modules other than those of the core, in order. */
  readonly modules: ReadonlyArray<ExtraModule>
}

/** Types a configuration file. */
export const defineConfig = (input: Input): Input => input

/** Reads the configuration; fails with all of its faults. `optional` are the modules that it can enable. */
export const load = Effect.fnUntraced(function* load(source: Source, optional: ReadonlyArray<ExtraDefinition>) {
  const { raw, sources } = overlay(yield* readSource(source), source.environment)
  return yield* configurationOf(raw, optional, sources)
})

/** Decodes a configuration; fails with all of its faults. `sources` maps each overridden key to its environment variable. */
export const configurationOf = Effect.fnUntraced(function* configurationOf(
  raw: Raw,
  optional: ReadonlyArray<ExtraDefinition>,
  sources: ReadonlyMap<string, string> = new Map(),
) {
  const definitions = [...optional, ...extensionsOf(raw).filter(isDefinition)]
  const { values, faults } = decodeAll(withExtensions(raw), fields(definitions))

  const all = [
    ...faults,
    ...unknownModules(raw, definitions),
    ...ruleFaults(values),
    ...moduleFaults(values, definitions),
    ...duplicateNames(definitions),
  ]
  if (all.length > 0) {
    return yield* new ConfigurationFault({
      faults: all.map((fault) => line(fault, at(raw, fault.path), sources.get(fault.path.join(".")))),
    })
  }
  return configuration(values as Values, definitions)
})

const extensionsOf = ({ extensions }: Raw): ReadonlyArray<unknown> => (globalThis.Array.isArray(extensions) ? extensions : [])

/** Enables every extension, also those without settings under `modules`. */
const withExtensions = (raw: Raw): Raw => {
  const enabled = Object.fromEntries(
    extensionsOf(raw)
      .filter(isDefinition)
      .map(({ name }) => [name, {}]),
  )
  const { modules = {} } = raw
  return isRaw(modules) ? { ...raw, modules: { ...enabled, ...modules } } : raw
}

/** Decodes each key separately, so that the faults of one key do not hide those of another. */
const decodeAll = (raw: Raw, fields: Fields) => {
  const faults: Array<Fault> = []
  const values: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries<Schema.Codec<unknown, unknown>>(fields)) {
    const decode = Schema.decodeUnknownResult(Schema.Struct({ [key]: schema }), { errors: "all", onExcessProperty: "error" })
    const decoded = decode(key in raw ? { [key]: raw[key] } : {})
    if (Result.isFailure(decoded)) faults.push(...faultsOf(decoded.failure.issue))
    else values[key] = decoded.success[key]
  }
  const known = Object.keys(fields)
  const unknown = Object.keys(raw).filter((key) => !known.includes(key))
  faults.push(...unknown.map((key) => unexpected([key], known)))
  return { values: values as Partial<Values>, faults }
}

/** A struct schema without keys accepts any object, so `modules` needs this check when no module can be enabled. */
const unknownModules = ({ modules }: Raw, definitions: ReadonlyArray<ExtraDefinition>): ReadonlyArray<Fault> => {
  const known = definitions.map(({ name }) => name)
  if (known.length > 0) return []
  return Object.keys(Object(modules)).map((name) => ({ path: ["modules", name], known, wanted: "no key: no module can be enabled" }))
}

const duplicateNames = (definitions: ReadonlyArray<ExtraDefinition>): ReadonlyArray<Fault> => {
  const names = definitions.map(({ name }) => name)
  return names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => ({ path: ["extensions"], wanted: `one module named ${name}` }))
}

const at = (raw: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined),
    raw,
  )

const configuration = (values: Values, definitions: ReadonlyArray<ExtraDefinition>): Configuration => {
  const { secret, listen, store, mail, sms, http, clock, log, rest, graphql, docs, modules, extensions, ...settings } = values
  const moduleSettings = modules as Readonly<Record<string, unknown>>
  return {
    settings,
    secrets: Array.ensure(secret),
    listen: { host: listen.host, port: listen.port ?? portOf(settings.public_url) },
    store,
    mail,
    sms,
    ...(http === undefined ? {} : { http }),
    ...(clock === undefined ? {} : { clock }),
    needsSms: moduleFaults({ ...values, sms: { kind: "none" } }, definitions).length > 0,
    log,
    rest,
    graphql,
    docs,
    modules: [
      ...definitions.filter(({ name }) => name in moduleSettings).map((definition) => definition.build(moduleSettings[definition.name])),
      ...extensions.filter((extension): extension is ExtraModule => !isDefinition(extension)),
    ],
  }
}

/** The port that browsers connect to. */
export const portOf = (publicUrl: string): number => {
  const { port, protocol } = new URL(publicUrl)
  if (port !== "") return Number(port)
  return protocol === "https:" ? 443 : 80
}
