import { Effect, Option, Schema } from "effect"
import { SessionNotFound } from "../../../domain/errors.ts"
import { Policies } from "../../../domain/policies.ts"
import * as BrowserBinding from "../../../domain/sessions/browser-binding.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { heldBy, revoke } from "../../../domain/sessions/sessions.ts"
import * as SignedCookie from "../../../domain/sessions/signed-cookie.ts"
import { between, orElse } from "../../../domain/settings.ts"
import type { Issued } from "../../../domain/sign-in/sign-in.ts"
import { User } from "../../../domain/users/user.ts"
import type { Reply } from "../../service/endpoint.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { NoInput, Success, succeeded } from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

/** As long as browsers keep a cookie at most: the sessions in it end by themselves. */
const maxAge = 400 * 86_400

/**
 * The credentials of a browser's sessions, in the order they began in. The name has no `__Host-` prefix, so that pages of neighbouring
 * hosts may read or plant the cookie: it is encrypted, and good only beside the binding cookie of the browser that it was made for.
 */
const kept = SignedCookie.makeSealed(
  "multi_session",
  Schema.Struct({ browser: Schema.String, credentials: Schema.Array(Schema.String) }),
  maxAge,
)
const binding = BrowserBinding.make("multi_session_browser", maxAge)

/** What one browser holds, at most `max` sessions. */
const holding = (max: number) => {
  const held = Effect.gen(function* () {
    const [cookie, browser] = [yield* kept.read, yield* binding.present]
    const isOwn = Option.isSome(cookie) && Option.contains(browser, cookie.value.browser)
    return isOwn ? cookie.value.credentials.slice(-max) : []
  })

  /** The sessions that are still good, the oldest first. The current one is among them even where it began before this module was on. */
  const live = Effect.gen(function* () {
    const { credential } = yield* Caller
    const credentials = yield* held
    const all = credential === null || credentials.includes(credential) ? credentials : [...credentials, credential].slice(-max)
    return (yield* Effect.forEach(all, heldBy, { concurrency: "unbounded" })).flatMap(Option.toArray)
  })

  /** The cookies that keep these credentials with the browser. */
  const keep = Effect.fnUntraced(function* (credentials: ReadonlyArray<string>) {
    if (credentials.length === 0) return [kept.clear, yield* binding.unbind]
    const { hash, cookie } = yield* binding.bind
    return [yield* kept.write({ browser: hash, credentials: credentials.slice(-max) }), cookie]
  })

  /** Sessions that have ended make room before the oldest is dropped. As long as there is room, nobody is looked up. */
  const withIssued = Effect.fnUntraced(function* ({ credential }: Issued) {
    const credentials = yield* held
    if (credentials.includes(credential)) return []
    const { credential: current } = yield* Caller
    const isKnown = current === null || credentials.includes(current)
    const before = isKnown && credentials.length < max ? credentials : (yield* live).map((each) => each.credential)
    return yield* keep([...before.filter((each) => each !== credential), credential])
  })

  const withoutCurrent = Effect.gen(function* () {
    const { credential } = yield* Caller
    const credentials = yield* held
    return credential !== null && credentials.includes(credential) ? yield* keep(credentials.filter((each) => each !== credential)) : []
  })

  const holds = (credential: string) => Effect.map(held, (credentials) => credentials.includes(credential))

  return { live, keep, holds, withIssued, withoutCurrent }
}
type Holding = ReturnType<typeof holding>

const list = ({ live }: Holding) =>
  Endpoint.make({
    method: "GET",
    path: "/multi-session/list",
    summary: "The valid sessions that this browser holds, the oldest first.",
    access: "public",
    input: NoInput,
    output: Schema.Struct({
      sessions: Schema.Array(Schema.Struct({ session_id: Schema.String, user: User, active: Schema.Boolean })),
    }),
    errors: [],
    handler: Effect.fn("multiSession.list")(function* () {
      const caller = yield* Caller
      const sessions = (yield* live).map(({ session, user, credential }) => ({
        session_id: session.id,
        user,
        active: credential === caller.credential,
      }))
      return Endpoint.reply({ sessions })
    }),
  })

const SessionId = Schema.Struct({ session_id: Schema.String })

const setActive = ({ live }: Holding) =>
  Endpoint.make({
    method: "POST",
    path: "/multi-session/set-active",
    summary: "Makes another session that this browser holds the current one.",
    access: "public",
    input: SessionId,
    output: Schema.Struct({ active: Schema.String }),
    errors: [SessionNotFound],
    invalid: SessionNotFound,
    handler: Effect.fn("multiSession.setActive")(function* ({ session_id }) {
      const target = (yield* live).find(({ session }) => session.id === session_id)
      if (target === undefined) return yield* new SessionNotFound()
      yield* (yield* Policies).passGates(target.user)
      return Endpoint.reply({ active: session_id }, target)
    }),
  })

const revokeHeld = ({ live, keep }: Holding) =>
  Endpoint.make({
    method: "POST",
    path: "/multi-session/revoke",
    summary: "Ends one of the sessions that this browser holds.",
    access: "public",
    input: SessionId,
    output: Success,
    errors: [SessionNotFound],
    invalid: SessionNotFound,
    handler: Effect.fn("multiSession.revoke")(function* ({ session_id }) {
      const sessions = yield* live
      const target = sessions.find(({ session }) => session.id === session_id)
      if (target === undefined || !(yield* revoke(session_id, target.user.id))) return yield* new SessionNotFound()
      const rest = sessions.filter((each) => each !== target).map(({ credential }) => credential)
      const { credential } = yield* Caller
      const reply = Endpoint.reply(succeeded, target.credential === credential ? "clear" : "keep")
      return { ...reply, cookies: yield* keep(rest) }
    }),
  })

/** Keeps the cookie in step with what an answer does to the browser's session. */
const track = (holding: Holding) =>
  Effect.fnUntraced(function* (reply: Reply<unknown>) {
    const { session, cookies = [] } = reply
    if (session === "keep" || cookies.some(({ name }) => name === kept.clear.name)) return reply
    const changed = session === "clear" ? yield* holding.withoutCurrent : yield* holding.withIssued(session)
    return changed.length === 0 ? reply : { ...reply, cookies: [...cookies, ...changed] }
  })

/** Several accounts in one browser, one of them at a time the current one. */
export const multiSession = Module.define({
  name: "multi_session",
  settings: Schema.Struct({
    /** More would not fit the 4096 bytes that browsers keep of a cookie. */
    max_sessions: between(1, 30).pipe(orElse(5)),
  }),
  parts: ({ max_sessions }) => {
    const here = holding(max_sessions)
    return {
      endpoints: { multiSessionList: list(here), multiSessionSetActive: setActive(here), multiSessionRevoke: revokeHeld(here) },
      hooks: [{ on: "*", after: track(here) }],
      keepers: [here.holds],
    }
  },
})
