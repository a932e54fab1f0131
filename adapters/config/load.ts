import { Array, Effect, type Redacted, Result, Schema, Struct } from "effect"
import type { ApiKeySettings } from "../../application/modules/api_key/settings.ts"
import type { Settings as Events } from "../../application/modules/events/settings.ts"
import type { Settings as IdentityProvider } from "../../application/modules/idp/settings.ts"
import {
  core,
  type ExtraDefinition,
  type ExtraModule,
  membersModules,
  organizationsModules,
  ownedByUsers,
  usersModules,
} from "../../application/modules/index.ts"
import type { PhoneSettings } from "../../application/modules/phone/settings.ts"
import { type Owned, ownedByAll } from "../../application/service/module.ts"
import type { AccessControl } from "../../domain/organizations/access-control.ts"
import type { KeyManagementFault } from "../../domain/ports/key-management.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import { isJsonObject } from "../../domain/values/json.ts"
import { ConfigurationFault, type Fault, faultsOf, line, unexpected } from "../configuration-faults.ts"
import type { Listen } from "../http/node-server.ts"
import type { HttpSettings } from "../http/settings.ts"
import { openSecrets } from "../key-management/secrets.ts"
import { isWrapped } from "../key-management/wrapped.ts"
import { mailLinks } from "../pages/mail-links.ts"
import * as Texts from "../texts/settings.ts"
import { hashOf } from "./comparison.ts"
import { type Fields, fields, isDefinition, isModule, type Values } from "./fields.ts"
import { moduleFaults, ruleFaults } from "./rules.ts"
import { addEnvironmentFiles, fileOf, filesOf, filled, overlay, type Raw, readSource, type Source } from "./source.ts"

/** Sections that stay as they are decoded. */
const kept = [
  "key_management",
  "store",
  "redis",
  "mail",
  "sms",
  "http",
  "clock",
  "log",
  "telemetry",
  "rest",
  "graphql",
  "docs",
  "pages",
  "texts",
] as const satisfies ReadonlyArray<keyof Values>

/** The decoded configuration, with defaults. */
export interface Configuration extends Pick<Values, "branding" | (typeof kept)[number]> {
  /** The absolute path of the configuration file; null if none was read. */
  readonly file: string | null
  /** The files that environment variables name. */
  readonly files: ReadonlyArray<string>
  /** The configuration before it was decoded, with environment variables. */
  readonly raw: Raw
  /** The environment variable of each setting that is from one. */
  readonly sources: ReadonlyMap<string, string>
  /** Names the configuration with its secrets, so that instances with different ones can be found. Reveals nothing of them. */
  readonly hash: string
  readonly settings: SettingsValue
  readonly httpSettings: HttpSettings["Service"]
  readonly passwords: Values["email_password"]
  /** The secrets of the service, the newest first. Wrapped ones are unwrapped at the first use. */
  readonly secrets: Effect.Effect<ReadonlyArray<Redacted.Redacted<string>>, KeyManagementFault>
  /** How many secrets are not wrapped. */
  readonly plainSecrets: number
  readonly listen: Listen & { readonly drain_delay: number; readonly workers: number }
  /** Whether an enabled module requires SMS. */
  readonly needsSms: boolean
  /** The ids of the social providers. */
  readonly providers: ReadonlyArray<string>
  /** The roles of organizations; null where the module is off. */
  readonly accessControl: AccessControl | null
  /** The country whose telephone numbers need no calling code; undefined without one. */
  readonly phoneCountry: string | undefined
  /** The digits of codes to sign in with; null where the module is off. */
  readonly codeDigits: { readonly email: number | null; readonly phone: number | null }
  /** The settings of the events; null where the module is off. A reload replaces their webhooks. */
  readonly events: Events | null
  /** The settings of the identity provider; null where the module is off. */
  readonly identityProvider: IdentityProvider | null
  /** The settings of API keys; null where the module is off. */
  readonly apiKeys: ApiKeySettings | null
  /** The enabled modules other than those of the core, in order. */
  readonly modules: ReadonlyArray<ExtraModule>
  /** Whether some of them are modules of your own. */
  readonly hasExtensions: boolean
  /** What the modules that can be enabled own. */
  readonly owned: Owned
}

