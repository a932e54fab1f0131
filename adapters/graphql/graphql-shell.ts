import { Cause, Effect, identity, Option, Stream } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import * as HttpResponse from "effect/http/HttpServerResponse"
import type { GraphQLSchema } from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { AuthError } from "../../domain/errors.ts"
import * as Core from "../../domain/settings.ts"
import { isLocal } from "../../domain/values/url.ts"
import { Drain } from "../http/drain.ts"
import { disconnect, eventStream } from "../http/event-stream.ts"
import { makeExchange } from "../http/exchange.ts"
import { type Handle, makeGuard } from "../http/guard.ts"
import { jsonBody } from "../http/json-body.ts"
import { refuseDefect } from "../http/refusals.ts"
import { retryHeaders } from "../http/response-headers.ts"
import { selfContainedPage } from "../http/self-contained-page.ts"
import { HttpSettings } from "../http/settings.ts"
import { exactly } from "../http/target.ts"
import { retainedOnSuccess } from "../retained.ts"
import type { SchemaExposure } from "./documents.ts"
import { makeGatewayCheck } from "./gateway.ts"
import { render } from "./graphiql.ts"
import * as Refusals from "./refusals.ts"
import type { Needs } from "./request-context.ts"
import type { Settings } from "./settings.ts"
import { trustedDocuments } from "./trusted.ts"
import type { YogaOptions } from "./yoga.ts"

/**
 * The GraphQL routes, behind the same guard as the routes of REST. The first request that is executed loads graphql-js and builds the
 * schema; until a build succeeds, its fault is a defect of each such request.
 */
export const layer = <R>(auth: Auth<R>, schema: Effect.Effect<GraphQLSchema, Error>, settings: Settings) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { public_url } = yield* Core.Settings
      const path = settings.path as "/"
      const guard = yield* makeGuard(auth)
      const local = isLocal(new URL(public_url))
      const { graphiql: withPage = local, introspection = local } = settings
      const trusted = yield* trustedDocuments(settings.trusted_documents)
      const runFork = Effect.runForkWith(yield* Effect.context())
      const onError = (error: unknown) => void runFork(Effect.logError("A GraphQL request failed.", Cause.die(error)))
      const executor = yield* makeLazyExecutor(auth, schema, settings, { trusted, onError, introspection, suggestions: withPage })
      const run = yield* makeRunner(auth, executor, path, { introspection, isGateway: makeGatewayCheck(settings) })
      yield* router.add("POST", path, exactly(path, guard(run, undefined, { refuse, onSession: true, hasMachines: true, route: path })))
      yield* router.add(
        "GET",
        path,
        exactly(path, guard(withPage ? yield* showPage(path) : noPage, undefined, { refuse, isLinked: true, route: path })),
      )
    }),
  )

type Request = HttpServerRequest.HttpServerRequest

const refuse = (error: AuthError, { headers }: Request, _: unknown, always: Readonly<Record<string, string>>) => {
  const allow = error instanceof Refusals.MethodNotAllowed ? { allow: "POST" } : {}
  const response = Refusals.refusal(Refusals.envelope(error), headers["accept"])
  return Effect.succeed(HttpResponse.setHeaders(response, { ...always, ...retryHeaders(error), ...allow }))
}

const noPage: Handle<never> = () => Effect.fail(new Refusals.MethodNotAllowed())

/** The GraphiQL page, from an optional package of 18 MB: without it, no page is served. */
const showPage = (path: string) =>
  Effect.tryPromise(() => render(path)).pipe(
    Effect.map(selfContainedPage),
    Effect.tapError(() => Effect.logWarning("GraphiQL is not installed: npm install @graphql-yoga/render-graphiql")),
    Effect.option,
    Effect.cached,
    Effect.map(
      (cached): Handle<never> =>
        (request, address, id) =>
          request.headers["accept"]?.includes("text/html") === true
            ? Effect.flatMap(cached, Option.match({ onNone: () => noPage(request, address, id), onSome: Effect.succeed }))
            : noPage(request, address, id),
    ),
  )

/** The rights of a request that do not follow from its session. */
interface Rights {
  readonly introspection: boolean
  readonly isGateway: ReturnType<typeof makeGatewayCheck>
}

/** Everything that needs graphql-js takes 23 MB and a few hundred milliseconds, so it is built for the first request that needs it. */
const makeLazyExecutor = <R>(
  auth: Auth<R>,
  schema: Effect.Effect<GraphQLSchema, Error>,
  settings: Settings,
  options: SchemaExposure & YogaOptions,
) =>
  retainedOnSuccess(
    Effect.gen(function* buildExecutor() {
      const { makeExecutor } = yield* Effect.promise(() => import("./yoga.ts"))
      return makeExecutor(auth, yield* Effect.orDie(schema), settings, options)
    }),
  )

type LazyExecutor<R> = Effect.Success<ReturnType<typeof makeLazyExecutor<R>>>

/** Reads the request, lets the executor answer it and writes the response. */
const makeRunner = <R>(auth: Auth<R>, executor: LazyExecutor<R>, path: string, { introspection, isGateway }: Rights) =>
  Effect.gen(function* () {
    const { public_url } = yield* Core.Settings
    const { callerOf, answer } = yield* makeExchange(auth)
    const readBody = jsonBody((yield* HttpSettings).max_body_bytes)
    const { closing } = yield* Drain

    const handle: Handle<Needs<R>> = Effect.fnUntraced(function* handleGraphql(request, address, id) {
      const { accept } = request.headers
      const accepted = Refusals.acceptedBy(accept)
      const accepts = { result: accepted !== undefined, stream: auth.streams.length > 0 && Refusals.acceptsStream(accept) }
      if (!accepts.result && !accepts.stream) return yield* new Refusals.NotAcceptable()
      if (!isJson(request.headers["content-type"])) return yield* new Refusals.UnsupportedMediaType()
      const body = yield* readBody(request)
      const execute = yield* executor
      const services = yield* Effect.context<Needs<R>>()
      const onDefect = (defect: unknown) => refuseDefect(defect, request, id)
      const gateway = isGateway?.(request) === true
      const type = accepted ?? Refusals.graphql
      const received = {
        type,
        url: `${public_url}${path}`,
        headers: request.headers,
        accepts,
        body,
        lastEventId: request.headers["last-event-id"],
        disconnect: () => disconnect(request),
        caller: callerOf(request, address),
        onDefect,
        isGateway: gateway,
        readsSchema: introspection || gateway,
      }
      const { answer: given, headers, outcome } = yield* Effect.promise((signal) => execute(services, signal, received))
      if ("results" in given) {
        const results = Stream.orDie(Stream.fromAsyncIterable(given.results, identity))
        const events = Stream.flatMap(results, (result) => Stream.fromIterable(given.eventsOf(result)))
        return answer(HttpResponse.setHeaders(eventStream(events, closing), headers), outcome)
      }
      const { status, text } = given
      return answer(HttpResponse.text(text, { status, headers }), outcome)
    })
    return handle
  })

/** A page of another origin can send forms and plain text with cookies and without a preflight; it cannot send JSON. */
const isJson = (contentType: string | undefined) => /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(contentType ?? "")
