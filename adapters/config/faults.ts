import { Data, type SchemaAST, SchemaIssue } from "effect"

/** The configuration cannot be used; one line for each thing that is wrong with it. */
export class ConfigurationFault extends Data.TaggedError("ConfigurationFault")<{ readonly faults: ReadonlyArray<string> }> {
  override get message() {
    return this.faults.join("\n")
  }
}

/** One thing that is wrong: where, and what would be right. */
export interface Fault {
  readonly path: ReadonlyArray<PropertyKey>
  readonly wanted: string
  /** The keys there are, when this one is none of them. */
  readonly known?: ReadonlyArray<string>
}

/** Everything that is wrong with one value. */
export const faultsOf = (issue: SchemaIssue.Issue): ReadonlyArray<Fault> => {
  const unknown: Array<ReadonlyArray<string>> = []
  const leafHook: SchemaIssue.LeafHook = (leaf) => {
    if (leaf._tag !== "UnexpectedKey") return SchemaIssue.defaultLeafHook(leaf)
    return `${unknownKey}${unknown.push(keysOf(leaf.ast)) - 1}`
  }
  const { issues } = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })(issue)
  return issues.map(({ path = [], message }) => {
    const at = path.map((step) => (typeof step === "object" ? step.key : step))
    const known = message.startsWith(unknownKey) ? unknown[Number(message.slice(unknownKey.length))] : undefined
    if (known !== undefined) return { path: at, known, wanted: `one of ${known.join(", ")}` }
    return { path: at, wanted: message === "Missing key" ? "a value" : message.replace(/^Expected /, "") }
  })
}

const unknownKey = "\0"

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const { propertySignatures = [] } = ast as Partial<SchemaAST.Objects>
  return propertySignatures.map(({ name }) => String(name))
}

/** One line, `path: found X, wanted Y`. Says where the value came from when that is not the file, and never repeats a secret. */
export const line = (fault: Fault, value: unknown, source: string | undefined): string => {
  const path = fault.path.map(String)
  const kind = isObject(value) ? fault.wanted.match(/^an object whose `kind` is (.*)$/)?.[1] : undefined
  if (kind !== undefined) return line({ path: [...path, "kind"], wanted: kind }, Reflect.get(Object(value), "kind"), source)

  const found = fault.known === undefined ? described(path, value) : "an unknown key"
  const near = nearest(path.at(-1) ?? "", fault.known ?? [])
  return `${path.join(".")}: found ${found}${source === undefined ? "" : ` in ${source}`}, wanted ${near ?? words[fault.wanted] ?? fault.wanted}`
}

/** What the schema calls a type, in the words of the rest. */
const words: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value)

/** Sections whose keys only sound like secrets. */
const open = new Set(["public_url", "email_password", "links", "graphql"])

const isSecret = (path: ReadonlyArray<string>) =>
  !open.has(path[0] ?? "") && path.some((step) => /(^|_)(secret|password|token|credential|auth|key|url|header)s?$/.test(step))

const described = (path: ReadonlyArray<string>, value: unknown): string => {
  if (value === undefined) return "nothing"
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (isObject(value)) return "an object"
  if (typeof value === "function") return "a function"
  if (typeof value !== "string") return isSecret(path) ? `a ${typeof value}` : String(value)
  if (isSecret(path) || value.includes("@")) return masked(path, value)
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

const masked = (path: ReadonlyArray<string>, text: string): string => {
  const scheme = path.at(-1) === "url" ? text.match(/^[a-z][a-z0-9+.-]{0,20}:\/\//i)?.[0] : undefined
  return scheme === undefined ? `a text of ${Buffer.byteLength(text)} bytes` : `${scheme}…`
}

/** The key that was probably meant. */
const nearest = (typed: string, known: ReadonlyArray<string>): string | undefined => {
  const [best] = known.map((key) => ({ key, away: distance(typed, key) })).sort((left, right) => left.away - right.away)
  return best !== undefined && best.away <= Math.max(1, Math.floor(typed.length / 3)) ? best.key : undefined
}

/** How many letters have to be added, dropped or replaced (Levenshtein). */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      next.push(Math.min(row[column + 1]! + 1, next[column]! + 1, row[column]! + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row[to.length]!
}
