import type { ExecutionResult, GraphQLFieldConfig, ValidatedExecutionArgs, ValidatedSubscriptionArgs } from "graphql"
import { createSourceEventStream, executeSubscriptionEvent, GraphQLError } from "graphql"
import type { AnyEventStream } from "../../application/service/event-stream.ts"
import type { StreamEvent } from "../../application/service/stream-reader.ts"
import { iterable } from "./async-iterable.ts"
import { argumentOf, type makeInputs } from "./inputs.ts"
import { typeName } from "./names.ts"
import { type makeOutputs, shownOf } from "./outputs.ts"
import type { RequestContext } from "./request-context.ts"

/** The field of a stream of events. */
export const makeStreamField =
  (inputs: ReturnType<typeof makeInputs>, outputs: ReturnType<typeof makeOutputs>) =>
  (stream: AnyEventStream): GraphQLFieldConfig<any, RequestContext> => {
    const shown = outputs.output(stream.output.ast, typeName(stream.name))
    const { type, wire } = inputs.input(stream.input.ast, typeName(stream.name))
    return {
      type: shown.type,
      description: stream.summary,
      args: { input: { type: argumentOf(type) } },
      subscribe: (_, { input = {} }, context) => context.open(stream, wire(input) as object),
      resolve: ({ value }: StreamEvent) => shownOf(shown, value),
    }
  }

/** The members of a result's extensions that become fields of its server-sent event. */
export interface EventFields {
  /** The id of the event, which a client can resume after. */
  readonly id?: string
  /** Whether the stream ends with this result, so that the client does not reconnect. */
  readonly isLast: boolean
}

interface Subscription {
  readonly execution: ValidatedExecutionArgs
  /** The context that opens the stream. */
  readonly context: RequestContext
  /** The context of one event. Contexts keep what they load, so each event has its own. */
  readonly contextOfEvent: () => RequestContext
  readonly formatted: (errors: ReadonlyArray<GraphQLError>) => Promise<ExecutionResult>
}

/** Opens the stream of a subscription and executes its selection for each event. Returns the errors if the stream is refused. */
export const subscribed = async ({ execution, context, contextOfEvent, formatted }: Subscription) => {
  const args = { ...execution, contextValue: context } as ValidatedSubscriptionArgs
  const source = await createSourceEventStream(args)
  if (!(Symbol.asyncIterator in source)) return { errors: source.errors ?? [] }
  const events = (source as AsyncIterable<StreamEvent>)[Symbol.asyncIterator]()

  const resultOf = async (event: StreamEvent) => {
    const { data = null, errors = [] } = await executeSubscriptionEvent({ ...args, rootValue: event, contextValue: contextOfEvent() })
    return marked({ ...(errors.length === 0 ? {} : await formatted(errors)), data }, { id: event.id, isLast: false })
  }
  let isOver = false
  const next = async (): Promise<IteratorResult<ExecutionResult, undefined>> => {
    if (isOver) return over
    try {
      const { value, done } = await events.next()
      return done === true ? over : { done: false, value: await resultOf(value) }
    } catch (error) {
      isOver = true
      const last = error instanceof GraphQLError ? error : new GraphQLError("", { originalError: error as Error })
      return { done: false, value: marked(await formatted([last]), { isLast: true }) }
    }
  }
  const close = async () => {
    isOver = true
    await events.return?.()
    return over
  }
  return iterable<ExecutionResult>({ next, return: close })
}

const over = { done: true, value: undefined } as const

const marked = (result: ExecutionResult, event: EventFields): ExecutionResult => ({ ...result, extensions: { event } })

/** The fields of the server-sent event that a result becomes. */
export const eventFieldsOf = ({ extensions }: ExecutionResult) => extensions?.["event"] as EventFields
