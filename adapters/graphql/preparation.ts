import { Effect, Result } from "effect"
import { type DocumentNode, type GraphQLError, type GraphQLSchema, Kind, type ValidatedExecutionArgs, validateExecutionArgs } from "graphql"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { makeDocuments, maxErrors, type SchemaExposure } from "./documents.ts"
import { QueryTooComplex, refusedWith } from "./errors.ts"
import { costOf, hasMoreValuesThan } from "./limits.ts"
import { firstEndpointCalled } from "./operations.ts"
import type { Settings } from "./settings.ts"

/** The faults of a document, its variables or its cost. */
export interface Faults {
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
  const options = { maxCoercionErrors: maxErrors }
  const hideSuggestions = !exposure.suggestions

  const faultsOf = (document: DocumentNode, { operationName }: Executed, errors: ReadonlyArray<GraphQLError>): Faults => ({
    errors,
    endpoint: firstEndpointCalled(schema, document, operationName),
  })
  /** The costs of documents without variables, which are always the same. */
  const fixedCosts = new WeakMap<DocumentNode, number>()
  const costWith = (document: DocumentNode, variables: Executed["variables"]): number => {
    const fixed = fixedCosts.get(document)
    if (fixed !== undefined) return fixed
    const cost = costOf(schema, document, variables)
    if (!hasVariables(document)) fixedCosts.set(document, cost)
    return cost
  }
  /** Checks the variables of a valid document, and its cost with them. */
  const measured = (document: DocumentNode, executed: Executed): Result.Result<ValidatedExecutionArgs, Faults> => {
    const { operationName, variables } = executed
    const execution = validateExecutionArgs({ schema, document, variableValues: variables, operationName, hideSuggestions, options })
    if (!("schema" in execution)) return Result.fail(faultsOf(document, executed, execution))
    const cost = costWith(document, execution.variableValues.coerced)
    return cost <= max_cost
      ? Result.succeed(execution)
      : Result.fail(tooComplex(`The response can contain ${cost} objects; the limit is ${max_cost}.`))
  }
  const excessOf = ({ variables }: Executed): Faults | undefined =>
    Object.keys(variables).length > 0 && hasMoreValuesThan(max_tokens, variables)
      ? tooComplex(`The variables contain more than ${max_tokens} values.`)
      : undefined

  return {
    /** The same as `prepare` without a pause, for a document in the cache; undefined for another one. */
    prepareKnown: (text: string, executed: Executed) => {
      const document = documents.known(text)
      if (document === undefined) return undefined
      const excess = excessOf(executed)
      return excess === undefined ? measured(document, executed) : Result.fail(excess)
    },
    prepare: Effect.fnUntraced(function* prepareDocument(
      text: string,
      executed: Executed,
    ): Effect.fn.Return<ValidatedExecutionArgs, Faults> {
      const excess = excessOf(executed)
      if (excess !== undefined) return yield* Effect.fail(excess)
      const document = yield* documents
        .read(text)
        .pipe(Effect.mapError(({ errors, document }) => (document === undefined ? { errors } : faultsOf(document, executed, errors))))
      return yield* Effect.fromResult(measured(document, executed))
    }),
  }
}
const hasVariables = ({ definitions }: DocumentNode): boolean =>
  definitions.some((each) => each.kind === Kind.OPERATION_DEFINITION && (each.variableDefinitions ?? []).length > 0)

export type Preparation = ReturnType<typeof makePreparation>

const tooComplex = (message: string): Faults => ({ errors: [refusedWith(QueryTooComplex, message)] })
