import { Result } from "effect"
import type { DocumentNode, GraphQLSchema, ValidationRule } from "graphql"
import { type GraphQLError, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from "graphql"
import { InvalidRequest } from "../../domain/Errors.ts"
import { makeDocumentCache } from "./DocumentCache.ts"
import { QueryTooComplex, refusedWith } from "./errors.ts"
import { sizeOf } from "./limits.ts"
import type { Settings } from "./settings.ts"

type Faults = ReadonlyArray<GraphQLError>

/** The most lines of a document: each fault counts them anew to say where it stands. */
const mostLines = 10_000
/** As many faults as somebody reads. */
export const maxErrors = 10

/** Reads documents and refuses what is wrong, or too much. What costs little to find out comes first. */
export const makeDocuments = (
  schema: GraphQLSchema,
  { max_depth, max_aliases, max_tokens, introspection }: Pick<Settings, "max_depth" | "max_aliases" | "max_tokens" | "introspection">,
  hideSuggestions: boolean,
) => {
  const rules = [...specifiedRules, introspection ? SchemaOnceRule : NoSchemaIntrospectionCustomRule]
  const most = { maxLexicalTokens: max_tokens, maxComments: max_tokens }
  const cache = makeDocumentCache()

  const read = (text: string): Result.Result<DocumentNode, Faults> => {
    if (text.split(/\r\n|[\n\r]/, mostLines + 1).length > mostLines)
      return Result.fail([refusedWith(QueryTooComplex, `The document has more than ${mostLines} lines.`)])
    const parsed = Result.try({ try: () => parse(text, most), catch: (error) => [syntaxFault(error as GraphQLError)] })
    if (Result.isFailure(parsed)) return parsed
    const document = parsed.success
    const tooMuch = excessOf(document)
    if (tooMuch !== undefined) return Result.fail([tooMuch])
    const faults = validate(schema, document, rules, { maxErrors, hideSuggestions })
    return faults.length > 0 ? Result.fail(faults) : Result.succeed(document)
  }
  const excessOf = (document: DocumentNode): GraphQLError | undefined => {
    const { depth, aliases, cycle } = sizeOf(document)
    if (cycle !== undefined) return refusedWith(InvalidRequest, `The fragment ${cycle} leads back to itself.`)
    if (depth > max_depth) return refusedWith(QueryTooComplex, `Fields stand ${depth} deep; ${max_depth} is the most.`)
    if (aliases <= max_aliases) return undefined
    return refusedWith(QueryTooComplex, `There are ${aliases} aliases and repeated fields; ${max_aliases} is the most.`)
  }

  return (text: string): Result.Result<DocumentNode, Faults> => {
    const known = cache.get(text)
    if (known !== undefined) return Result.succeed(known)
    const document = read(text)
    if (Result.isSuccess(document)) cache.offer(text, document.success)
    return document
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
