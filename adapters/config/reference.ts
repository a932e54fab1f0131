import { Effect, Exit, Schema, SchemaAST } from "effect"
import type { AnyDefinition } from "../../application/service/module.ts"
import { fields } from "./fields.ts"
import { variablesFor } from "./source.ts"

// The settings as the configuration's schema declares them: the reference of the command `settings` and of the site.

export interface Setting {
  /** The path of the setting, such as `session.expires_in`. `[]` follows the name of a list. */
  readonly path: string
  /** The `kind` that the setting belongs to, as in `store`. */
  readonly kind?: string
  readonly type: string
  readonly default: Default
  /** Sentences in Markdown (`about` of `domain/settings.ts`). Without it, the setting is described with the section that it is in. */
  readonly description: string | undefined
  /** The short names of environment variables that override it. */
  readonly variables: ReadonlyArray<string>
  /** `closed`: a number, a switch or one of a few texts, which reveal nothing. `secret`: never shown. */
  readonly content: "closed" | "secret" | "open"
}

type Default = { readonly is: "required" } | { readonly is: "none" } | { readonly is: "value"; readonly value: unknown }

type Property = SchemaAST.PropertySignature

const encodedOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  const link = ast.encoding?.at(-1)
  return link === undefined ? ast : encodedOf(link.to)
}

const expectedOf = (ast: SchemaAST.AST): string | undefined => {
  const encoded = ast.encoding === undefined ? undefined : expectedOf(ast.encoding.at(-1)!.to)
  const own = [ast.checks?.[0]?.annotations?.["expected"], ast.annotations?.["expected"]].find((text) => typeof text === "string")
  return encoded ?? own
}

const literalOf = (ast: SchemaAST.AST) => (SchemaAST.isLiteral(ast) ? `\`${String(ast.literal)}\`` : typeOf(ast))

/** Effect's words for a text with at least one character. */
const notEmpty = "a value with a length of at least 1"

const numberOf = (ast: SchemaAST.AST): string => {
  const bounds = ast.checks?.map(boundsOf).find((found) => found !== undefined)
  return bounds === undefined ? "a whole number" : `a whole number from ${bounds.minimum} to ${bounds.maximum}`
}

const boundsOf = ({ annotations }: SchemaAST.Check<never>): { readonly minimum: number; readonly maximum: number } | undefined => {
  const payload = annotations?.representation?.payload
  if (typeof payload !== "object" || payload === null || !("minimum" in payload) || !("maximum" in payload)) return undefined
  return { minimum: Number(payload.minimum), maximum: Number(payload.maximum) }
}

const expectedNumber = ({ annotations }: SchemaAST.AST): string | undefined => {
  const expected = annotations?.["expected"]
  return typeof expected === "string" ? expected : undefined
}

const typeOf = (ast: SchemaAST.AST): string => {
  const encoded = encodedOf(ast)
  if (SchemaAST.isNumber(encoded)) return expectedNumber(ast) ?? numberOf(ast)
  const expected = expectedOf(ast)
  if (expected === notEmpty) return "a text"
  if (expected !== undefined) return expected
  if (SchemaAST.isUnion(encoded)) return encoded.types.map(literalOf).join(" or ")
  if (SchemaAST.isLiteral(encoded)) return literalOf(encoded)
  if (SchemaAST.isArrays(ast)) return listOf(ast)
  if (SchemaAST.isString(encoded)) return "a text"
  if (SchemaAST.isBoolean(encoded)) return "`true` or `false`"
  if (SchemaAST.isNull(encoded)) return "`null`"
  return SchemaAST.isObjects(encoded) ? "an object" : "a value"
}

const listOf = ({ rest: [item] }: SchemaAST.Arrays): string =>
  item === undefined || membersOf(item).length > 0 ? "a list of objects" : `a list; each item: ${typeOf(item)}`

