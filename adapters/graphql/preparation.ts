import { Result } from "effect"
import type { GraphQLError, GraphQLSchema, ValidatedExecutionArgs } from "graphql"
import { validateExecutionArgs } from "graphql"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { AuthError } from "../../domain/errors.ts"
import { InvalidRequest } from "../../domain/errors.ts"
import type { Openness } from "./documents.ts"
import { makeDocuments, maxErrors } from "./documents.ts"
import { QueryTooComplex, refusedWith, UnknownDocument } from "./errors.ts"
import { costOf, holdsMoreThan } from "./limits.ts"
import { calledFirst } from "./operations.ts"
import type { Parameters } from "./parameters.ts"
import type { Settings } from "./settings.ts"

/** What is wrong with a document, its variables or its price. */
interface Faults {
  readonly errors: ReadonlyArray<GraphQLError>
  /** The endpoint whose input is wrong: it decides who learns that, and by which code. */
  readonly endpoint?: AnyEndpoint | undefined
}

/** What is to be executed, or why nothing is. */
type Prepared = Result.Result<ValidatedExecutionArgs, Faults>

/** Makes requests ready for execution. A request without a document is none of GraphQL's, and is refused as a whole. */
export const makePreparation = (
  schema: GraphQLSchema,
  settings: Settings,
  trusted: ReadonlyMap<string, string> | undefined,
  openness: Openness,
) => {
  const documents = makeDocuments(schema, settings, openness)

  const textOf = ({ query, documentId }: Parameters): Result.Result<string, AuthError> => {
    if (trusted !== undefined) return Result.fromNullishOr(trusted.get(documentId ?? ""), () => new UnknownDocument())
    return Result.fromNullishOr(query, () => new InvalidRequest({ message: "query: Missing key" }))
  }

  const { max_tokens, max_cost } = settings
  const prepared = (text: string, { variables, operationName }: Parameters): Prepared => {
    if (holdsMoreThan(max_tokens, variables)) return tooComplex(`The variables hold more than ${max_tokens} values.`)
    const read = documents.read(text)
    if (Result.isFailure(read)) {
      const { errors, document } = read.failure
      return Result.fail({ errors, endpoint: document && calledFirst(schema, document, operationName) })
    }
    const document = read.success
    const options = { maxCoercionErrors: maxErrors }
    const hideSuggestions = !openness.suggestions
    const checked = validateExecutionArgs({ schema, document, variableValues: variables, operationName, hideSuggestions, options })
    if (!("schema" in checked)) return Result.fail({ errors: checked, endpoint: calledFirst(schema, document, operationName) })
    const cost = costOf(schema, document, checked.variableValues.coerced)
    return cost <= max_cost ? Result.succeed(checked) : tooComplex(`The answer can hold ${cost} objects; ${max_cost} is the most.`)
  }

  return {
    prepare: (parameters: Parameters): Result.Result<Prepared, AuthError> =>
      Result.map(textOf(parameters), (text) => prepared(text, parameters)),
    /** Whether the document was read and validated before. */
    isKnown: (parameters: Parameters) => {
      const text = textOf(parameters)
      return Result.isSuccess(text) && documents.has(text.success)
    },
  }
}

const tooComplex = (message: string): Prepared => Result.fail({ errors: [refusedWith(QueryTooComplex, message)] })
