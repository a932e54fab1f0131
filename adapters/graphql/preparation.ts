import { Effect } from "effect"
import type { DocumentNode, GraphQLError, GraphQLSchema, ValidatedExecutionArgs } from "graphql"
import { validateExecutionArgs } from "graphql"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { SchemaExposure } from "./documents.ts"
import { makeDocuments, maxErrors } from "./documents.ts"
import { QueryTooComplex, refusedWith } from "./errors.ts"
import { costOf, hasMoreValuesThan } from "./limits.ts"
import { firstEndpointCalled } from "./operations.ts"
import type { Settings } from "./settings.ts"

/** The faults of a document, its variables or its cost. */
interface Faults {
  readonly errors: ReadonlyArray<GraphQLError>
  /** The endpoint with the invalid input: it decides which callers get the faults, and with which code. */
  readonly endpoint?: AnyEndpoint | undefined
}

/** The operation of a document to execute, and its variables. */
export interface Executed {
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
}

/** Parses, validates and measures documents. */
export const makePreparation = (schema: GraphQLSchema, settings: Settings, exposure: SchemaExposure) => {
  const documents = makeDocuments(schema, settings, exposure)
  const { max_tokens, max_cost } = settings

  const prepare = Effect.fnUntraced(function* prepareDocument(
    text: string,
    { variables, operationName }: Executed,
  ): Effect.fn.Return<ValidatedExecutionArgs, Faults> {
    if (hasMoreValuesThan(max_tokens, variables)) return yield* tooComplex(`The variables contain more than ${max_tokens} values.`)
    const endpointOf = (document: DocumentNode) => firstEndpointCalled(schema, document, operationName)
    const document = yield* documents
      .read(text)
      .pipe(Effect.mapError(({ errors, document }) => ({ errors, endpoint: document && endpointOf(document) })))
    const options = { maxCoercionErrors: maxErrors }
    const hideSuggestions = !exposure.suggestions
    const execution = validateExecutionArgs({ schema, document, variableValues: variables, operationName, hideSuggestions, options })
    if (!("schema" in execution)) return yield* Effect.fail({ errors: execution, endpoint: endpointOf(document) })
    const cost = costOf(schema, document, execution.variableValues.coerced)
    return cost <= max_cost ? execution : yield* tooComplex(`The response can contain ${cost} objects; the limit is ${max_cost}.`)
  })

  return { prepare, isKnown: documents.has }
}
export type Preparation = ReturnType<typeof makePreparation>

const tooComplex = (message: string): Effect.Effect<never, Faults> => Effect.fail({ errors: [refusedWith(QueryTooComplex, message)] })
