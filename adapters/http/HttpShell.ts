import { randomUUID } from "node:crypto"
import { Context, Duration, Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/Auth.ts"
import { Caller } from "../../application/Caller.ts"
import type { AnyEndpoint } from "../../application/Endpoint.ts"
import { statusOf } from "../../application/Endpoint.ts"
import type { Consumed } from "../../application/Limits.ts"
import { consume } from "../../application/Limits.ts"
import { StoreUnavailable } from "../../application/ports/Store.ts"
import { Settings } from "../../application/Settings.ts"
import type { AuthError } from "../../domain/Errors.ts"
import { InternalError, NotFound, Unavailable, UntrustedOrigin } from "../../domain/Errors.ts"
import { budgetOwner, clientAddress } from "./ClientAddress.ts"
import { jsonBody } from "./JsonBody.ts"
import { corsHeaders, originJudge, preflightHeaders } from "./Origins.ts"
import { sessionCookie } from "./SessionCookie.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** One route per endpoint; no endpoint is named here. Everything else below `/` is `not_found`. */
export const layer = <R>(auth: Auth<R>) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { base_path } = yield* Settings
      const guard = yield* makeGuard
      const run = yield* makeRunner(auth)

      for (const endpoint of Object.values(auth.endpoints)) {
        yield* router.add(endpoint.method, `${base_path as "/"}${endpoint.path}`, guard(run(endpoint), endpoint))
      }
      yield* router.add(
        "*",
        "/*",
        guard(() => Effect.fail(new NotFound())),
      )
    }),
  )

/** Everything a request goes through whichever endpoint it is for: origin, client address, rate limit, envelope, headers. */
const makeGuard = Effect.gen(function* () {
  const settings = yield* Settings
  const services = yield* Effect.context<Effect.Services<ReturnType<typeof consume>>>()
  const standingOf = originJudge(settings.public_url, settings.trusted_origins)
  const addressOf = clientAddress(settings.trusted_proxies)
  const always = securityHeaders(settings.public_url)

  return (handle: (request: Request, address: string) => Effect.Effect<Response, AuthError>, endpoint?: AnyEndpoint) =>
    (request: Request): Effect.Effect<Response> => {
      const { origin } = request.headers
      const standing = standingOf(origin)
      const headers: Record<string, string> = { ...always, "x-request-id": randomUUID() }
      if (standing === "trusted" && origin !== undefined) Object.assign(headers, corsHeaders(origin))

      const answered = Effect.suspend(() => {
        if (standing === "untrusted") return Effect.fail(new UntrustedOrigin())
        if (request.method === "OPTIONS" && standing === "trusted")
          return Effect.succeed(HttpServerResponse.empty({ headers: preflightHeaders }))
        const address = addressOf(
          Option.getOrElse(request.remoteAddress, () => ""),
          request.headers["x-forwarded-for"],
        )
        return consume("requests", budgetOwner(address)).pipe(
          Effect.tap((consumed) => Effect.sync(() => Object.assign(headers, limitHeaders(consumed)))),
          Effect.provideContext(services),
          Effect.andThen(handle(request, address)),
        )
      })
      return answered.pipe(
        Effect.catchDefect((defect) => fault(defect, request, headers["x-request-id"])),
        Effect.catch((error) => Effect.succeed(refuse(error, endpoint))),
        Effect.map((response) => HttpServerResponse.setHeaders(response, headers)),
      )
    }
})

/** Reads the input, calls the endpoint and writes the answer. */
const makeRunner = <R>(auth: Auth<R>) =>
  Effect.gen(function* () {
    const cookie = sessionCookie(yield* Settings)
    const services = yield* Effect.context<R>()

    return (endpoint: AnyEndpoint<R>) => {
      const encode = Schema.encodeSync(Schema.toCodecJson(endpoint.output))
      return (request: Request, ip_address: string) => {
        const caller = {
          credential: request.cookies[cookie.name] ?? null,
          ip_address,
          user_agent: request.headers["user-agent"]?.slice(0, 500) ?? null,
        }
        return Effect.flatMap(inputOf(endpoint, request), (input) => auth.call(endpoint, input)).pipe(
          Effect.provideContext(Context.add(services, Caller, caller) as Context.Context<R>),
          Effect.map(({ body, session }) => cookie.apply(HttpServerResponse.jsonUnsafe(encode(body)), session)),
        )
      }
    }
  })

const inputOf = (endpoint: AnyEndpoint, request: Request) =>
  endpoint.method === "GET"
    ? Effect.succeed(HttpServerRequest.searchParamsFromURL(new URL(request.url, "http://localhost")))
    : jsonBody(request)

const refuse = (error: AuthError, endpoint: AnyEndpoint | undefined) =>
  HttpServerResponse.jsonUnsafe(
    { error: { code: error._tag, message: error.message } },
    {
      status: endpoint === undefined ? error.status : statusOf(endpoint, error),
      headers:
        error.retryAfter === undefined
          ? {}
          : {
              "retry-after": String(error.retryAfter),
              ...(error._tag === "rate_limited" ? { "ratelimit-remaining": "0", "ratelimit-reset": String(error.retryAfter) } : {}),
            },
    },
  )

/** What nobody foresaw is logged whole, once, and told to nobody. */
const fault = (defect: unknown, request: Request, id: string | undefined) => {
  const unreachable = defect instanceof StoreUnavailable
  const path = request.url.split("?")[0]
  return Effect.logError(unreachable ? "The store cannot be reached." : "A request failed.", defect).pipe(
    Effect.annotateLogs({ request_id: id, method: request.method, path }),
    Effect.andThen(Effect.fail(unreachable ? new Unavailable({ retryAfter: 1 }) : new InternalError())),
  )
}

const limitHeaders = (consumed: Consumed | null): Record<string, string> =>
  consumed === null
    ? {}
    : {
        "ratelimit-limit": String(consumed.limit),
        "ratelimit-remaining": String(consumed.remaining),
        "ratelimit-reset": String(Math.ceil(Duration.toSeconds(consumed.resetAfter))),
      }

const securityHeaders = (publicUrl: string): Record<string, string> => ({
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
})

/** `/healthz`: the process lives. `/readyz`: the store answers. */
export const health = (ready: Effect.Effect<void>) =>
  HttpRouter.addAll([
    HttpRouter.route("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" })),
    HttpRouter.route(
      "GET",
      "/readyz",
      ready.pipe(
        Effect.as(HttpServerResponse.jsonUnsafe({ status: "ok" })),
        Effect.catchDefect(() =>
          Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "unavailable", reason: "the store does not answer" }, { status: 503 })),
        ),
      ),
    ),
  ])
