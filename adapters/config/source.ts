import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { extname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { ConfigurationFault } from "./faults.ts"

/** What was said about a key, before anybody has judged it. */
export type Raw = Readonly<Record<string, unknown>>

/** Where a configuration comes from. */
export interface Source {
  /** The file that was named; without one, `sallyport.config.{ts,js,json}` is looked for. */
  readonly file?: string | undefined
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const names = ["sallyport.config.ts", "sallyport.config.js", "sallyport.config.json"]

/** An object that is no list. */
export const isRaw = (value: unknown): value is Raw => typeof value === "object" && value !== null && !Array.isArray(value)

const wrong = (file: string, found: string, wanted: string) =>
  new ConfigurationFault({ faults: [`${file}: found ${found}, wanted ${wanted}`] })

/** What the configuration file says; nothing when there is none. */
export const readSource = Effect.fnUntraced(function* ({ file, directory }: Source) {
  const path = file ?? names.find((name) => existsSync(resolve(directory, name)))
  if (path === undefined) return {}

  const read = readers[extname(path)]
  if (read === undefined) return yield* wrong(path, "an unknown kind of file", ".ts, .js or .json")
  if (!existsSync(resolve(directory, path))) return yield* wrong(path, "no such file", "a configuration file")

  const value = yield* Effect.tryPromise({
    try: () => read(resolve(directory, path)),
    catch: (error) => wrong(path, reasonOf(error), "a configuration file that can be read"),
  })
  return isRaw(value)
    ? value
    : yield* wrong(path, "something else", extname(path) === ".json" ? "an object" : "an object as its default export")
})

const importDefault = async (path: string): Promise<unknown> => (await import(pathToFileURL(path).href)).default

const readers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  ".ts": importDefault,
  ".js": importDefault,
  ".json": async (path) => JSON.parse(await readFile(path, "utf8")),
}

/** The parser's own words repeat a part of the text, which may be the secret. */
const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof SyntaxError)) return message.split("\n")[0] ?? ""
  return ["a mistake of syntax", ...(message.match(/line \d+ column \d+/) ?? [])].join(" in ")
}

/** A variable, the key it stands for, and the kind of store or mail that its value picks, or without which it says nothing. */
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
  // A sender is nothing to a mailer that sends no letters.
  { name: "MAIL_FROM", path: ["mail", "from"], only: "smtp" },
  { name: "TWILIO_AUTH_TOKEN", path: ["sms", "auth_token"], only: "twilio" },
  { name: "SMS_WEBHOOK_SECRET", path: ["sms", "secret"], only: "webhook" },
]

/** Lets environment variables override what the file says, and tells which keys they gave. */
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
