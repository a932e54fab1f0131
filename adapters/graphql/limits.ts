import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from "graphql"
import { defaultPageSize } from "../../application/service/paging.ts"
import { connectionMark, defaultFirst } from "./connections.ts"

/** The size of a document as written, independent of the data that it requests. */
interface Size {
  readonly depth: number
  /** Aliases, and repeated fields of one selection set, which cause the same work as aliases. */
  readonly aliases: number
  /** The name of a fragment that spreads itself, directly or through others. */
  readonly cycle: string | undefined
}

const nothing: Size = { depth: 0, aliases: 0, cycle: undefined }

/** Adds the sizes of two parts of a document. */
const both = (one: Size, other: Size): Size => ({
  depth: Math.max(one.depth, other.depth),
  aliases: one.aliases + other.aliases,
  cycle: one.cycle ?? other.cycle,
})

/** Measures a document as written. Each fragment is measured once, so that the time grows only with the length of the document. */
export const sizeOf = (document: DocumentNode): Size => {
  const fragments = fragmentsOf(document)
  const measured = new Map<string, Size | "begun">()

  const fragment = (name: string): Size => {
    const known = measured.get(name)
    if (known === "begun") return { ...nothing, cycle: name }
    const definition = fragments.get(name)
    if (known !== undefined || definition === undefined) return known ?? nothing
    measured.set(name, "begun")
    const size = selections(definition.selectionSet)
    measured.set(name, size)
    return size
  }
  const selections = ({ selections: all }: SelectionSetNode, names = new Set<string>()): Size =>
    all.reduce((size, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return both(size, fragment(selection.name.value))
      return both(size, selection.kind === Kind.FIELD ? field(selection, names) : selections(selection.selectionSet, names))
    }, nothing)
  const field = (node: FieldNode, names: Set<string>): Size => {
    const { depth, aliases, cycle } = node.selectionSet === undefined ? nothing : selections(node.selectionSet)
    const name = (node.alias ?? node.name).value
    const isAnother = node.alias !== undefined || names.has(name)
    names.add(name)
    // Introspection is deeper than data, and a separate validation rule limits its depth.
    return { depth: isIntrospection(node) ? 0 : depth + 1, aliases: aliases + (isAnother ? 1 : 0), cycle }
  }

  const sizes = document.definitions.map((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? fragment(each.name.value) : undefined))
  const cycle = sizes.find((size) => size?.cycle !== undefined)?.cycle
  const operations = document.definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? [selections(each.selectionSet)] : [],
  )
  return {
    depth: Math.max(0, ...operations.map(({ depth }) => depth)),
    aliases: Math.max(0, ...operations.map(({ aliases }) => aliases)),
    cycle: cycle ?? operations.find((size) => size.cycle !== undefined)?.cycle,
  }
}

/**
 * The number of comparisons of fields and fragments that validation needs to find out whether they can be merged. Counting stops above
 * `most`. The rule `OverlappingFieldsCanBeMerged` compares each pair of spreads of a selection set, and each pair of fields of one name
 * after spreading. Without a limit, 130 fragments with one field each stall all other clients.
 */
export const comparisonsOf = (document: DocumentNode, most: number): number => {
  const fragments = fragmentsOf(document)
  const spread = new Set<string>()
  let count = 0

  /** Adds the fields of a selection set by name, those of its fragments included, each fragment once. */
  const collect = (set: SelectionSetNode, fields: Map<string, Array<FieldNode>>, seen: Set<string>): number =>
    set.selections.reduce((spreads, selection) => {
      count += 1
      if (selection.kind === Kind.INLINE_FRAGMENT) return spreads + collect(selection.selectionSet, fields, seen)
      const name = (selection.kind === Kind.FIELD && selection.alias?.value) || selection.name.value
      if (selection.kind === Kind.FIELD) {
        const same = fields.get(name)
        if (same === undefined) fields.set(name, [selection])
        else same.push(selection)
        return spreads
      }
      spread.add(name)
      const definition = fragments.get(name)
      if (definition === undefined || seen.has(name)) return spreads
      seen.add(name)
      return spreads + 1 + collect(definition.selectionSet, fields, seen)
    }, 0)
  /** Counts the comparisons in selection sets that are merged into one. */
  const merge = (sets: ReadonlyArray<SelectionSetNode>): void => {
    const fields = new Map<string, Array<FieldNode>>()
    let spreads = 0
    for (const set of sets) {
      if (count > most) return
      spreads += collect(set, fields, new Set())
    }
    count += pairs(spreads)
    for (const same of fields.values()) {
      count += pairs(same.length)
      if (count > most) return
      const inner = same.flatMap(({ selectionSet }) => selectionSet ?? [])
      if (inner.length > 0) merge(inner)
    }
  }

  for (const each of document.definitions) {
    if (each.kind !== Kind.OPERATION_DEFINITION) continue
    // Several rules about variables visit each operation again.
    count += perOperation
    merge([each.selectionSet])
  }
  // The rule also checks fragments that no operation uses.
  for (const [name, { selectionSet }] of fragments) if (!spread.has(name)) merge([selectionSet])
  return count
}

/** The cost of an operation, as a number of comparisons, in addition to those of its fields. */
const perOperation = 100

const pairs = (count: number) => (count * (count - 1)) / 2

