import { Effect, Option, Schema } from "effect"
import { Policies } from "../../../domain/policies.ts"
import * as BrowserBinding from "../../../domain/sessions/browser-binding.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { isImpersonated } from "../../../domain/sessions/session-token.ts"
import { revoke, sessionOfCredential } from "../../../domain/sessions/sessions.ts"
import type { Issued } from "../../../domain/sessions/sign-in.ts"
import * as SignedCookie from "../../../domain/sessions/signed-cookie.ts"
import { between, orElse } from "../../../domain/settings.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"
import * as Errors from "./errors.ts"

/** The longest lifetime that browsers allow for a cookie. The sessions in it expire on their own. */
const maxAge = 400 * 86_400

/**
 * The credentials of a browser's sessions, the oldest first. The name has no `__Host-` prefix, so sibling hosts can read or set the cookie.
 * Therefore it is encrypted, and valid only with the binding cookie of the browser that it was made for.
 */
const kept = SignedCookie.makeSealed(
  "multi_session",
  Schema.Struct({ browser: Schema.String, credentials: Schema.Array(Schema.String) }),
  maxAge,
)
const binding = BrowserBinding.make("multi_session_browser", maxAge)

/** The sessions of one browser, at most `max`. */
const holding = (max: number) => {
  const storedCredentials = Effect.gen(function* () {
    const [cookie, browser] = [yield* kept.read, yield* binding.present]
    const isOwn = Option.isSome(cookie) && Option.contains(browser, cookie.value.browser)
    return isOwn ? cookie.value.credentials.slice(-max) : []
  })

  /** The valid sessions, the oldest first. Includes the current one even if it started before this module was enabled. */
  const live = Effect.gen(function* () {
    const { credential } = yield* Caller
    const credentials = yield* storedCredentials
    const all = credential === null || credentials.includes(credential) ? credentials : [...credentials, credential].slice(-max)
    return (yield* Effect.forEach(all, sessionOfCredential, { concurrency: "unbounded" })).flatMap(Option.toArray)
  })

  /** The cookies that store these credentials in the browser. Impersonated sessions are left by their end, not by a choice of another one. */
  const keep = Effect.fnUntraced(function* keep(all: ReadonlyArray<string>) {
    const credentials = all.filter((credential) => !isImpersonated(credential))
    if (credentials.length === 0) return [kept.clear, yield* binding.unbind]
    const { hash, cookie } = yield* binding.bind
    return [yield* kept.write({ browser: hash, credentials: credentials.slice(-max) }), cookie]
  })

  /**
   * Makes room for the new session: drops ended sessions first, then the oldest valid one. Reads the sessions only if the list is full or
   * lacks the current one.
   */
  const withIssued = Effect.fnUntraced(function* withIssued({ credential }: Issued) {
    const credentials = yield* storedCredentials
    if (credentials.includes(credential)) return []
    const { credential: current } = yield* Caller
    const isKnown = current === null || credentials.includes(current)
    const previous = isKnown && credentials.length < max ? credentials : (yield* live).map((each) => each.credential)
    return yield* keep([...previous.filter((each) => each !== credential), credential])
  })

  const withoutCurrent = Effect.gen(function* () {
    const { credential } = yield* Caller
    const credentials = yield* storedCredentials
    return credential !== null && credentials.includes(credential) ? yield* keep(credentials.filter((each) => each !== credential)) : []
  })

  const holds = (credential: string) => Effect.map(storedCredentials, (credentials) => credentials.includes(credential))

  return { live, keep, holds, withIssued, withoutCurrent }
}
type Holding = ReturnType<typeof holding>

const list = ({ live }: Holding) =>
  Endpoint.make({
    method: "GET",
    path: "/multi-session/list",
    summary: "The valid sessions of this browser, the oldest first.",
    access: "public",
    output: Schema.Struct({
      sessions: Schema.Array(Schema.Struct({ session_id: Schema.String, user: User, active: Schema.Boolean })),
    }),
    handler: Effect.fnUntraced(function* multiSessionList() {
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
    summary: "Makes another session of this browser the current one.",
    access: "public",
    input: SessionId,
    output: Schema.Struct({ active: Schema.String }),
    invalid: Errors.SessionNotFound,
    passesGates: true,
    handler: Effect.fnUntraced(function* multiSessionSetActive({ session_id }) {
      const target = (yield* live).find(({ session }) => session.id === session_id)
      if (target === undefined) return yield* new Errors.SessionNotFound()
      yield* (yield* Policies).passGates(target.user)
      return Endpoint.reply({ active: session_id }, target)
    }),
  })

const revokeHeld = ({ live, keep }: Holding) =>
  Endpoint.make({
    method: "POST",
    path: "/multi-session/revoke",
    summary: "Ends one of this browser's sessions.",
    access: "public",
    input: SessionId,
    output: Endpoint.Success,
    invalid: Errors.SessionNotFound,
    handler: Effect.fnUntraced(function* multiSessionRevoke({ session_id }) {
      const sessions = yield* live
      const target = sessions.find(({ session }) => session.id === session_id)
      if (target === undefined || !(yield* revoke(session_id, target.user.id))) return yield* new Errors.SessionNotFound()
      const rest = sessions.filter((each) => each !== target).map(({ credential }) => credential)
      const { credential } = yield* Caller
      const reply = Endpoint.reply(Endpoint.succeeded, target.credential === credential ? "clear" : "keep")
      return { ...reply, cookies: yield* keep(rest) }
    }),
  })

/** Updates the cookie when a reply starts, switches or ends the browser's session. */
const track = (holding: Holding) =>
  Effect.fnUntraced(function* track(reply: Endpoint.Reply<unknown>) {
    const { session, cookies = [] } = reply
    if (session === "keep" || cookies.some(({ name }) => name === kept.clear.name)) return reply
    const changed = session === "clear" ? yield* holding.withoutCurrent : yield* holding.withIssued(session)
    return changed.length === 0 ? reply : { ...reply, cookies: [...cookies, ...changed] }
  })

/** Several sessions in one browser, one of which is current. */
export const multiSession = Module.define({
  name: "multi_session",
  errors: Object.values(Errors),
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Schema.Struct({
    max_sessions: between(1, 30).pipe(
      orElse(5, "Sessions of one browser; the oldest is dropped. More would exceed the 4096 bytes that browsers allow for a cookie."),
    ),
  }),
  parts: ({ max_sessions }) => {
    const browserSessions = holding(max_sessions)
    return {
      endpoints: [list(browserSessions), setActive(browserSessions), revokeHeld(browserSessions)],
      hooks: [{ on: "*", after: track(browserSessions) }],
      keepers: [browserSessions.holds],
    }
  },
})
