import { randomUUID } from "node:crypto"
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { type AnyEndpoint, countsOnAddress } from "../../application/service/endpoint.ts"
import { type AuthError, UntrustedOrigin } from "../../domain/errors.ts"
import { CountedClient, countRequest } from "../../domain/limits/limits.ts"
import { StoreBudget } from "../../domain/ports/store-budget.ts"
import { RequestId } from "../../domain/sessions/request-id.ts"
import { Settings } from "../../domain/settings.ts"
import { makeOriginClassifier, type OriginTrust } from "../../domain/values/origins.ts"
import { CountFurther, requestsOf } from "./body-size.ts"
import { clientAddress } from "./client-address.ts"
import { makeClientAuthenticator } from "./client-credentials.ts"
import { makeExchange, refusalOutcome } from "./exchange.ts"
import { type Bounded, boundedFields, FieldTooLong } from "./fields.ts"
import { answeredFieldsOf } from "./header-members.ts"
import { corsHeaders, openHeaders, preflightHeaders } from "./origins.ts"
import { type Refuse, refusal, refuseDefect } from "./refusals.ts"
import { RequestObserver } from "./request-observer.ts"
import { limitHeaders, securityHeaders } from "./response-headers.ts"
import { HttpSettings } from "./settings.ts"
import { queryOf, withQuery } from "./target.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Answers a request from a client address, which is null if the peer has none. `id` identifies the request in responses and logs. */
export type Handle<R> = (request: Request, address: string | null, id: string) => Effect.Effect<Response, AuthError, R>

interface Options {
  readonly refuse?: Refuse
  /**
   * Whether pages of other sites may link here: to endpoints of other protocols (OAuth) and to pages of documentation, never to the
   * service's own endpoints.
   */
  readonly isLinked?: boolean | ((request: Request) => boolean)
  /** Whether requests with a session count against the session's budget. Only routes that look the session up may set it. */
  readonly onSession?: boolean
  /** Whether requests with the token of a machine count against its client. Only routes that look the token up may set it. */
  readonly hasMachines?: boolean
  /** The path of the route, where it is no endpoint. */
  readonly route?: string
}

/** What the guard needs of the service. */
export type Guarding = Pick<Auth<unknown>, "admit" | "countedKey" | "countedMachine" | "sessionTransports">

/**
 * The steps that are the same for every request: limits of its fields, origin, client address, rate limit, error envelope, headers. Before
 * the request is counted, only the fields are read that decide on its origin and its budget: otherwise a refused request could cost as much
 * as one that is answered.
 */
