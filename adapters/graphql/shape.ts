import { SchemaAST } from "effect"

type AST = SchemaAST.AST

/** What a schema is to GraphQL. */
type Shape =
  | { readonly kind: "scalar"; readonly scalar: "String" | "Int" | "Float" | "Boolean" | "DateTime" }
  | { readonly kind: "enum"; readonly values: ReadonlyArray<string>; readonly ast: AST }
  | { readonly kind: "list"; readonly item: AST }
  | { readonly kind: "object"; readonly ast: SchemaAST.Objects }
  | { readonly kind: "union"; readonly members: ReadonlyArray<SchemaAST.Objects> }
  /** Its type is not what travels: the schema it is encoded to is. */
  | { readonly kind: "encoded" }
  /** Nothing that GraphQL has a type for. */
  | { readonly kind: "json" }

/** Whether there can be nothing, and what there is otherwise. */
interface Shaped {
  readonly nullable: boolean
  readonly ast: AST
  readonly shape: Shape
}

export const shaped = (ast: AST): Shaped => {
  if (SchemaAST.isSuspend(ast)) return shaped(ast.thunk())
  if (!SchemaAST.isUnion(ast)) return { nullable: isNothing(ast), ast, shape: shapeOf(ast) }
  const types = membersOf(ast)
  const present = types.filter((type) => !isNothing(type))
  const nullable = present.length < types.length
  if (present.length === 1) return { ...shaped(present[0]!), nullable }
  return { nullable, ast, shape: unionShape(ast, present) }
}

/** A union in a union is one union. */
const membersOf = (ast: AST): ReadonlyArray<AST> => (SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast])

const isNothing = (ast: AST) => SchemaAST.isNull(ast) || SchemaAST.isUndefined(ast) || SchemaAST.isVoid(ast)

const shapeOf = (ast: AST): Shape => {
  if (SchemaAST.isString(ast) || SchemaAST.isTemplateLiteral(ast)) return scalar("String")
  if (SchemaAST.isNumber(ast)) return scalar(ast.checks?.some((check) => represents(check.annotations, "isInt")) ? "Int" : "Float")
  if (SchemaAST.isBoolean(ast)) return scalar("Boolean")
  if (SchemaAST.isLiteral(ast)) return literalShape(ast)
  if (SchemaAST.isDeclaration(ast) && represents(ast.annotations, "DateTimeUtc")) return scalar("DateTime")
  if (ast.encoding !== undefined || SchemaAST.isDeclaration(ast)) return { kind: "encoded" }
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

const unionShape = (ast: SchemaAST.Union, present: ReadonlyArray<AST>): Shape => {
  if (present.every(isStruct)) return { kind: "union", members: present }
  const shapes = present.map(shapeOf)
  const [first] = shapes
  if (first?.kind === "scalar" && shapes.every((shape) => shape.kind === "scalar" && shape.scalar === first.scalar)) return first
  const texts = shapes.flatMap((shape) => (shape.kind === "enum" ? shape.values : []))
  return texts.length === shapes.length ? { kind: "enum", values: texts, ast } : { kind: "json" }
}

export const isStruct = (ast: AST): ast is SchemaAST.Objects =>
  SchemaAST.isObjects(ast) && ast.encoding === undefined && ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0

const represents = (annotations: unknown, id: string) => {
  const { representation } = (annotations ?? {}) as { readonly representation?: { readonly id?: string } }
  return representation?.id === `effect/schema/${id}`
}

/** A sentence about a member, from its key or from its schema; what is said of a shared type stands there. */
export const descriptionOf = (ast: AST): string | undefined => {
  const { description } = (ast.context?.annotations ?? {}) as { readonly description?: string }
  return description ?? (SchemaAST.resolveIdentifier(ast) === undefined ? SchemaAST.resolveDescription(ast) : undefined)
}

/** Whether a member's text is somebody's or something's id. */
export const isId = (member: string): boolean => /(^|_)ids?$/.test(member)
