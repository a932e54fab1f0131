import { Data, SchemaAST, SchemaIssue } from "effect"
import { isJsonObject } from "../domain/values/json.ts"

/** The configuration is invalid; one line per fault. */
export class ConfigurationFault extends Data.TaggedError("ConfigurationFault")<{ readonly faults: ReadonlyArray<string> }> {
  override get message() {
    return this.faults.join("\n")
  }
}

/** One fault: the key, and the value that would be valid. */
export interface Fault {
  readonly path: ReadonlyArray<PropertyKey>
  readonly wanted: string
  /** The valid keys, when the fault is an unknown key. */
  readonly known?: ReadonlyArray<string>
  /** The valid values, where `wanted` does not list them. */
  readonly values?: ReadonlyArray<string>
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The faults of one value; `within` is the schema of the object or list that contains it. */
export const faultsOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey> = [], within?: SchemaAST.AST): ReadonlyArray<Fault> => {
  if (issue._tag === "Pointer") return faultsOf(issue.issue, [...path, ...issue.path], within)
  if (issue._tag === "Encoding") return faultsOf(issue.issue, path, within)
  if (issue._tag === "Composite") return issue.issues.flatMap((inner) => faultsOf(inner, path, issue.ast))
  if (issue._tag === "AnyOf" && issue.issues.some(isNoPort)) return portFaults(issue, path, within)
  if (issue._tag === "AnyOf" && issue.issues.length > 0) return issue.issues.flatMap((inner) => faultsOf(inner, path, within))
  if (issue._tag === "AnyOf" && isUnnamed(issue.ast)) return [{ path, wanted: either(issue.ast.types.map(expectedOf).map(inWords)) }]
  if (issue._tag === "UnexpectedKey") return [unexpected(path, keysOf(issue.ast))]
  if (issue._tag === "MissingKey") return [missing(issue, path, within)]
  return format(issue).issues.map(({ path: further = [], message }) => ({
    path: [...path, ...further.map(keyOf)],
    wanted: inWords(message),
    ...(issue._tag === "AnyOf" ? { values: literalsOf(issue.ast) } : {}),
  }))
}

const literalsOf = ({ types }: SchemaAST.Union): ReadonlyArray<string> =>
  types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : []))

/**
 * Whether the issue is that a value is not an adapter of the application. If the value selects a built-in adapter by `kind`, only the
 * issues of that adapter are reported.
 */
const isNoPort = (issue: SchemaIssue.Issue): boolean => issue._tag === "InvalidType" && SchemaAST.isDeclaration(issue.ast)

const portFaults = (issue: SchemaIssue.AnyOf, path: ReadonlyArray<PropertyKey>, within?: SchemaAST.AST): ReadonlyArray<Fault> => {
  const builtIn = issue.issues.filter((inner) => !isNoPort(inner))
  if (builtIn.length > 0) return builtIn.flatMap((inner) => faultsOf(inner, path, within))
  return [{ path, wanted: inWords(expectedOf(issue.ast)) }]
}

const keyOf = (step: PropertyKey | { readonly key: PropertyKey }) => (typeof step === "object" ? step.key : step)

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []

/** The fault of an unknown key. */
export const unexpected = (path: ReadonlyArray<PropertyKey>, known: ReadonlyArray<string>): Fault => ({
  path,
  known,
  wanted: `one of ${known.join(", ")}`,
})

const missing = ({ annotations }: SchemaIssue.MissingKey, path: ReadonlyArray<PropertyKey>, within: SchemaAST.AST | undefined): Fault => {
  if (within !== undefined && SchemaAST.isArrays(within)) return { path: path.slice(0, -1), wanted: "at least one" }
  const type = within !== undefined && SchemaAST.isObjects(within) ? typeAt(within, path.at(-1)) : undefined
  return { path, wanted: inWords(annotations?.messageMissingKey ?? (type === undefined ? "something" : expectedOf(type))) }
}