/** Reads the configuration; fails with all of its faults. `optional` lists the modules that a configuration can enable. */
export const load = Effect.fnUntraced(function* load(source: Source, optional: ReadonlyArray<ExtraDefinition>) {
  const keys = Object.keys(fields(optional))
  const first = yield* readSource(source)
  // The file reads variables too, so it is read again with those of the files.
  const written = first["environment"] === "fill" && addEnvironmentFiles(source) ? yield* readSource(source) : first
  const { raw, sources } =
    written["environment"] === "fill" ? yield* filled(written, source.environment) : yield* overlay(written, source.environment, keys)
  return { ...(yield* configurationOf(raw, optional, sources)), file: fileOf(source), files: filesOf(source, keys) }
})

/** Reads only which modules the file can enable: `optional`, and its own. Its settings may be missing or invalid. */
export const loadDefinitions = (source: Source, optional: ReadonlyArray<ExtraDefinition>) =>
  Effect.map(readSource(source), (raw): ReadonlyArray<ExtraDefinition> => [...optional, ...extensionsOf(raw).filter(isDefinition)])

/** Reads only what selects the key management. Other settings may be missing or invalid, such as the secret that is to be wrapped. */
export const loadKeyManagement = Effect.fnUntraced(function* loadKeyManagement(source: Source) {
  const { key_management, http } = fields([])
  const { raw, sources } = yield* overlay(yield* readSource(source), source.environment, Object.keys(fields([])))
  const given = Object.fromEntries(Object.entries(raw).filter(([key]) => key === "key_management" || key === "http"))
  const { values, faults } = decodeAll(given, { key_management, http })
  if (faults.length > 0) return yield* faultOf(faults, raw, sources)
  return values as Pick<Values, "key_management" | "http">
})

const faultOf = (faults: ReadonlyArray<Fault>, raw: Raw, sources: ReadonlyMap<string, string>) =>
  new ConfigurationFault({ faults: faults.map((fault) => line(fault, at(raw, fault.path), sources.get(fault.path.join(".")))) })

/** Decodes a configuration; fails with all of its faults. `sources` maps each overridden key to its environment variable. */
export const configurationOf = Effect.fnUntraced(function* configurationOf(
  { $schema: _schema, ...given }: Raw,
  optional: ReadonlyArray<ExtraDefinition>,
  sources: ReadonlyMap<string, string> = new Map(),
) {
  const raw = switched(given, optional)
  const definitions = [...optional, ...extensionsOf(raw).filter(isDefinition)]
  const { values, faults } = decodeAll(withExtensions(raw), fields(definitions))

  const ofUsers = ownedByUsers(values.users ?? { attributes: {} })
  const ofMembers = membersModules(values.members ?? { attributes: {} })
  const owned = ownedByAll([...core, ofUsers, ...ofMembers, ...definitions, ...extensionsOf(raw).filter(isModule)])
  const found = [
    ...faults,
    ...unknownModules(raw, definitions),
    ...ruleFaults(values),
    ...moduleFaults(values, definitions, owned),
    ...duplicateNames(definitions),
    ...(yield* Effect.promise(() => Texts.faultsOf(values.texts ?? {}, owned.texts))),
  ]
  if (found.length > 0) return yield* faultOf(found, raw, sources)
  const decoded: Configuration = { ...(yield* configuration(values as Values, definitions, owned)), raw, sources, hash: hashOf(raw) }
  return decoded
})

const extensionsOf = ({ extensions }: Raw): ReadonlyArray<unknown> => (globalThis.Array.isArray(extensions) ? extensions : [])

/**
 * Modules that `true` enables have the settings `{}`, and those that are `false` have no key. An unknown name stays: a misspelt `false` would
 * leave a module on. So does an extension, which its place in `extensions` enables.
 */
const switched = (raw: Raw, optional: ReadonlyArray<ExtraDefinition>): Raw => {
  const { modules } = raw
  if (!isJsonObject(modules)) return raw
  const settings = Object.entries(modules).flatMap(([name, value]) => {
    if (value === true) return [[name, {}]]
    return value === false && optional.some((definition) => definition.name === name) ? [] : [[name, value]]
  })
  return { ...raw, modules: Object.fromEntries(settings) }
}