const defaultOf = ({ name, type }: Property): Default => {
  const decode = Schema.decodeUnknownEffect(Schema.Struct({ [name]: Schema.make<Schema.Codec<unknown>>(type) }))
  const decoded = Effect.runSyncExit(decode({}))
  if (Exit.isFailure(decoded)) return { is: "required" }
  return name in decoded.value ? { is: "value", value: Reflect.get(decoded.value, name) } : { is: "none" }
}

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<Property> => (SchemaAST.isObjects(ast) ? ast.propertySignatures : [])

const kindOf = (ast: SchemaAST.AST): string | undefined => {
  const kind = membersOf(ast).find(({ name }) => name === "kind")?.type
  return kind !== undefined && SchemaAST.isLiteral(kind) ? String(kind.literal) : undefined
}

const isSecret = (ast: SchemaAST.AST): boolean => {
  if (SchemaAST.isUnion(ast)) return ast.types.some(isSecret)
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].some(isSecret)
  return kindOfDeclaration(ast) === redacted
}
const kindOfDeclaration = ({ annotations }: SchemaAST.AST) => Reflect.get(Object(annotations?.["representation"]), "id")
const redacted = kindOfDeclaration(Schema.RedactedFromValue(Schema.String).ast)

const isClosed = (ast: SchemaAST.AST): boolean => {
  const encoded = encodedOf(ast)
  if (SchemaAST.isUnion(encoded)) return encoded.types.every(isClosed)
  return [SchemaAST.isNumber, SchemaAST.isBoolean, SchemaAST.isLiteral, SchemaAST.isNull].some((is) => is(encoded))
}

const contentOf = (ast: SchemaAST.AST): Setting["content"] => (isSecret(ast) ? "secret" : isClosed(ast) ? "closed" : "open")

const descriptionOf = ({ type }: Property): string | undefined => {
  const description = type.context?.annotations?.["description"]
  return typeof description === "string" ? description : undefined
}

const settingsIn = (properties: ReadonlyArray<Property>, within: string, kind?: string): ReadonlyArray<Setting> =>
  properties.flatMap((property) => {
    const path = `${within}${String(property.name)}`
    const description = descriptionOf(property)
    const self = {
      path,
      type: typeOf(property.type),
      default: defaultOf(property),
      description,
      variables: variablesFor(path),
      content: contentOf(property.type),
      ...(kind === undefined ? {} : { kind }),
    }
    const inner = settingsOf(property.type, path)
    if (description !== undefined) return [self, ...inner.filter(isListed)]
    const isSection = membersOf(property.type).length > 0 && self.default.is === "value"
    return isSection ? inner : [self, ...inner]
  })

/** Modules of your own need not describe their settings. */
const isListed = ({ path, description }: Setting) => description !== undefined || /^modules\.\w+\./.test(path)

/** The settings inside of a setting: of an object, of the kinds of a union, and of the objects of a list. */
const settingsOf = (ast: SchemaAST.AST, path: string): ReadonlyArray<Setting> => {
  if (SchemaAST.isArrays(ast)) return ast.rest.flatMap((item) => settingsIn(membersOf(item), `${path}[].`))
  if (!SchemaAST.isUnion(ast)) return settingsIn(membersOf(ast), `${path}.`)
  return ast.types.flatMap((type) => {
    const kind = kindOf(type)
    const others = membersOf(type).filter(({ name }) => name !== "kind")
    return kind === undefined ? [] : settingsIn(others, `${path}.`, kind)
  })
}

/** Every setting, in the order of the schema, with those of these modules. */
export const settingsWith = (definitions: ReadonlyArray<AnyDefinition>): ReadonlyArray<Setting> =>
  settingsIn(membersOf(Schema.Struct(fields(definitions)).ast), "")

/** A default in JSON, and otherwise in words. */
export const inWords = ({ default: given }: Pick<Setting, "default">): string =>
  given.is === "value" ? JSON.stringify(given.value) : given.is

/** A link in Markdown as its text, and the file that it leads to. */
export const withoutLinks = (text: string): string =>
  text.replace(/\(\[more\]\(([^)]*)\)\)/g, "($1)").replace(/\[([^\]]*)\]\(([^)]*)\)/g, "$1 ($2)")
