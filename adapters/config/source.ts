import { existsSync, readFileSync, realpathSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { extname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseEnv } from "node:util"
import { Data, Effect } from "effect"
import { isJsonObject, type JsonObject } from "../../domain/values/json.ts"
import { ConfigurationFault } from "../configuration-faults.ts"
import { parsedJson } from "../json-text.ts"
import type { Adapters } from "../kinds/adapter.ts"
import { adapters } from "./adapters.ts"
import { importDefault } from "./import-file.ts"
import { otelNames, otelSetting } from "./otel-variables.ts"

/** A configuration before it is decoded. */
export type Raw = JsonObject

/** The sources of a configuration. */
export interface Source {
  /** The path of the file; default: `sallyport.config.{ts,js,json}` in the directory. */
  readonly file?: string | undefined
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const names = ["sallyport.config.ts", "sallyport.config.js", "sallyport.config.json"]

const faultIn = (file: string, found: string, wanted: string) =>
  new ConfigurationFault({ faults: [`${file}: found ${found}, wanted ${wanted}`] })

/** The configuration files of the directory, the one that is read first. */
const filesIn = (directory: string) => names.filter((name) => existsSync(resolve(directory, name)))

/** A line for each configuration file of the directory that is not read because another one takes precedence. */
export const unreadFiles = ({ file, directory }: Source): ReadonlyArray<string> => {
  if (file !== undefined) return []
  const [read, ...others] = filesIn(directory)
  return others.map((name) => `${name} is not read: ${read} takes precedence.`)
}

/** The absolute path of the configuration file; null without a file. */
export const fileOf = ({ file, directory }: Pick<Source, "file" | "directory">): string | null => {
  const path = file ?? filesIn(directory)[0]
  return path === undefined ? null : resolve(directory, path)
}

/** The content of the configuration file; empty without a file. */
export const readSource = Effect.fnUntraced(function* readSource({ file, directory }: Source) {
  const path = file ?? filesIn(directory)[0]
  if (path === undefined) return {}

  const read = readers[extname(path)]
  if (read === undefined) return yield* faultIn(path, "an unknown kind of file", ".ts, .js or .json")
  if (!existsSync(resolve(directory, path))) return yield* faultIn(path, "no such file", "a configuration file")

  const value = yield* Effect.tryPromise({
    try: () => read(resolve(directory, path)),
    catch: (error) =>
      error instanceof JsonComment
        ? faultIn(path, `a comment in line ${error.line}`, "JSON, which has no comments; a .ts or .js file can have them")
        : faultIn(path, reasonOf(error, realpathSync(resolve(directory, path))), wantedOf(error)),
  })
  return isJsonObject(value)
    ? value
    : yield* faultIn(path, "something else", extname(path) === ".json" ? "an object" : "an object as its default export")
})

const readers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  ".ts": importDefault,
  ".js": importDefault,
  ".json": async (path) => parseJson(await readFile(path, "utf8")),
}

/** A text that is JSON except for comments. */
class JsonComment extends Data.Error<{ readonly line: number }> {}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    const line = firstComment(text)
    throw line === undefined ? error : new JsonComment({ line })
  }
}

/** The line of the first comment, outside of texts. */
const firstComment = (text: string): number | undefined => {
  const comment = [...text.matchAll(/"(?:\\.|[^"\\])*"|\/[/*]/g)].find(([found]) => found.startsWith("/"))
  return comment === undefined ? undefined : text.slice(0, comment.index).split("\n").length
}

const unresolved = [
  "ERR_MODULE_NOT_FOUND",
  "ERR_PACKAGE_IMPORT_NOT_DEFINED",
  "ERR_PACKAGE_PATH_NOT_EXPORTED",
  "ERR_UNSUPPORTED_ESM_URL_SCHEME",
]

const wantedOf = (error: unknown) =>
  unresolved.includes(Object(error).code)
    ? "imports by relative paths and of packages: commands load it without a bundler, so aliases do not work"
    : "a configuration file that can be read"

const reasonOf = (error: unknown, path: string): string => {
  if (!(error instanceof Error)) return String(error).split("\n")[0] ?? ""
  return [reasonIn(error), ...placeOf(error, path)].join(" in ")
}

