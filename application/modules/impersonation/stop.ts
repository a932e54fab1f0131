import { Effect, Option, Schema } from "effect"
import { retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { CurrentImpersonation, Impersonations } from "../../../domain/sessions/impersonation.ts"
import { sessionOfCredential } from "../../../domain/sessions/sessions.ts"
import * as SignedCookie from "../../../domain/sessions/signed-cookie.ts"
import * as Endpoint from "../../service/endpoint.ts"
import type { Hook } from "../../service/module.ts"
import { ending } from "./ending.ts"
import type { ImpersonationSettings } from "./settings.ts"

/** The administrator's own session in the browser, while the session cookie has that of the user. It counts only together with it. */
const kept = SignedCookie.hostBound("impersonator", (name) =>
  SignedCookie.makeSealed(name, Schema.Struct({ session_id: Schema.String, credential: Schema.String }), 3600),
)

/** The cookie that brings the administrator back from the impersonation with this session. */
export const returning = Effect.fnUntraced(function* returningFrom(session_id: string, max_age: number) {
  const { credential } = yield* Caller
  return { ...(yield* (yield* kept).write({ session_id, credential: credential ?? "" })), max_age }
})

/** What remains in the browser after an impersonation: the session from which it began, if that is still valid and this is its browser. */
const remaining = Effect.gen(function* remainingSession() {
  const current = yield* CurrentImpersonation
  const cookie = yield* (yield* kept).read
  if (current === null || Option.isNone(cookie) || cookie.value.session_id !== current.session_id) return "clear" as const
  const found = yield* sessionOfCredential(cookie.value.credential)
  return Option.getOrElse(
    Option.filter(found, ({ session }) => session.id === current.impersonator_session_id),
    () => "clear" as const,
  )
})

/** Ends the impersonation in which the call runs. */
const endCurrent = Effect.fnUntraced(function* endCurrent(settings: ImpersonationSettings) {
  const current = yield* CurrentImpersonation
  const store = yield* Store
  const found = current === null ? Option.none() : yield* store.read(Impersonations, { session_id: current.session_id })
  if (Option.isSome(found) && found.value.row.state === "active") yield* store.commit(yield* ending(settings, found.value))
}, retryOnConflict)

const left = Effect.gen(function* leftImpersonation() {
  return { session: yield* remaining, cookies: [(yield* kept).clear] }
})

export const stop = (settings: ImpersonationSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/impersonation/stop",
    summary:
      "Ends the impersonation of this session. A browser returns to the session of its administrator. Other sessions stay as they are.",
    access: "session",
    impersonation: "read",
    changesCredential: true,
    output: Endpoint.Success,
    handler: Effect.fnUntraced(function* stopImpersonation() {
      if ((yield* CurrentImpersonation) === null) return Endpoint.reply(Endpoint.succeeded)
      yield* endCurrent(settings)
      return { ...Endpoint.reply(Endpoint.succeeded), ...(yield* left) }
    }),
  })

/** A sign-out leaves the account of the user only. The background work then ends the impersonation. */
export const leavingBySignOut = {
  on: ["/sign-out", "/oauth2/logout", "/oauth2/logout/confirm"],
  after: (reply: Endpoint.Reply<unknown>) =>
    Effect.gen(function* leaveBySignOut() {
      if ((yield* CurrentImpersonation) === null || reply.session !== "clear") return reply
      const { session, cookies } = yield* left
      return { ...reply, session, cookies: [...(reply.cookies ?? []), ...cookies] }
    }),
} as const satisfies Hook<any>