/** Enables every extension, also those without settings under `modules`. */
const withExtensions = (raw: Raw): Raw => {
  const enabled = Object.fromEntries(
    extensionsOf(raw)
      .filter(isDefinition)
      .map(({ name }) => [name, {}]),
  )
  const { modules = {} } = raw
  return isJsonObject(modules) ? { ...raw, modules: { ...enabled, ...modules } } : raw
}

/** Decodes each key separately, so that the faults of one key do not hide those of another. */
const decodeAll = (raw: Raw, fields: Partial<Fields>) => {
  const faults: Array<Fault> = []
  const values: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries<Schema.Codec<unknown, unknown>>(fields)) {
    const decode = Schema.decodeUnknownResult(Schema.Struct({ [key]: schema }), { errors: "all", onExcessProperty: "error" })
    const decoded = decode(key in raw ? { [key]: raw[key] } : {})
    if (Result.isFailure(decoded)) faults.push(...faultsOf(decoded.failure.issue))
    // Also the undefined value of an optional key: rules tell a missing section from one with a fault.
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

const configuration = Effect.fnUntraced(function* configuration(values: Values, definitions: ReadonlyArray<ExtraDefinition>, owned: Owned) {
  const {
    secret,
    listen,
    users,
    organizations,
    members,
    modules,
    extensions,
    trusted_proxies,
    client_address,
    max_body_bytes,
    request_timeout,
    ...settings
  } = Struct.omit(values, ["environment", ...kept])
  const { pages } = values
  const { cookie, branding, email_password: passwords } = settings
  const moduleSettings = modules as Readonly<Record<string, unknown>>
  const decoded: Omit<Configuration, "hash" | "raw" | "sources"> = {
    ...Struct.pick(values, kept),
    file: null,
    files: [],
    settings: pages === undefined ? settings : { ...settings, links: mailLinks(pages, settings, moduleSettings) },
    httpSettings: { trusted_proxies, client_address, max_body_bytes, request_timeout, cookie },
    branding,
    passwords,
    secrets: yield* Effect.cached(openSecrets(Array.ensure(secret), values)),
    plainSecrets: Array.ensure(secret).filter((each) => !isWrapped(each)).length,
    listen: { ...listen, port: listen.port ?? portOf(settings.public_url) },
    needsSms: moduleFaults({ ...values, sms: { kind: "none" } }, definitions, owned).length > 0,
    providers: providersOf(moduleSettings),
    accessControl: accessControlOf(moduleSettings),
    codeDigits: codeDigitsOf(moduleSettings),
    phoneCountry: (moduleSettings["phone"] as PhoneSettings | undefined)?.default_country,
    events: (moduleSettings["events"] as Events | undefined) ?? null,
    identityProvider: (moduleSettings["idp"] as IdentityProvider | undefined) ?? null,
    apiKeys: (moduleSettings["api_key"] as ApiKeySettings | undefined) ?? null,
    modules: [
      ...usersModules(users),
      ...organizationsModules(organizations),
      ...membersModules(members),
      ...definitions
        .filter(({ name }) => name in moduleSettings)
        .map((definition) => definition.build(moduleSettings[definition.name], owned)),
      ...extensions.filter((extension): extension is ExtraModule => !isDefinition(extension)),
    ],
    hasExtensions: extensions.length > 0,
    owned,
  }
  return decoded
})

/** The ids of the providers in the settings of `modules.social`. */
const providersOf = ({ social }: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  ((social as { readonly providers?: ReadonlyArray<{ readonly id: string }> } | undefined)?.providers ?? []).map(({ id }) => id)

const accessControlOf = ({ organization }: Readonly<Record<string, unknown>>): AccessControl | null =>
  (organization as { readonly access_control: AccessControl } | undefined)?.access_control ?? null

const codeDigitsOf = ({ email_otp, phone }: Readonly<Record<string, unknown>>) => {
  const digitsOf = (settings: unknown) => (settings as { readonly length: number } | undefined)?.length ?? null
  return { email: digitsOf(email_otp), phone: digitsOf(phone) }
}

/** The port that browsers connect to. */
export const portOf = (publicUrl: string): number => {
  const { port, protocol } = new URL(publicUrl)
  if (port !== "") return Number(port)
  return protocol === "https:" ? 443 : 80
}