/** The messages of parsers quote the text, which may contain the secret. */
const reasonIn = (error: Error): string => {
  if ("code" in error && error.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX")
    return "TypeScript syntax that Node cannot strip, such as an enum,"
  return error instanceof SyntaxError ? "a syntax error" : (error.message.split("\n")[0] ?? "")
}

/** The line of the fault, if Node reports one; it reports none for syntax errors of JavaScript modules. */
const placeOf = ({ message, stack = "" }: Error, path: string): ReadonlyArray<string> => {
  if (path.endsWith(".json")) return message.match(/line \d+ column \d+/) ?? []
  const afterName = [pathToFileURL(path).href, path].flatMap((name) =>
    stack
      .replaceAll(/\?reload=\d+/g, "")
      .split(`${name}:`)
      .slice(1),
  )
  const [line] = afterName.flatMap((rest) => rest.match(/^\d+/) ?? [])
  if (line !== undefined) return [`line ${line}`]
  // The stack of a fault in an imported file begins with the path of that file.
  return stack.match(/^(?:file:\/\/)?(?:\/|[A-Z]:\\).+:\d+(?=\n)/)?.slice(0, 1) ?? []
}

/** An environment variable and the key that it overrides. */
interface Variable {
  readonly name: string
  readonly path: readonly [section: string, key?: string]
  /** The kind that a value selects in the section. */
  readonly kindOf?: (value: string) => string | undefined
  /** The kind of the section that the variable requires. */
  readonly only?: string | undefined
}

/** The variables of the adapters of a section. Where adapters share one that selects, such as DATABASE_URL, the last that wants the value gets it. */
const variablesOf = ([section, all]: readonly [string, Adapters<unknown>]): ReadonlyArray<Variable> => {
  const own = all.flatMap(({ kind, variables = [] }) => variables.map((variable) => ({ ...variable, kind })))
  const kindOf = (name: string) => (value: string) => own.findLast((each) => each.name === name && each.selects?.(value))?.kind
  return own.map(({ name, key, kind, selects }) => ({
    name,
    path: [section, key],
    ...(selects === undefined ? { only: kind } : { kindOf: kindOf(name) }),
  }))
}

const variables: ReadonlyArray<Variable> = [
  { name: "SALLYPORT_SECRET", path: ["secret"] },
  { name: "SALLYPORT_PUBLIC_URL", path: ["public_url"] },
  { name: "HOST", path: ["listen", "host"] },
  { name: "PORT", path: ["listen", "port"] },
  { name: "REDIS_URL", path: ["redis", "url"] },
  ...Object.entries<Adapters<unknown>>(adapters).flatMap(variablesOf),
]

/** The short names of the environment variables of a setting, besides the generic one. */
export const variablesFor = (path: string): ReadonlyArray<string> => [
  ...new Set(variables.filter((variable) => variable.path.join(".") === path).map(({ name }) => name)),
]

type Environment = Source["environment"]

/** The value of a variable: its own, or the content of the file that `NAME_FILE` names. */
const valueOf = Effect.fnUntraced(function* valueOf(environment: Environment, name: string) {
  const own = environment[name] || undefined
  const file = environment[`${name}_FILE`] || undefined
  if (file === undefined) return own
  if (own !== undefined) return yield* faultIn(`${name}_FILE`, `${name} as well`, "one of the two")
  const text = yield* Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: (error) => faultIn(`${name}_FILE`, `a file that cannot be read (${Object(error).code ?? "unknown"})`, "a file with the value"),
  })
  return text.trim() || undefined
})

/** The files whose content is the value of a variable. */
export const filesOf = ({ environment }: Pick<Source, "environment">, keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...variables, ...generic(environment, keys), ...otelNames.map((name) => ({ name }))].flatMap(
    ({ name }) => environment[`${name}_FILE`] || [],
  )

/** Several secrets, newest first: a list in JSON, or the lines of a file. */
const secretsOf = (text: string): unknown => {
  const json = parsedJson(text)
  if (Array.isArray(json)) return json
  const lines = text.split(/\r?\n/).filter((line) => line !== "")
  return lines.length > 1 ? lines : text
}

/** JSON where the text is JSON, such as a number, a list or a quoted text, else the text. */
const settingOf = (text: string): unknown => parsedJson(text) ?? (text === "null" ? null : text)

const prefix = "SALLYPORT_"
const fileSuffix = /_FILE$/

/**
 * The settings that generic variables name: `SALLYPORT_SESSION__EXPIRES_IN` is `session.expires_in`. Without `__` only the keys of the
 * configuration count, since Kubernetes sets variables such as `SALLYPORT_SERVICE_HOST` for a service of that name.
 */
