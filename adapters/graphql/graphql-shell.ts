import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpRouter } from "effect/http"
import * as HttpResponse from "effect/http/HttpServerResponse"
import type { GraphQLSchema } from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { AuthError } from "../../domain/errors.ts"
import * as Core from "../../domain/settings.ts"
import { isLocal } from "../../domain/values/url.ts"
import { exactly } from "../http/exact-path.ts"
import { makeExchange } from "../http/exchange.ts"
import type { Handle } from "../http/guard.ts"
import { makeGuard } from "../http/guard.ts"
import { jsonBody } from "../http/json-body.ts"
import { refuseDefect } from "../http/refusals.ts"
import { retryHeaders } from "../http/response-headers.ts"
import { selfContainedPage } from "../http/self-contained-page.ts"
import { acceptedBy, refusal } from "./answers.ts"
import * as Errors from "./errors.ts"
import { makeGatewayCheck } from "./gateway.ts"
import { render } from "./graphiql.ts"
import { makeIncoming } from "./incoming.ts"
import type { Preparation } from "./preparation.ts"
import { makePreparation } from "./preparation.ts"
import type { Needs } from "./request-context.ts"
import type { Settings } from "./settings.ts"
import { trustedDocuments } from "./trusted.ts"
import type { Yoga } from "./yoga.ts"
import { makeYoga } from "./yoga.ts"

/** The GraphQL routes, behind the same guard as the routes of REST. */
export const layer = <R>(auth: Auth<R>, schema: GraphQLSchema, settings: Settings) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { public_url } = yield* Core.Settings
      const path = settings.path as "/"
      const guard = yield* makeGuard(auth)
      const local = isLocal(new URL(public_url))
      const { graphiql: withPage = local, introspection = local } = settings
      const trusted = yield* trustedDocuments(settings.trusted_documents)
      const runFork = Effect.runForkWith(yield* Effect.context())
      const onError = (error: unknown) => void runFork(Effect.logError("A GraphQL request failed.", error))
      const yoga = makeYoga(schema, { trusted, onError })
      const preparation = makePreparation(schema, settings, { introspection, suggestions: withPage })
      const run = yield* makeRunner(auth, yoga, preparation, { introspection, isGateway: makeGatewayCheck(settings) })
      yield* router.add("POST", path, exactly(path, guard(run, undefined, { refuse, onSession: true })))
      yield* router.add("GET", path, exactly(path, guard(withPage ? yield* showPage(path) : noPage, undefined, { refuse, isLinked: true })))
    }),
  )

type Request = HttpServerRequest.HttpServerRequest

const refuse = (error: AuthError, { headers }: Request, _: unknown, always: Readonly<Record<string, string>>) => {
  const allow = error instanceof Errors.MethodNotAllowed ? { allow: "POST" } : {}
  return HttpResponse.setHeaders(refusal(Errors.envelope(error), headers["accept"]), { ...always, ...retryHeaders(error), ...allow })
}

const noPage: Handle<never> = () => Effect.fail(new Errors.MethodNotAllowed())

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

/** Reads the request, lets yoga answer it and writes the response. */
const makeRunner = <R>(auth: Auth<R>, { answerTo }: Yoga, preparation: Preparation, { introspection, isGateway }: Rights) =>
  Effect.gen(function* () {
    const { max_body_bytes } = yield* Core.Settings
    const { callerOf, answer } = yield* makeExchange(auth)
    const readBody = jsonBody(max_body_bytes)
    const begin = makeIncoming(auth, preparation)

    const handle: Handle<Needs<R>> = Effect.fnUntraced(function* handleGraphql(request, address, id) {
      const type = acceptedBy(request.headers["accept"])
      if (type === undefined) return yield* new Errors.NotAcceptable()
      if (!isJson(request.headers["content-type"])) return yield* new Errors.UnsupportedMediaType()
      const body = yield* readBody(request)
      const services = yield* Effect.context<Needs<R>>()
      const onDefect = (defect: unknown) => refuseDefect(defect, request, id)
      return yield* Effect.promise(async (signal) => {
        const caller = callerOf(request, address)
        const gateway = isGateway(request)
        const rights = { isGateway: gateway, readsSchema: introspection || gateway }
        const incoming = begin(services, signal, { type, body, caller, onDefect, ...rights })
        const { status, text } = await answerTo(incoming)
        const response = HttpResponse.text(text, { status, contentType: `${type}; charset=utf-8`, headers: incoming.headers() })
        return answer(response, incoming.outcome())
      })
    })
    return handle
  })

/** A page of another origin can send forms and plain text with cookies and without a preflight; it cannot send JSON. */
const isJson = (contentType: string | undefined) => /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(contentType ?? "")
