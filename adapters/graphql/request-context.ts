import DataLoader from "dataloader"
import { Cause, Context, Effect, Exit, type Scope } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import { type AnyEndpoint, countsOnAddress, type Reply, statusOf } from "../../application/service/endpoint.ts"
import type { AnyGraphField, Page, Viewer } from "../../application/service/graph-field.ts"
import type { AnyEventStream } from "../../application/service/streams/event-stream.ts"
import type { OpenStream, StreamEvent } from "../../application/service/streams/reader.ts"
import type { AuthError } from "../../domain/errors.ts"
import { type Consumed, CountedClient, countRequest } from "../../domain/limits/limits.ts"
import type { countUnlessLive } from "../../domain/limits/live-session.ts"
import { Caller } from "../../domain/sessions/caller.ts"
import { anonymous, callerAfter, joined, type Outcome, outcomeOf, refusalOutcome, unchanged } from "../http/exchange.ts"
import { type Access, type Entity, loadEntities } from "./entities.ts"
import { isRefusal, refused } from "./errors.ts"

/** A value that may be there already: each promise would delay the response by a turn, in which fewer reads are joined into one query. */
type Answer<A> = A | Promise<A>

export const after = <A, B>(answer: Answer<A>, next: (value: A) => Answer<B>): Answer<B> =>
  answer instanceof Promise ? answer.then(next) : next(answer)

/** The context of yoga that resolvers get. */
export interface ResolverContext {
  readonly calls: RequestContext
}

/** One request: the resolvers of its fields call endpoints and load graph fields through it. */
export interface RequestContext {
  /** Calls an endpoint and returns the body of its reply. */
  readonly call: (endpoint: AnyEndpoint, raw: unknown) => Promise<unknown>
  readonly viewer: () => Answer<Viewer | null>
  /** Loads a graph field of one parent; the parents of one level are loaded in one batch. */
  readonly load: (graphField: AnyGraphField, parent: object, page: Page) => unknown
  /** Loads entities, those of one type in one batch. */
  readonly entities: (wanted: ReadonlyArray<{ readonly entity: Entity; readonly id: string }>) => Promise<ReadonlyArray<object | null>>
  /** Opens a stream of events. What was loaded for one event is not used for the next one. */
  readonly open: (stream: AnyEventStream, raw: object) => Promise<AsyncIterable<StreamEvent>>
  /** The event of the stream that is resolved. */
  readonly event: () => StreamEvent | undefined
  /** Whether the caller may read the SDL of the subgraph. */
  readonly readsSchema: boolean
  readonly run: <A>(effect: Effect.Effect<A, AuthError>) => Answer<A>
  /** The session and cookies of the response; the last field wins. */
  readonly outcome: () => Outcome
  /** The request budget after the fields that were counted; null when none was. */
  readonly budget: () => Consumed | null
}

export interface Request {
  readonly caller: Caller["Service"]
  /** Whether the request has the credential of the gateway. */
  readonly isGateway: boolean
  readonly readsSchema: boolean
  /** The id of the last event that the client has received, from its header field. */
  readonly lastEventId: string | undefined
  /** Closes the connection at once, when the client reads a stream too slowly. */
  readonly disconnect: () => Effect.Effect<void>
  /** Logs a defect and turns it into a refusal. */
  readonly onDefect: (defect: unknown) => Effect.Effect<never, AuthError>
}

/** The maximum number of entities in one read; their memberships are read too. */
const maxEntities = 100

/** The services that fields need besides `Caller`. The scope is that of the request, which ends with the response. */
export type Needs<R> =
  | Exclude<R | Effect.Services<typeof countUnlessLive>, Caller>
  | Effect.Services<ReturnType<typeof countRequest>>
  | Scope.Scope