const typeAt = ({ propertySignatures }: SchemaAST.Objects, key: PropertyKey | undefined) =>
  propertySignatures.find(({ name }) => name === key)?.type

/** A description of the valid values of a type, as they are written in the configuration. */
const expectedOf = (ast: SchemaAST.AST): string => {
  const encoded = ast.encoding?.at(-1)?.to
  if (encoded !== undefined) return expectedOf(encoded)
  return ast.checks?.[0].annotations?.expected ?? SchemaIssue.defaultLeafHook(new SchemaIssue.InvalidType(ast))
}

/** A union without an `expected` annotation of its own. */
const isUnnamed = (ast: SchemaAST.AST): ast is SchemaAST.Union => SchemaAST.isUnion(ast) && ast.annotations?.["expected"] === undefined

const either = (all: ReadonlyArray<string>) => [all.slice(0, -1).join(", "), ...all.slice(-1)].filter((part) => part !== "").join(" or ")

/** One line, `path: found X, wanted Y`. Names the environment variable if the value is from one, and never repeats a secret. */
export const line = (fault: Fault, value: unknown, source: string | undefined): string => {
  const path = fault.path.map(String)
  const kind = isJsonObject(value) ? fault.wanted.match(/^an object whose `kind` is (.*)$/)?.[1] : undefined
  if (kind !== undefined) return line({ path: [...path, "kind"], wanted: kind }, Reflect.get(Object(value), "kind"), source)

  const found = fault.known === undefined ? described(path, value) : "an unknown key"
  const near = nearest(path.at(-1) ?? "", fault.known ?? []) ?? nearestValue(value, fault)
  return `${path.join(".")}: found ${found}${source === undefined ? "" : ` in ${source}`}, wanted ${near ?? fault.wanted}`
}

/** Rewrites the expectations of schemas in the words of the configuration. */
const inWords = (message: string): string => {
  const expected = message.replace(/^Expected /, "")
  if (/^"[^"]*"( \| "[^"]*")+$/.test(expected)) return expected.replace(/ \| (?=[^|]*$)/, " or ").replaceAll(" | ", ", ")
  return words[expected] ?? expected.replace(/^a value (?=(greater|less|between|that is a multiple) )/, "a number ")
}

const words: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  "object | array": "an object",
  array: "a list",
  "an integer": "a whole number",
  "a value with a length of at least 1": "a text that is not empty",
}

/** Sections whose keys look like the names of secrets but are not. */
const publicSections = new Set(["public_url", "email_password", "links", "graphql"])

const isSecret = (path: ReadonlyArray<string>) =>
  !publicSections.has(path[0] ?? "") && path.some((step) => /(^|_)(secret|password|token|credential|auth|key|url|header)s?$/.test(step))

const described = (path: ReadonlyArray<string>, value: unknown): string => {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (isJsonObject(value)) return "an object"
  if (typeof value === "function") return "a function"
  if (typeof value !== "string") return isSecret(path) ? `a ${typeof value}` : String(value)
  if (isSecret(path) || value.includes("@")) return masked(path, value)
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

const masked = (path: ReadonlyArray<string>, text: string): string => {
  const scheme = path.at(-1) === "url" ? text.match(/^[a-z][a-z0-9+.-]{0,20}:\/\//i)?.[0] : undefined
  if (text === "") return "an empty text (is its variable set?)"
  return scheme === undefined ? `a text of ${Buffer.byteLength(text)} bytes` : `${scheme}…`
}

const nearestValue = (value: unknown, { values = [] }: Fault): string | undefined => {
  const near = typeof value === "string" ? nearest(value, values) : undefined
  return near === undefined ? undefined : JSON.stringify(near)
}

/** The known key or value closest to a misspelled one. */
const nearest = (typed: string, known: ReadonlyArray<string>): string | undefined => {
  const [best] = known.map((key) => ({ key, away: distance(typed, key) })).sort((left, right) => left.away - right.away)
  return best !== undefined && best.away <= Math.max(1, Math.floor(typed.length / 3)) ? best.key : undefined
}

/** The Levenshtein distance. */
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
