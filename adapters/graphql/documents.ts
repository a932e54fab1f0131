import { Array, Effect } from "effect"
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  ProvidedRequiredArgumentsRule,
  parse,
  specifiedRules,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
  validate,
} from "graphql"
import { InvalidRequest } from "../../domain/errors.ts"
import { makeDocumentCache } from "./document-cache.ts"
import { QueryTooComplex, refusedWith } from "./errors.ts"
import { comparisonsOf, sizeOf } from "./limits.ts"
import type { Settings } from "./settings.ts"

/** Why a document is not executed. */
interface Faults {
  readonly errors: ReadonlyArray<GraphQLError>
  /** The document, if only inputs of its operations are invalid. */
  readonly document?: DocumentNode
}

/** Rules, grouped so that each step of validation takes a few milliseconds at most. */
type Steps = ReadonlyArray<ReadonlyArray<ValidationRule>>

/**
 * The rules about values of arguments and variables. Their faults are reported as invalid input of the endpoint that the document calls.
 */
const inputRules: Steps = [[ValuesOfCorrectTypeRule, ProvidedRequiredArgumentsRule], [VariablesInAllowedPositionRule]]

/** The slow rules: they visit the fields or the operations of a document repeatedly. */
const slowRules: Steps = [[OverlappingFieldsCanBeMergedRule], [NoUndefinedVariablesRule, NoUnusedVariablesRule]]

const rulesPerStep = 15

/** A longer document is validated in several steps; a shorter one takes less than a millisecond. */
const longText = 1000

/** The maximum number of lines of a document: for each fault they are counted again to report its position. */
const maxLines = 10_000
/**
 * The maximum number of comparisons of fields and fragments: about 3 ms of validation. Fifty fragments with one field in common take 2,600.
 */
const maxComparisons = 4000
/** The maximum number of faults in a response. */
export const maxErrors = 10

/** Which information about the schema clients may get from the service. */
export interface SchemaExposure {
  readonly introspection: boolean
  /** Whether errors suggest names with a similar spelling. */
  readonly suggestions: boolean
}

/** Parses and validates documents, and refuses those that are invalid or too large. Cheap checks run first. */
export const makeDocuments = (
  schema: GraphQLSchema,
  { max_depth, max_aliases, max_tokens }: Pick<Settings, "max_depth" | "max_aliases" | "max_tokens">,
  { introspection, suggestions }: SchemaExposure,
) => {
  const quickRules = specifiedRules.filter((rule) => ![...slowRules, ...inputRules].flat().includes(rule))
  const introspectionRule = introspection ? SchemaOnceRule : NoSchemaIntrospectionCustomRule
  const structureRules: Steps = [...Array.chunksOf([...quickRules, introspectionRule], rulesPerStep), ...slowRules]
  const options = { maxErrors, hideSuggestions: !suggestions }
  const most = { maxLexicalTokens: max_tokens, maxComments: max_tokens }
  const cache = makeDocumentCache()

  /** Validates a short document in one step. Other requests are answered between the steps of a long one. */
  const faultsOf = Effect.fnUntraced(function* faultsOf(document: DocumentNode, steps: Steps, isLong: boolean) {
    for (const rules of isLong ? steps : [steps.flat()]) {
      if (isLong) yield* Effect.yieldNow
      const faults = validate(schema, document, rules, options)
      if (faults.length > 0) return faults
    }
    return []
  })
  const read = Effect.fnUntraced(function* read(text: string): Effect.fn.Return<DocumentNode, Faults> {
    if (text.split(/\r\n|[\n\r]/, maxLines + 1).length > maxLines)
      return yield* Effect.fail({ errors: [refusedWith(QueryTooComplex, `The document has more than ${maxLines} lines.`)] })
    const document = yield* Effect.try({
      try: () => parse(text, most),
      catch: (error) => ({ errors: [syntaxFault(error as GraphQLError)] }),
    })
    const tooMuch = excessOf(document)
    if (tooMuch !== undefined) return yield* Effect.fail({ errors: [tooMuch] })
    const isLong = text.length > longText
    const faults = yield* faultsOf(document, structureRules, isLong)
    if (faults.length > 0) return yield* Effect.fail({ errors: faults })
    const inputFaults = yield* faultsOf(document, inputRules, isLong)
    return inputFaults.length > 0 ? yield* Effect.fail({ errors: inputFaults, document }) : document
  })
  const excessOf = (document: DocumentNode): GraphQLError | undefined => {
    const { depth, aliases, cycle } = sizeOf(document)
    if (cycle !== undefined) return refusedWith(InvalidRequest, `The fragment ${cycle} forms a cycle.`)
    if (depth > max_depth) return refusedWith(QueryTooComplex, `Fields are nested ${depth} levels deep; the limit is ${max_depth}.`)
    if (aliases > max_aliases) {
      return refusedWith(QueryTooComplex, `There are ${aliases} aliases and repeated fields; the limit is ${max_aliases}.`)
    }
    if (comparisonsOf(document, maxComparisons) <= maxComparisons) return undefined
    return refusedWith(QueryTooComplex, "The operations and fragments of the document repeat too many fields.")
  }

  return {
    /** A valid document in the cache. */
    known: cache.get,
    read: (text: string): Effect.Effect<DocumentNode, Faults> =>
      Effect.tap(read(text), (document) => Effect.sync(() => cache.offer(text, document))),
  }
}

/** Too many tokens or comments exceed a limit; they are not a syntax error. */
const syntaxFault = (error: GraphQLError): GraphQLError => {
  const [limit] = /more than \d+ (tokens|comments)/.exec(error.message) ?? []
  return limit === undefined ? error : refusedWith(QueryTooComplex, `The document has ${limit}.`)
}

/** The schema is long, and aliases would repeat it in one response. */
const SchemaOnceRule: ValidationRule = (context) => ({
  Field: ({ alias, name }) => {
    const describes = name.value === "__schema" || context.getParentType()?.name.startsWith("__") === true
    if (alias === undefined || !describes) return
    context.reportError(refusedWith(QueryTooComplex, `Introspection fields must not have aliases: ${name.value}.`))
  },
})