/** Starts a request. The guard has counted its first field; every further field counts as one more request. */
export const makeRequestContext = <R>(
  auth: Auth<R>,
  services: Context.Context<Needs<R>>,
  signal: AbortSignal,
  request: Request,
): RequestContext => {
  const client = Context.get(services, CountedClient)
  let caller = request.caller
  let consumed: Consumed | null = null
  let cachedViewer: Answer<Viewer | null> | undefined
  let cachedAdministrator: ReturnType<Access["isAdministrator"]> | undefined
  const ofViewer = new Map<string, unknown>()
  const loaders = new Map<string, DataLoader<object, unknown>>()
  const entityLoaders = new Map<Entity, DataLoader<string, object | null>>()
  const outcomes: Array<Outcome> = []
  let event: StreamEvent | undefined

  const forgetLoaded = () => {
    cachedViewer = undefined
    cachedAdministrator = undefined
    ofViewer.clear()
    loaders.clear()
    entityLoaders.clear()
  }
  const exitOf = <A>(effect: Effect.Effect<A, AuthError, any>): Answer<Exit.Exit<A, AuthError>> => {
    const provided = effect.pipe(Effect.provideService(Caller, caller), Effect.catchDefect(request.onDefect))
    const fiber = Effect.runForkWith(services)(provided as Effect.Effect<A, AuthError>, { signal })
    return fiber.pollUnsafe() ?? new Promise((resolve) => void fiber.addObserver(resolve))
  }
  const run: RequestContext["run"] = (effect) =>
    after(exitOf(effect), (exit) => (Exit.isSuccess(exit) ? exit.value : Promise.reject(refused(Cause.squash(exit.cause) as AuthError))))

  /**
   * Counts a further field. Some fields count against the address; such a field is counted even if it is the first one and the request was
   * counted against its session.
   */
  const count = (index: number, onAddress: boolean): Answer<number> => {
    const isCounted = index === 0 && !(onAddress && (request.caller.credential !== null || client !== null))
    if (isCounted) return index
    const counted = onAddress ? countRequest(anonymous(request.caller)) : countRequest(request.caller, client)
    return after(run(counted as Effect.Effect<Consumed | null, AuthError>), (now) => {
      consumed = now ?? consumed
      return index
    })
  }
  /** Reserves the index of a field: outcomes apply in the order of the fields in the document, not of their completion. */
  const startField = (onAddress = false) => count(outcomes.push(unchanged) - 1, onAddress)
  /** Later fields run with the session and cookies that this one set. */
  const endField = (index: number, outcome: Outcome) => {
    outcomes[index] = outcome
    caller = callerAfter(caller, outcome)
  }

  const call: RequestContext["call"] = async (endpoint, raw) => {
    const index = await startField(countsOnAddress(endpoint))
    const exit = await exitOf(auth.call(endpoint, raw))
    if (endpoint.method === "POST") forgetLoaded()
    if (Exit.isSuccess(exit)) {
      endField(index, outcomeOf(endpoint, exit.value, caller))
      return exit.value.body
    }
    const error = Cause.squash(exit.cause) as AuthError
    endField(index, refusalOutcome(error))
    throw refused(error, statusOf(endpoint, error))
  }

  /** The viewer; cached until a mutation runs. */
  const current = (): Answer<Viewer | null> => {
    if (cachedViewer === undefined)
      cachedViewer = after(run(auth.viewer as Effect.Effect<Reply<Viewer | null>, AuthError>), ({ body, ...reply }) => {
        endField(outcomes.length, { ...reply, changed: false })
        return body
      })
    return cachedViewer
  }
  const viewer = () => after(startField(), current)

  const valuesOf = (graphField: AnyGraphField, parents: ReadonlyArray<unknown>, page: Page): Answer<ReadonlyArray<unknown>> =>
    after(current(), (viewer) => run(auth.load(graphField, viewer, parents, page) as Effect.Effect<ReadonlyArray<unknown>, AuthError>))

  const loaderOf = (graphField: AnyGraphField, key: string, page: Page) => {
    const loader =
      loaders.get(key) ??
      new DataLoader<object, unknown>(async (parents) => {
        const values = await valuesOf(graphField, parents, page)
        return values.map((each) => (isRefusal(each) ? refused(each) : each))
      })
    loaders.set(key, loader)
    return loader
  }
  const load: RequestContext["load"] = (graphField, parent, page) => {
    const key = `${auth.graphFields.indexOf(graphField)} ${JSON.stringify(page)}`
    if (graphField.on !== "viewer") return loaderOf(graphField, key, page).load(parent)
    // The only parent of these fields is the viewer: a batch would only delay them.
    const known = ofViewer.get(key)
    if (known !== undefined) return known
    const value = after(valuesOf(graphField, [parent], page), ([value]) => (isRefusal(value) ? Promise.reject(refused(value)) : value))
    ofViewer.set(key, value)
    return value
  }

  /** Whether the viewer is an administrator. This is looked up once for all entities. */
  const isAdministrator: Access["isAdministrator"] = (viewer) => {
    cachedAdministrator ??= Effect.runSync(Effect.cached(auth.isAdministrator(viewer)))
    return cachedAdministrator
  }
  const entityLoaderOf = (entity: Entity) => {
    const loader =
      entityLoaders.get(entity) ??
      new DataLoader<string, object | null>(
        async (ids) => {
          const { isGateway } = request
          const loaded: Effect.Effect<ReadonlyArray<object | null>, AuthError, any> = loadEntities(entity, ids, {
            viewer: isGateway ? null : await current(),
            isGateway,
            isAdministrator,
          })
          return run(loaded as Effect.Effect<ReadonlyArray<object | null>, AuthError>)
        },
        { maxBatchSize: maxEntities },
      )
    entityLoaders.set(entity, loader)
    return loader
  }
  const entities: RequestContext["entities"] = async (wanted) => {
    await startField()
    return Promise.all(wanted.map(({ entity, id }) => entityLoaderOf(entity).load(id)))
  }

  const open: RequestContext["open"] = async (stream, raw) => {
    await startField()
    const { lastEventId, disconnect } = request
    const input = lastEventId === undefined ? raw : { after: lastEventId, ...raw }
    const opened = auth
      .open(stream, await current(), input)
      .pipe(Effect.tap(({ overflowed }) => Effect.forkScoped(Effect.andThen(overflowed, disconnect()))))
    const here = await run(opened as Effect.Effect<OpenStream, AuthError>)
    // Not a generator: its `return` would wait until a pending `next` is settled.
    const events: AsyncIterator<StreamEvent, undefined> = {
      next: async () => {
        forgetLoaded()
        event = await run(here.next as Effect.Effect<StreamEvent | undefined, AuthError>)
        return event === undefined ? { done: true, value: undefined } : { done: false, value: event }
      },
      return: async () => {
        await run(here.close)
        return { done: true, value: undefined }
      },
    }
    return { [Symbol.asyncIterator]: () => events }
  }

  return {
    call,
    open,
    event: () => event,
    viewer,
    entities,
    readsSchema: request.readsSchema,
    run,
    load,
    outcome: () => outcomes.reduce(joined, unchanged),
    budget: () => consumed,
  }
}
