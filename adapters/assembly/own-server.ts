import { Cause, Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest } from "effect/http"
import { optional } from "../../application/modules/index.ts"
import type { Backend } from "../../backend/index.ts"
import { type AuthError, Unavailable } from "../../domain/errors.ts"
import type { Input } from "../config/fields.ts"
import { type Configuration, configurationOf } from "../config/load.ts"
import type { ConfigurationFault } from "../configuration-faults.ts"
import * as HttpShell from "../http/http-shell.ts"
import { type CallOptions, type CallResult, type Calls, makeCalls } from "./calls.ts"
import { assertNode } from "./node-version.ts"
import { Reload, type Reloaded } from "./reload.ts"
import { type Assembled, assemble, processServices, routes, running } from "./service.ts"
import { sessionReader } from "./session-reader.ts"
import { described } from "./start-fault.ts"

/** A service in your own process. */
export interface Sallyport<C> extends Backend {
  /**
   * Answers a request to an endpoint, to GraphQL or to a health check. `address` is the address of the peer that sent the request, which
   * the framework provides; without it, all requests count against one client. Of `x-forwarded-for`, only the entries that proxies of
   * `trusted_proxies` wrote are read.
   */
  readonly fetch: (request: Request, options?: { readonly address?: string | null }) => Promise<Response>
  /** Runs an operation without HTTP, for code that has checked the origin of its request. */
  readonly call: Calls<C>
  /**
   * Replaces secrets, `mail`, `sms`, `log.level` and `modules.events.webhooks` by those of another configuration, and names the settings
   * that only a new service changes. Rejects as the start does, without a change.
   */
  readonly reload: (configuration: Input) => Promise<Reloaded>
  /** Refuses new requests, waits for running ones and for mail that is due, then closes the store. */
  readonly close: () => Promise<void>
}

/** The address of a request's peer. */
class Peer extends Context.Service<Peer, { readonly address: string | null }>()("sallyport/Peer") {}

type PerRequest = Peer | HttpServerRequest.HttpServerRequest | Scope.Scope

/** The time that `close` waits for running requests, in milliseconds. */
const patience = 10_000

/**
 * Starts the service in this process. The configuration is that of `sallyport.config.ts`; no environment variable overrides it, and
 * `listen` has no effect. Rejects with every fault of the configuration, or when the store, the key management or Redis cannot be used. The
 * message of the error is the text that the command prints.
 */
export const sallyport = async <const C extends Input>(input: C): Promise<Sallyport<C>> => {
  assertNode(process.versions)
  const configuration = await run(configurationOf({ ...input }, optional))
  const assembled = await run(assemble(configuration))
  const scope = Scope.makeUnsafe()
  const built = await Effect.runPromiseExit(build(assembled, configuration).pipe(Scope.provide(scope)))
  if (Exit.isFailure(built)) {
    await Effect.runPromise(Scope.close(scope, built))
    throw described(Cause.squash(built.cause))
  }
  return opened(built.value, scope)
}

const run = <A>(effect: Effect.Effect<A, ConfigurationFault>): Promise<A> => Effect.runPromise(effect)

const build = Effect.fnUntraced(function* build(assembled: Assembled, configuration: Configuration) {
  const context = yield* Layer.build(Layer.provideMerge(running(assembled, configuration), processServices(configuration)))
  const app = yield* HttpRouter.toHttpEffect(routes(assembled, configuration)).pipe(
    Effect.provideService(HttpRouter.RouterConfig, HttpShell.options.routerConfig),
    Effect.provide(context),
  )
  const addressed = Effect.flatMap(Peer, ({ address }) =>
    Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
      request.modify({ remoteAddress: Option.fromNullishOr(address) }),
    ),
  )
  const calls = yield* Effect.provide(makeCalls(assembled.auth), context)
  const { apply } = Context.get(context, Reload)
  return {
    reload: (input: Input) => Effect.runPromiseExitWith(context)(apply(configurationOf({ ...input }, optional))),
    handle: HttpEffect.toWebHandlerWith<never, PerRequest>(Context.empty())(Effect.provide(addressed, context)),
    calls: calls.map(([name, call]) => [name, (options: CallOptions) => Effect.runPromiseWith(context)(call(options))] as const),
  }
})

/** The built service, until it is closed. */
const opened = <C>({ handle, calls, reload }: Effect.Success<ReturnType<typeof build>>, scope: Scope.Closeable): Sallyport<C> => {
  const tasks = makeTasks()
  const call = Object.fromEntries(
    calls.map(([name, call]) => [name, (options: CallOptions = {}) => tasks.run(() => call(options), refusedCall)]),
  )
  let closing: Promise<void> | undefined
  return {
    fetch: (request, { address = null } = {}) => tasks.run(() => handle(request, Context.make(Peer, { address })), refusedRequest),
    call: call as Calls<C>,
    getSession: sessionReader(call["getSession"]!),
    reload: async (input) => {
      const exit = await tasks.run(
        () => reload(input),
        () => Exit.fail(closedError),
      )
      if (Exit.isFailure(exit)) throw described(Cause.squash(exit.cause))
      return exit.value
    },
    close: () => {
      closing ??= tasks.close().then(() => Effect.runPromise(Scope.close(scope, Exit.void)))
      return closing
    },
  }
}

const closedError = new Unavailable({ message: "The service is closed." })
const { _tag: code, message, status } = closedError

/** The response to a request that does not reach the service. */
export const refusedResponse = ({ _tag: code, message, status }: AuthError) =>
  Response.json({ error: { code, message } }, { status, headers: { "cache-control": "no-store" } })

const refusedRequest = () => refusedResponse(closedError)

const refusedCall = (): CallResult<never> => ({ data: null, error: { code, message, status }, challenge: null, headers: new Headers() })

type Run = <A>(task: () => Promise<A>, closed: () => A) => Promise<A>

/** Counts running tasks, so that `close` can wait for them. */
const makeTasks = () => {
  const tasks = new Set<Promise<unknown>>()
  let isClosed = false
  const run: Run = (task, closed) => {
    if (isClosed) return Promise.resolve(closed())
    const running = task().finally(() => tasks.delete(running))
    tasks.add(running)
    return running
  }
  const close = async () => {
    isClosed = true
    const timeout = Promise.withResolvers<void>()
    const timer = setTimeout(timeout.resolve, patience)
    await Promise.race([Promise.allSettled(tasks), timeout.promise])
    clearTimeout(timer)
  }
  return { run, close }
}