export const makeGuard = Effect.fnUntraced(function* makeGuard({ admit, countedKey, countedMachine, sessionTransports }: Guarding) {
  const fields = sessionTransports.map(({ field }) => field)
  const { base_path, public_url, trusted_origins } = yield* Settings
  const settings = yield* HttpSettings
  const { max_body_bytes, request_timeout, trusted_proxies } = settings
  const limit = request_timeout * 1000
  const observer = yield* RequestObserver
  const exchange = yield* makeExchange({ sessionTransports })
  const trustOf = makeOriginClassifier(public_url, trusted_origins)
  const addressOf = clientAddress(settings)
  const always = securityHeaders(public_url)
  const authenticatorOf = makeClientAuthenticator(max_body_bytes, trusted_proxies, { countedKey, countedMachine })

  return <R>(handle: Handle<R>, endpoint?: AnyEndpoint, options: Options = {}) => {
    const { refuse = refusal, isLinked = endpoint?.protocol !== undefined } = options
    const isLinkedBy = typeof isLinked === "function" ? isLinked : () => isLinked
    const { hasMachines = typeof endpoint?.access === "object" || endpoint?.access === "member" } = options
    const { onSession = endpoint !== undefined && !countsOnAddress(endpoint) } = options
    const { route = endpoint === undefined ? unmatched : `${base_path}${endpoint.path}` } = options
    const bounded = boundedFields(endpoint?.protocol?.certificateField)
    const clientOf = authenticatorOf(endpoint, hasMachines)
    const admission = endpoint === undefined ? undefined : admit(endpoint)
    const { anyOrigin: open = false, navigable = false } = endpoint?.protocol ?? {}
    const shared = endpoint === undefined ? fields : [...fields, ...answeredFieldsOf(endpoint)]

    /** Refuses the request, or counts and handles it. Adds the fields of the budget to `headers`. */
    const guarded = Effect.fnUntraced(function* guardedRequest(
      { request, isTooLong }: Bounded,
      { trust, address, id }: Arrived,
      headers: Record<string, string>,
    ) {
      if (trust === "untrusted" && !navigable) return yield* new UntrustedOrigin()
      // For links, images and scripts of other sites, browsers send this field (Fetch Metadata) but no `Origin`.
      if (trust === "none" && request.headers["sec-fetch-site"] === "cross-site" && !isLinkedBy(request))
        return yield* new UntrustedOrigin()
      if (request.method === "OPTIONS" && (trust === "trusted" || open)) return preflight

      // The counters may be in the store.
      if (admission !== undefined) yield* admission
      const credential = open || !onSession ? null : exchange.credentialOf(request)
      const isAnonymous = clientOf === undefined || (hasMachines && !hasCredential(request))
      const client = isAnonymous ? null : yield* clientOf(request, credential)
      const count = Effect.fnUntraced(function* countBlocks(blocks: number) {
        const consumed = yield* countRequest({ credential, ip_address: address }, client, blocks)
        Object.assign(headers, limitHeaders(consumed))
        return consumed
      })
      let counted = request.headers["content-length"] === undefined ? 1 : requestsOf(request.headers, max_body_bytes)
      const consumed = yield* count(counted)
      /** Counts blocks of the body that are read later: in total at most as many requests as the budget has. */
      const countFurther = (wanted: number) => {
        const further = Math.min(wanted, (consumed?.limit ?? 0) - counted)
        if (further <= 0) return Effect.void
        counted += further
        return Effect.asVoid(count(further))
      }
      if (isTooLong) return yield* new FieldTooLong()
      const query = yield* queryOf(request)
      return yield* handle(request, address, id).pipe(
        Effect.provideService(RequestId, id),
        Effect.provideService(HttpServerRequest.ParsedSearchParams, query),
        Effect.provideService(CountFurther, countFurther),
        Effect.provideService(CountedClient, client),
      )
    })

    return (received: Request) => {
      const bounds = bounded(withQuery(received))
      const { request } = bounds
      const { origin } = request.headers
      const trust = open ? "open" : trustOf(origin)
      const id = randomUUID()
      const address = addressOf(Option.getOrNull(request.remoteAddress), request.headers)
      const headers: Record<string, string> = { ...always, "x-request-id": id }
      if (trust === "trusted" && origin !== undefined) Object.assign(headers, corsHeaders(origin, shared))
      if (open) Object.assign(headers, openHeaders)

      const response = guarded(bounds, { trust, address, id }, headers).pipe(
        Effect.provideService(StoreBudget, { left: limit, limit }),
        Effect.catchDefect((defect) => refuseDefect(defect, request, id)),
        Effect.map((response) => HttpServerResponse.setHeaders(response, { ...headers, ...response.headers })),
        Effect.catch((error) =>
          Effect.map(refuse(error, request, endpoint, headers), (response) => exchange.answer(response, refusalOutcome(error))),
        ),
      )
      const isObserved = observer !== undefined && (observer.when === "always" || observer.when.isDebug)
      const observed = isObserved ? observer.observe(response, { request, route, id, address }) : response
      return Effect.annotateLogs(observed, { request_id: id })
    }
  }
})

const hasCredential = ({ headers }: Request) => headers["authorization"] !== undefined || headers["x-api-key"] !== undefined

/** What the guard knows of a request before it is handled. */
interface Arrived {
  readonly trust: OriginTrust | "open"
  readonly address: string | null
  readonly id: string
}

/** The route of requests that match none. */
export const unmatched = "unmatched"

const preflight = HttpServerResponse.empty({ headers: preflightHeaders })