/**
 * Whether a value contains more than `most` values. Variables have the same limit as the tokens of a document, since they could also be
 * written there.
 */
export const hasMoreValuesThan = (most: number, value: object): boolean => {
  const waiting: Array<unknown> = [value]
  for (let next = 0; next < waiting.length; next++) {
    const each = waiting[next]
    if (typeof each !== "object" || each === null) continue
    const keys = Object.keys(each)
    if (waiting.length + keys.length - 1 > most) return true
    for (const key of keys) waiting.push(each[key as keyof typeof each])
  }
  return false
}

/** The maximum number of objects in the response to a valid document. */
export const costOf = (schema: GraphQLSchema, document: DocumentNode, variables: Variables): number => {
  const fragments = fragmentsOf(document)
  const counted = new Map<string, number>()

  const spread = (name: string, listed: number): number => {
    const key = `${name} ${listed}`
    const known = counted.get(key)
    const definition = fragments.get(name)
    if (known !== undefined || definition === undefined) return known ?? 0
    const cost = selections(definition.selectionSet, schema.getType(definition.typeCondition.name.value), listed)
    counted.set(key, cost)
    return cost
  }
  const selections = (set: SelectionSetNode, type: GraphQLNamedType | undefined, listed: number): number =>
    set.selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sum + spread(selection.name.value, listed)
      if (selection.kind === Kind.FIELD) return sum + field(selection, type, listed)
      const condition = selection.typeCondition
      return sum + selections(selection.selectionSet, condition === undefined ? type : schema.getType(condition.name.value), listed)
    }, 0)
  /** `outer` is the assumed length of a list that has no length argument. */
  const field = (node: FieldNode, type: GraphQLNamedType | undefined, outer: number): number => {
    if (node.selectionSet === undefined || isIntrospection(node) || !isObjectType(type)) return 0
    const definition = type.getFields()[node.name.value]
    const inner = getNamedType(definition?.type)
    if (definition === undefined || !isCompositeType(inner)) return 0
    const own = isConnectionPart(type) ? 0 : 1
    const listed = isLimited(definition) ? limitOf(node, variables) : outer
    if (isBatch(definition)) return batchOf(node, variables) * (1 + selections(node.selectionSet, inner, defaultFirst))
    const isPaged = definition.args.some(({ name }) => name === "first")
    const isList = isListType(getNullableType(definition.type))
    const times = isPaged ? pageOf(node, variables) : isList && own > 0 ? listed : 1
    return times * (own + selections(node.selectionSet, inner, isPaged || isList ? defaultFirst : listed))
  }

  const costs = document.definitions.flatMap((each) => {
    if (each.kind !== Kind.OPERATION_DEFINITION) return []
    return [selections(each.selectionSet, schema.getRootType(each.operation) ?? undefined, defaultFirst)]
  })
  return Math.max(0, ...costs)
}

type Variables = Readonly<Record<string, unknown>>

const pageOf = (node: FieldNode, variables: Variables): number =>
  Math.max(1, numberIn(argumentOf(node, "first"), variables) ?? numberIn(argumentOf(node, "last"), variables) ?? defaultFirst)

/** Marks a field that returns a list as long as the list in its argument. */
export const batchMark = { "sallyport/batch": true } as const

const isBatch = ({ extensions }: GraphQLField<unknown, unknown>) => Object.keys(batchMark).every((mark) => mark in extensions)

const batchOf = ({ arguments: [argument] = [] }: FieldNode, variables: Variables): number => {
  const value = argument?.value
  const values = value?.kind === Kind.VARIABLE ? variables[value.name.value] : value?.kind === Kind.LIST ? value.values : undefined
  return Array.isArray(values) ? Math.max(1, values.length) : 1
}

/** Whether the input of an operation limits the length of the lists in its output. */
const isLimited = ({ args }: GraphQLField<unknown, unknown>): boolean => {
  const type = getNamedType(args.find(({ name }) => name === "input")?.type)
  return isInputObjectType(type) && type.getFields()["limit"] !== undefined
}

const limitOf = (node: FieldNode, variables: Variables): number => {
  const input = argumentOf(node, "input")
  if (input?.kind === Kind.VARIABLE) {
    const { limit } = (variables[input.name.value] ?? {}) as { readonly limit?: unknown }
    return typeof limit === "number" ? Math.max(1, limit) : defaultPageSize
  }
  const limit = input?.kind === Kind.OBJECT ? input.fields.find(({ name }) => name.value === "limit")?.value : undefined
  return Math.max(1, numberIn(limit, variables) ?? defaultPageSize)
}

const argumentOf = ({ arguments: given = [] }: FieldNode, argument: string): ValueNode | undefined =>
  given.find(({ name }) => name.value === argument)?.value

const numberIn = (value: ValueNode | undefined, variables: Variables): number | undefined => {
  const number = value?.kind === Kind.VARIABLE ? variables[value.name.value] : value?.kind === Kind.INT ? Number(value.value) : undefined
  return typeof number === "number" ? number : undefined
}

/** Whether a type is part of a connection: its rows are counted at the field with the page. */
const isConnectionPart = ({ extensions }: GraphQLNamedType) => Object.keys(connectionMark).every((mark) => mark in extensions)

const isIntrospection = ({ name }: FieldNode) => name.value === "__schema" || name.value === "__type"

const fragmentsOf = (document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])))
