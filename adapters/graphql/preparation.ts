import { Effect, Result } from "effect"
import type { DocumentNode, GraphQLError, GraphQLSchema, ValidatedExecutionArgs } from "graphql"
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

/** The faults of a document, its variables or its cost. */
interface Faults {
  readonly errors: ReadonlyArray<GraphQLError>
  /** The endpoint with the invalid input: it decides which callers learn the faults, and with which code. */
  readonly endpoint?: AnyEndpoint | undefined
}

type Prepared = Effect.Effect<ValidatedExecutionArgs, Faults>

/** Parses, validates and measures requests. A request without a document fails with an `AuthError`, since it is not a GraphQL request. */
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
  const prepareText = Effect.fnUntraced(function* prepareText(
    text: string,
    { variables, operationName }: Parameters,
  ): Effect.fn.Return<ValidatedExecutionArgs, Faults> {
    if (holdsMoreThan(max_tokens, variables)) return yield* tooComplex(`The variables hold more than ${max_tokens} values.`)
    const endpointOf = (document: DocumentNode) => calledFirst(schema, document, operationName)
    const document = yield* documents
      .read(text)
      .pipe(Effect.mapError(({ errors, document }) => ({ errors, endpoint: document && endpointOf(document) })))
    const options = { maxCoercionErrors: maxErrors }
    const hideSuggestions = !openness.suggestions
    const execution = validateExecutionArgs({ schema, document, variableValues: variables, operationName, hideSuggestions, options })
    if (!("schema" in execution)) return yield* Effect.fail({ errors: execution, endpoint: endpointOf(document) })
    const cost = costOf(schema, document, execution.variableValues.coerced)
    return cost <= max_cost ? execution : yield* tooComplex(`The response can hold ${cost} objects; the limit is ${max_cost}.`)
  })

  return {
    prepare: (parameters: Parameters): Result.Result<Prepared, AuthError> =>
      Result.map(textOf(parameters), (text) => prepareText(text, parameters)),
    /** Whether the document was read and validated before. */
    isKnown: (parameters: Parameters) => {
      const text = textOf(parameters)
      return Result.isSuccess(text) && documents.has(text.success)
    },
  }
}

const tooComplex = (message: string): Effect.Effect<never, Faults> => Effect.fail({ errors: [refusedWith(QueryTooComplex, message)] })