const generic = (environment: Environment, keys: ReadonlyArray<string>) => {
  const named = new Set(variables.map(({ name }) => name))
  const names = Object.keys(environment).map((name) => (isSet(environment[name]) ? name.replace(fileSuffix, "") : ""))
  return [...new Set(names)].flatMap((name) => {
    if (!name.startsWith(prefix) || named.has(name)) return []
    const path = name.slice(prefix.length).toLowerCase().split("__")
    return path.length > 1 || keys.includes(path[0] ?? "") ? [{ name, path }] : []
  })
}

const isSet = (text: string | undefined) => text !== undefined && text !== ""

const withValue = (raw: Raw, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): Raw => ({
  ...raw,
  [key]: rest.length === 0 ? value : withValue(isJsonObject(raw[key]) ? raw[key] : {}, rest, value),
})

/** The members of a section that are from variables: they are kept when another variable selects another kind. */
const given = (section: JsonObject, name: string, sources: ReadonlyMap<string, string>) => {
  const keys = [...sources.keys()].flatMap((path) => (path.startsWith(`${name}.`) ? [path.split(".")[1] ?? ""] : []))
  return Object.fromEntries(Object.entries(section).filter(([key]) => keys.includes(key)))
}

/** Overrides the file by environment variables; `sources` maps each overridden key to its variable. `keys` are those of the configuration. */
export const overlay = Effect.fnUntraced(function* overlay(file: Raw, environment: Environment, keys: ReadonlyArray<string>) {
  let raw: Raw = file
  const sources = new Map<string, string>()
  for (const { name, path } of generic(environment, keys)) {
    const text = yield* valueOf(environment, name)
    if (text === undefined) continue
    raw = withValue(raw, path, settingOf(text))
    sources.set(path.join("."), name)
  }
  for (const name of otelNames) {
    const text = yield* valueOf(environment, name)
    const telemetry = isJsonObject(raw["telemetry"]) ? raw["telemetry"] : {}
    const before = isJsonObject(telemetry["traces"]) ? telemetry["traces"] : {}
    const set = text === undefined ? undefined : otelSetting(name, text, before, environment)
    if (set === undefined) continue
    raw = withValue(raw, ["telemetry", "traces"], { ...before, ...set })
    for (const key of Object.keys(set)) sources.set(`telemetry.traces.${key}`, name)
  }
  for (const { name, path, kindOf, only } of variables) {
    const text = yield* valueOf(environment, name)
    const [section, key] = path
    if (text === undefined) continue

    const before = isJsonObject(raw[section]) ? raw[section] : {}
    if (only !== undefined && before["kind"] !== only) continue
    const picked = kindOf?.(text)
    const kept = picked === undefined || before["kind"] === picked ? before : { ...given(before, section, sources), kind: picked }
    const value = section === "secret" ? secretsOf(text) : /^\d+$/.test(text) && key === "port" ? Number(text) : text
    raw = { ...raw, [section]: key === undefined ? value : { ...kept, [key]: value } }
    sources.set(path.join("."), name)
  }
  return { raw, sources }
})

/** The variables that add what a configuration with `environment: "fill"` lacks. The `DATABASE_URL` of an application is not one of them. */
const filling = { secret: "SALLYPORT_SECRET", public_url: "SALLYPORT_PUBLIC_URL", store: "SALLYPORT_DATABASE_URL" } as const

/** Adds the variables of `.env.local` and `.env` that are not set, as frameworks do. Returns whether it added some. */
export const addEnvironmentFiles = ({ directory, environment }: Source): boolean => {
  const texts = [".env", ".env.local"].map((name) => resolve(directory, name)).filter(existsSync)
  const added = Object.assign({}, ...texts.map((path) => parseEnv(readFileSync(path, "utf8"))), environment)
  const isChanged = Object.keys(added).length > Object.keys(environment).length
  Object.assign(environment, added)
  return isChanged
}

/** The configuration with the values of environment variables where it has none. */
export const filled = Effect.fnUntraced(function* filled(given: Raw, environment: Environment) {
  let raw: Raw = given
  const sources = new Map<string, string>()
  for (const [key, name] of Object.entries(filling)) {
    if (given[key] !== undefined) continue
    const text = yield* valueOf(environment, name)
    if (text === undefined) continue
    const kind = adapters.store.findLast(({ variables }) => variables?.some(({ selects }) => selects?.(text)))?.kind
    raw = { ...raw, [key]: key === "secret" ? secretsOf(text) : key === "store" ? { kind, url: text } : text }
    sources.set(key === "store" ? "store.url" : key, name)
  }
  return { raw, sources }
})
