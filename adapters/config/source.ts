import { existsSync, realpathSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { extname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { ConfigurationFault } from "./faults.ts"

/** A configuration before it is decoded. */
export type Raw = Readonly<Record<string, unknown>>

/** The sources of a configuration. */
export interface Source {
  /** The path of the file; default: `sallyport.config.{ts,js,json}` in the directory. */
  readonly file?: string | undefined
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const names = ["sallyport.config.ts", "sallyport.config.js", "sallyport.config.json"]

export const isRaw = (value: unknown): value is Raw => typeof value === "object" && value !== null && !Array.isArray(value)

const faultIn = (file: string, found: string, wanted: string) =>
  new ConfigurationFault({ faults: [`${file}: found ${found}, wanted ${wanted}`] })

/** The content of the configuration file; empty without a file. */
export const readSource = Effect.fnUntraced(function* readSource({ file, directory }: Source) {
  const path = file ?? names.find((name) => existsSync(resolve(directory, name)))
  if (path === undefined) return {}

  const read = readers[extname(path)]
  if (read === undefined) return yield* faultIn(path, "an unknown kind of file", ".ts, .js or .json")
  if (!existsSync(resolve(directory, path))) return yield* faultIn(path, "no such file", "a configuration file")

  const value = yield* Effect.tryPromise({
    try: () => read(resolve(directory, path)),
    catch: (error) => faultIn(path, reasonOf(error, realpathSync(resolve(directory, path))), "a configuration file that can be read"),
  })
  return isRaw(value)
    ? value
    : yield* faultIn(path, "something else", extname(path) === ".json" ? "an object" : "an object as its default export")
})

const importDefault = async (path: string): Promise<unknown> => (await import(pathToFileURL(path).href)).default

const readers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  ".ts": importDefault,
  ".js": importDefault,
  ".json": async (path) => JSON.parse(await readFile(path, "utf8")),
}

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

/** The line of the fault where Node reports it; syntax errors of JavaScript modules have none. */
const placeOf = ({ message, stack = "" }: Error, path: string): ReadonlyArray<string> => {
  if (path.endsWith(".json")) return message.match(/line \d+ column \d+/) ?? []
  const afterName = [pathToFileURL(path).href, path].flatMap((name) => stack.split(`${name}:`).slice(1))
  const [line] = afterName.flatMap((rest) => rest.match(/^\d+/) ?? [])
  if (line !== undefined) return [`line ${line}`]
  // The stack of a fault in an imported file begins with the path of that file.
  return stack.match(/^(?:file:\/\/)?(?:\/|[A-Z]:\\).+:\d+(?=\n)/)?.slice(0, 1) ?? []
}

/** An environment variable, the key that it overrides, the kind of store or mail that its value selects, and the kind that it requires. */
interface Variable {
  readonly name: string
  readonly path: readonly [section: string, key?: string]
  readonly kind?: (value: string) => string
  readonly only?: string
}

const databaseKind = (url: string) => (/^mongodb(\+srv)?:/i.test(url) ? "mongo" : "postgres")

const variables: ReadonlyArray<Variable> = [
  { name: "SALLYPORT_SECRET", path: ["secret"] },
  { name: "SALLYPORT_PUBLIC_URL", path: ["public_url"] },
  { name: "HOST", path: ["listen", "host"] },
  { name: "PORT", path: ["listen", "port"] },
  { name: "DATABASE_URL", path: ["store", "url"], kind: databaseKind },
  { name: "SMTP_URL", path: ["mail", "url"], kind: () => "smtp" },
  // A mailer that sends nothing has no sender.
  { name: "MAIL_FROM", path: ["mail", "from"], only: "smtp" },
  { name: "TWILIO_AUTH_TOKEN", path: ["sms", "auth_token"], only: "twilio" },
  { name: "SMS_WEBHOOK_SECRET", path: ["sms", "secret"], only: "webhook" },
]

/** Overrides the file by environment variables; `sources` maps each overridden key to its variable. */
export const overlay = (file: Raw, environment: Source["environment"]) => {
  const raw: Record<string, unknown> = { ...file }
  const sources = new Map<string, string>()
  for (const { name, path, kind, only } of variables) {
    const text = environment[name]
    const [section, key] = path
    if (text === undefined || text === "") continue

    const before = isRaw(raw[section]) ? raw[section] : {}
    if (only !== undefined && before.kind !== only) continue
    const picked = kind?.(text)
    const kept = picked === undefined || before.kind === picked ? before : { kind: picked }
    raw[section] = key === undefined ? text : { ...kept, [key]: /^\d+$/.test(text) && key === "port" ? Number(text) : text }
    sources.set(path.join("."), name)
  }
  return { raw: raw as Raw, sources }
}
