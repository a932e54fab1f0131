import { Result } from "effect"
import type { DocumentNode, GraphQLError, GraphQLSchema, ValidationRule } from "graphql"
import {
  NoSchemaIntrospectionCustomRule,
  ProvidedRequiredArgumentsRule,
  parse,
  specifiedRules,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
  validate,
} from "graphql"
import { InvalidRequest } from "../../domain/errors.ts"
import { makeDocumentCache } from "./document-cache.ts"
import { QueryTooComplex, refusedWith } from "./errors.ts"
import { comparisonsOf, sizeOf } from "./limits.ts"
import type { Settings } from "./settings.ts"

/** Why a document does not run. */
interface Faults {
  readonly errors: ReadonlyArray<GraphQLError>
  /** The document, where nothing but inputs of its operations is wrong. */
  readonly document?: DocumentNode
}

/** The rules about what operations are given: what they find is the operation's to answer. */
const inputRules: ReadonlyArray<ValidationRule> = [ValuesOfCorrectTypeRule, ProvidedRequiredArgumentsRule, VariablesInAllowedPositionRule]

/** The most lines of a document: each fault counts them anew to say where it stands. */
const mostLines = 10_000
/** The most comparisons of fields and fragments: about 3 ms of validation. Fifty fragments with one field in common take 2,600. */
export const mostComparisons = 4000
/** As many faults as somebody reads. */
export const maxErrors = 10

/** What clients may learn of the schema from the service itself. */
export interface Openness {
  readonly introspection: boolean
  /** Whether faults name what is spelled alike. */
  readonly suggestions: boolean
}

/** Reads documents and refuses what is wrong, or too much. What costs little to find out comes first. */
export const makeDocuments = (
  schema: GraphQLSchema,
  { max_depth, max_aliases, max_tokens }: Pick<Settings, "max_depth" | "max_aliases" | "max_tokens">,
  { introspection, suggestions }: Openness,
) => {
  const structureRules = specifiedRules.filter((rule) => !inputRules.includes(rule))
  const rules = [...structureRules, introspection ? SchemaOnceRule : NoSchemaIntrospectionCustomRule]
  const options = { maxErrors, hideSuggestions: !suggestions }
  const most = { maxLexicalTokens: max_tokens, maxComments: max_tokens }
  const cache = makeDocumentCache()

  const read = (text: string): Result.Result<DocumentNode, Faults> => {
    if (text.split(/\r\n|[\n\r]/, mostLines + 1).length > mostLines)
      return Result.fail({ errors: [refusedWith(QueryTooComplex, `The document has more than ${mostLines} lines.`)] })
    const parsed = Result.try({ try: () => parse(text, most), catch: (error) => ({ errors: [syntaxFault(error as GraphQLError)] }) })
    if (Result.isFailure(parsed)) return parsed
    const document = parsed.success
    const tooMuch = excessOf(document)
    if (tooMuch !== undefined) return Result.fail({ errors: [tooMuch] })
    const faults = validate(schema, document, rules, options)
    if (faults.length > 0) return Result.fail({ errors: faults })
    const inputFaults = validate(schema, document, inputRules, options)
    return inputFaults.length > 0 ? Result.fail({ errors: inputFaults, document }) : Result.succeed(document)
  }
  const excessOf = (document: DocumentNode): GraphQLError | undefined => {
    const { depth, aliases, cycle } = sizeOf(document)
    if (cycle !== undefined) return refusedWith(InvalidRequest, `The fragment ${cycle} leads back to itself.`)
    if (depth > max_depth) return refusedWith(QueryTooComplex, `Fields stand ${depth} deep; ${max_depth} is the most.`)
    if (aliases > max_aliases) {
      return refusedWith(QueryTooComplex, `There are ${aliases} aliases and repeated fields; ${max_aliases} is the most.`)
    }
    if (comparisonsOf(document, mostComparisons) <= mostComparisons) return undefined
    return refusedWith(QueryTooComplex, "The operations and fragments of the document repeat too many fields.")
  }

  return {
    /** Whether the document is in the cache. */
    has: (text: string) => cache.get(text) !== undefined,
    read: (text: string): Result.Result<DocumentNode, Faults> => {
      const known = cache.get(text)
      if (known !== undefined) return Result.succeed(known)
      const document = read(text)
      if (Result.isSuccess(document)) cache.offer(text, document.success)
      return document
    },
  }
}

/** Too many tokens are too much to ask, not a mistake. */
const syntaxFault = (error: GraphQLError): GraphQLError => {
  const [limit] = /more than \d+ (tokens|comments)/.exec(error.message) ?? []
  return limit === undefined ? error : refusedWith(QueryTooComplex, `The document has ${limit}.`)
}

/** The schema is long, and by aliases it would be told as often as somebody likes. */
const SchemaOnceRule: ValidationRule = (context) => ({
  Field: ({ alias, name }) => {
    const describes = name.value === "__schema" || context.getParentType()?.name.startsWith("__") === true
    if (alias === undefined || !describes) return
    context.reportError(refusedWith(QueryTooComplex, `Descriptions of the schema have no aliases; ${name.value} has one.`))
  },
})
