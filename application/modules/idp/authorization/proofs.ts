import { Effect, Option, Schema } from "effect"
import { update } from "../../../../domain/ports/store.ts"
import type { StoredSession } from "../../../../domain/sessions/session.ts"
import * as SignedCookie from "../../../../domain/sessions/signed-cookie.ts"
import { FlowTarget } from "../../../../domain/sign-in/flow-target.ts"
import { readLive } from "../../../../domain/storage/live.ts"
import { AuthorizationRequests } from "../tables.ts"
import { hashOf, lifetime } from "./stored-requests.ts"

// Which request led to a proof of identity: a sign-in or a step-up for another purpose is no answer to `prompt=login`.

/** The hash of the request that last led this browser to a page. Bound to the host: no other host of the domain can set it. */
const requestCookie = SignedCookie.hostBound("authorization_request", (name) => SignedCookie.make(name, Schema.String, lifetime))

/** The cookie by which a later proof in this browser is noted for the request. Social providers lead back from another site. */
export const leading = Effect.fnUntraced(function* leading(request_uri: string) {
  const cookie = yield* (yield* requestCookie).write(yield* hashOf(request_uri))
  return { ...cookie, from_elsewhere: true }
})

/** The cookies after the answer to a request: the reference to it is removed. */
export const answering = Effect.fnUntraced(function* answering(request_uri: string | null) {
  const { read, clear } = yield* requestCookie
  return request_uri !== null && Option.contains(yield* read, yield* hashOf(request_uri)) ? [clear] : []
})

/** The hash of the request that leads the caller to a proof: that of the page's target, else that of the cookie. */
const leadingRequest = Effect.gen(function* () {
  const target = yield* FlowTarget
  if (target === undefined) return Option.getOrNull(yield* (yield* requestCookie).read)
  const request_uri = target === null ? null : (URL.parse(target, "http://localhost")?.searchParams.get("request_uri") ?? null)
  return request_uri === null ? null : yield* hashOf(request_uri)
})

/** The writes that note a proof of identity in this session for the request that led to it. */
export const notedProof = Effect.fnUntraced(function* notedProof({ id }: StoredSession) {
  const hash = yield* leadingRequest
  const stored = hash === null ? Option.none() : yield* readLive(AuthorizationRequests, { hash })
  return Option.isNone(stored) ? [] : [update(AuthorizationRequests, stored.value, { proved_in: id })]
})
