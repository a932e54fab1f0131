import { Cause, Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest } from "effect/http"
import { optional } from "../../application/modules/index.ts"
import { Outbox } from "../../domain/mail/outbox.ts"
import type { AnyExtension, Input } from "../config/input.ts"
import { type Configuration, configurationOf } from "../config/load.ts"
import { filled } from "../config/source.ts"
import * as HttpShell from "../http/http-shell.ts"
import { WaitFor } from "../process/waiting.ts"
import type { CallOptions, CallResult } from "./call.ts"
import { makeCalls } from "./calls.ts"
import { warnOfStaleTypes } from "./client-types.ts"
import { assertNode } from "./node-version.ts"
import { Reload } from "./reload.ts"
import type { Reloaded } from "./reloaded.ts"
import { type Assembled, assemble, processServices, routes, running } from "./service.ts"
import { described } from "./start-fault.ts"

/** A service that runs in this process. */
export interface Running {
  readonly fetch: (request: Request, address: string | null) => Promise<Response>
  /** The operations by their names. */
  readonly calls: Readonly<Record<string, (options: CallOptions) => Promise<CallResult<unknown>>>>
  readonly reload: (input: Input<AnyExtension>) => Promise<Reloaded>
  /** Delivers the messages that are due. */
  readonly deliver: () => Promise<void>
  /** Waits for running requests and for mail that is due, then closes the store. */
  readonly close: () => Promise<void>
}

class Peer extends Context.Service<Peer, { readonly address: string | null }>()("sallyport/Peer") {}

type PerRequest = Peer | HttpServerRequest.HttpServerRequest | Scope.Scope

/** The time that `close` waits for running requests, in milliseconds. */
const patience = 10_000

/** The decoded configuration; environment variables add what it lacks. */
export const completed = (input: Input<AnyExtension>) =>
  Effect.flatMap(filled({ ...input }, process.env), ({ raw, sources }) => configurationOf(raw, optional, sources))

/** Opens the store and builds the service. Rejects with an error whose message is the text that the command prints. */
export const start = async (configuration: Configuration): Promise<Running> => {
  assertNode(process.versions)
  const scope = Scope.makeUnsafe()
  const built = await Effect.runPromiseExit(
    Effect.flatMap(assemble(configuration), (assembled) => build(assembled, configuration)).pipe(
      Scope.provide(scope),
      // A use of the service tries again.
      Effect.provideService(WaitFor, 0),
    ),
  )
  if (Exit.isSuccess(built)) return runningOf(built.value, scope)
  await Effect.runPromise(Scope.close(scope, built))
  throw described(Cause.squash(built.cause))
}

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
  yield* Effect.forkScoped(Effect.provide(warnOfStaleTypes(assembled.auth, configuration), context))
  const { apply } = Context.get(context, Reload)
  return {
    reload: (input: Input<AnyExtension>) => Effect.runPromiseExitWith(context)(apply(completed(input))),
    // A message that is not delivered now waits for the next attempt.
    deliver: () => Effect.runPromiseWith(context)(Effect.ignoreCause(Context.get(context, Outbox).drain)),
    handle: HttpEffect.toWebHandlerWith<never, PerRequest>(Context.empty())(Effect.provide(addressed, context)),
    calls: calls.map(([name, call]) => [name, (options: CallOptions) => Effect.runPromiseWith(context)(call(options))] as const),
  }
})

const runningOf = ({ handle, calls, reload, deliver }: Effect.Success<ReturnType<typeof build>>, scope: Scope.Closeable): Running => {
  const tasks = new Set<Promise<unknown>>()
  const counted = <A>(task: Promise<A>): Promise<A> => {
    const running = task.finally(() => tasks.delete(running))
    tasks.add(running)
    return running
  }
  const finished = async () => {
    const timeout = Promise.withResolvers<void>()
    const timer = setTimeout(timeout.resolve, patience)
    await Promise.race([Promise.allSettled(tasks), timeout.promise])
    clearTimeout(timer)
  }
  return {
    fetch: (request, address) => counted(handle(request, Context.make(Peer, { address }))),
    calls: Object.fromEntries(calls.map(([name, call]) => [name, (options) => counted(call(options))])),
    reload: async (input) => {
      const exit = await counted(reload(input))
      if (Exit.isFailure(exit)) throw described(Cause.squash(exit.cause))
      return exit.value
    },
    deliver: () => counted(deliver()),
    close: () => finished().then(() => Effect.runPromise(Scope.close(scope, Exit.void))),
  }
}
