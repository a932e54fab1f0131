import { SchemaAST, SchemaGetter } from "effect"

type AST = SchemaAST.AST

/** The kinds of GraphQL types that a schema can map to. */
type Shape =
  | { readonly kind: "scalar"; readonly scalar: "String" | "Int" | "Float" | "Boolean" | "DateTime" }
  | { readonly kind: "enum"; readonly values: ReadonlyArray<string>; readonly ast: AST }
  | { readonly kind: "list"; readonly item: AST }
  | { readonly kind: "object"; readonly ast: SchemaAST.Objects }
  | { readonly kind: "union"; readonly members: ReadonlyArray<SchemaAST.Objects> }
  /** Maps to the type of its encoded schema. */
  | { readonly kind: "encoded" }
  /** Has no GraphQL type. */
  | { readonly kind: "json" }

interface Shaped {
  readonly nullable: boolean
  readonly ast: AST
  readonly shape: Shape
}

export const shaped = (ast: AST): Shaped => {
  if (SchemaAST.isSuspend(ast)) return shaped(ast.thunk())
  if (!SchemaAST.isUnion(ast)) return { nullable: isNothing(ast), ast, shape: shapeOf(ast) }
  const types = membersOf(ast)
  const members = types.filter((type) => !isNothing(type))
  const nullable = members.length < types.length
  if (members.length === 1) return { ...shaped(members[0]!), nullable }
  return { nullable, ast, shape: unionShape(ast, members) }
}

/** The members of a union, nested unions flattened. */
const membersOf = (ast: AST): ReadonlyArray<AST> => (SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast])

/** Whether values are encoded before they are shown. The encoding of a text or a literal can change its value, or omit its member. */
export const isEncoded = (ast: AST): boolean => {
  if (hasEncoding(ast)) return true
  if (SchemaAST.isSuspend(ast)) return isEncoded(ast.thunk())
  return SchemaAST.isUnion(ast) ? ast.types.some(isEncoded) : shapeOf(ast).kind === "encoded"
}

/** Defaults of inputs are encodings too, which change no output. */
const hasEncoding = ({ encoding }: AST): boolean =>
  encoding?.some(({ to, transformation }) => transformation.encode !== SchemaGetter.passthrough() || hasEncoding(to)) === true

const isNothing = (ast: AST) => SchemaAST.isNull(ast) || SchemaAST.isUndefined(ast) || SchemaAST.isVoid(ast)

const shapeOf = (ast: AST): Shape => {
  if (SchemaAST.isString(ast) || SchemaAST.isTemplateLiteral(ast)) return scalar("String")
  if (SchemaAST.isNumber(ast)) return scalar(ast.checks?.some((check) => represents(check.annotations, "isInt")) ? "Int" : "Float")
  if (SchemaAST.isBoolean(ast)) return scalar("Boolean")
  if (SchemaAST.isLiteral(ast)) return literalShape(ast)
  if (isMoment(ast)) return scalar("DateTime")
  if (hasEncoding(ast) || SchemaAST.isDeclaration(ast)) return { kind: "encoded" }
  if (SchemaAST.isArrays(ast) && ast.elements.length === 0 && ast.rest.length === 1) return { kind: "list", item: ast.rest[0]! }
  return isStruct(ast) ? { kind: "object", ast } : { kind: "json" }
}

const scalar = (name: Extract<Shape, { readonly kind: "scalar" }>["scalar"]): Shape => ({ kind: "scalar", scalar: name })

const literalShape = (ast: SchemaAST.Literal): Shape => {
  if (typeof ast.literal === "string") return { kind: "enum", values: [ast.literal], ast }
  if (typeof ast.literal === "boolean") return scalar("Boolean")
  if (typeof ast.literal === "number") return scalar(Number.isInteger(ast.literal) ? "Int" : "Float")
  return { kind: "json" }
}

const unionShape = (ast: SchemaAST.Union, members: ReadonlyArray<AST>): Shape => {
  if (members.every(isStruct)) return { kind: "union", members }
  const shapes = members.map(shapeOf)
  const [first] = shapes
  if (first?.kind === "scalar" && shapes.every((shape) => shape.kind === "scalar" && shape.scalar === first.scalar)) return first
  const texts = shapes.flatMap((shape) => (shape.kind === "enum" ? shape.values : []))
  return texts.length === shapes.length ? { kind: "enum", values: texts, ast } : { kind: "json" }
}

export const isStruct = (ast: AST): ast is SchemaAST.Objects =>
  SchemaAST.isObjects(ast) && !hasEncoding(ast) && ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0

/** Whether a schema is that of times in UTC. */
export const isMoment = (ast: AST): boolean => SchemaAST.isDeclaration(ast) && represents(ast.annotations, "DateTimeUtc")

const represents = (annotations: unknown, id: string) => {
  const { representation } = (annotations ?? {}) as { readonly representation?: { readonly id?: string } }
  return representation?.id === `effect/schema/${id}`
}

/** The description of a member, from its key or its schema. The description of a shared type belongs to the type. */
export const descriptionOf = (ast: AST): string | undefined => {
  const { description } = (ast.context?.annotations ?? {}) as { readonly description?: string }
  return description ?? (SchemaAST.resolveIdentifier(ast) === undefined ? SchemaAST.resolveDescription(ast) : undefined)
}

export const isId = (member: string): boolean => /(^|_)ids?$/.test(member)
