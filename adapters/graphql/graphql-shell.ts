import { Effect, Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpRouter } from "effect/http"
import * as HttpResponse from "effect/http/HttpServerResponse"
import type { GraphQLError, GraphQLSchema } from "graphql"
import { executeRootSelectionSet } from "graphql"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { statusOf } from "../../application/service/endpoint.ts"
import type { AuthError } from "../../domain/errors.ts"
import { countUnlessLive } from "../../domain/limits/live-session.ts"
import { Caller } from "../../domain/sessions/caller.ts"
import * as Core from "../../domain/settings.ts"
import { isLocal } from "../../domain/values/url.ts"
import { exactly } from "../http/exact-path.ts"
import { makeExchange } from "../http/exchange.ts"
import type { Handle } from "../http/guard.ts"
import { makeGuard } from "../http/guard.ts"
import { jsonBody } from "../http/json-body.ts"
import { foreseen } from "../http/refusals.ts"
import { limitHeaders, retryHeaders } from "../http/response-headers.ts"
import type { Answer } from "./answers.ts"
import { acceptedBy, refusal, written } from "./answers.ts"
import type { Openness } from "./documents.ts"
import * as Errors from "./errors.ts"
import { graphiql } from "./graphiql.ts"
import { parametersOf } from "./parameters.ts"
import { makePreparation } from "./preparation.ts"
import type { Settings } from "./settings.ts"
import { trustedDocuments } from "./trusted.ts"
import type { Needs } from "./visit.ts"
import { makeVisit } from "./visit.ts"

/** The GraphQL routes, behind the same guard as the routes of REST. */
export const layer = <R>(auth: Auth<R>, schema: GraphQLSchema, settings: Settings) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { public_url } = yield* Core.Settings
      const path = settings.path as "/"
      const guard = yield* makeGuard(auth)
      const local = isLocal(new URL(public_url))
      const { graphiql: withPage = local, introspection = local } = settings
      const run = yield* makeRunner(auth, schema, settings, { introspection, suggestions: withPage })
      const page = yield* Effect.cached(graphiql(path))

      const showPage: Handle<never> = ({ headers }) =>
        Effect.flatMap(
          withPage && headers["accept"]?.includes("text/html") === true ? page : Effect.succeedNone,
          Option.match({ onNone: () => Effect.fail(new Errors.MethodNotAllowed()), onSome: Effect.succeed }),
        )
      yield* router.add("POST", path, exactly(path, guard(run, undefined, { refuse, onSession: true })))
      yield* router.add("GET", path, exactly(path, guard(showPage, undefined, { refuse, isLinked: true })))
    }),
  )

type Request = HttpServerRequest.HttpServerRequest
type Faults = ReadonlyArray<GraphQLError>

const refuse = (error: AuthError, { headers }: Request, _: unknown, always: Readonly<Record<string, string>>) => {
  const allow = error instanceof Errors.MethodNotAllowed ? { allow: "POST" } : {}
  return HttpResponse.setHeaders(refusal(Errors.envelope(error), headers["accept"]), { ...always, ...retryHeaders(error), ...allow })
}

/** Reads the document, executes it and writes the response. */
const makeRunner = <R>(auth: Auth<R>, schema: GraphQLSchema, settings: Settings, openness: Openness) =>
  Effect.gen(function* () {
    const { max_body_bytes } = yield* Core.Settings
    const { callerOf, answer } = yield* makeExchange(auth)
    const body = jsonBody(max_body_bytes)
    const trusted = yield* trustedDocuments(settings.trusted_documents)
    const { prepare, isKnown } = makePreparation(schema, settings, trusted, openness)

    /** Calls the endpoint with an invalid input, so that only a caller who passes its session and guard checks learns the faults of the input. */
    const refusedInput = Effect.fnUntraced(function* refusedInput(
      endpoint: AnyEndpoint,
      caller: Caller["Service"],
      errors: Faults,
      type: string,
    ) {
      const error = yield* auth.call(endpoint, unreadable).pipe(Effect.provideService(Caller, caller), Effect.flip, Effect.orDie)
      const status = statusOf(endpoint, error)
      const isInput = error._tag === endpoint.invalid.code
      const shown = isInput ? errors.map((each) => Errors.faultyInput(each, error, status)) : [Errors.envelope(error, status)]
      return answer(HttpResponse.setHeaders(written({ errors: shown }, type, true), retryHeaders(error)), error)
    })

    const handle: Handle<Needs<R>> = Effect.fnUntraced(function* handleGraphql(request, address, id) {
      const type = acceptedBy(request.headers["accept"])
      if (type === undefined) return yield* new Errors.NotAcceptable()
      if (!isJson(request.headers["content-type"])) return yield* new Errors.UnsupportedMediaType()
      const caller = callerOf(request, address)
      const lookUp = Effect.provideService(countUnlessLive, Caller, caller)
      const parameters = yield* Effect.fromResult(parametersOf(yield* body(request)))
      // A new document costs the most: a session that has ended must not pay for it.
      if (!isKnown(parameters)) yield* lookUp
      const execution = yield* Effect.result(yield* Effect.fromResult(prepare(parameters)))
      if (Result.isFailure(execution)) {
        const { errors, endpoint } = execution.failure
        if (endpoint !== undefined) return yield* refusedInput(endpoint, caller, errors, type)
        return written({ errors: errors.map(Errors.faulty) }, type, true)
      }

      const context = yield* Effect.context<Needs<R>>()
      const onDefect = (defect: unknown) => foreseen(defect, request, id)
      const [visit, { data, errors = [] }] = yield* Effect.promise(async (signal) => {
        const visit = makeVisit(auth, context, signal, { caller, onDefect })
        return [visit, await executeRootSelectionSet({ ...execution.success, contextValue: visit })] as const
      })
      const shown: Answer = errors.length === 0 ? { data } : { errors: yield* Errors.formatted(errors, onDefect), data }
      const response = answer(written(shown, type, true), visit.outcome())
      return HttpResponse.setHeaders(response, { ...limitHeaders(visit.budget()), ...retryOf(errors) })
    })
    return handle
  })

/** No schema accepts a symbol, so that the handler never runs. */
const unreadable = Symbol("invalid input")

/** A page of another origin can send forms and plain text with cookies and without a preflight; it cannot send JSON. */
const isJson = (contentType: string | undefined) => /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(contentType ?? "")

/** The retry headers of the field with the longest wait. */
const retryOf = (errors: ReadonlyArray<GraphQLError>): Readonly<Record<string, string>> => {
  const [longest] = errors
    .flatMap((error) => Errors.refusalOf(error) ?? [])
    .toSorted((one, other) => (other.retryAfter ?? 0) - (one.retryAfter ?? 0))
  return longest === undefined ? {} : retryHeaders(longest)
}
