import { Effect, Option, Schema } from "effect"
import { liveSession, unextendedSession } from "../../../domain/limits/live-session.ts"
import { retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { CurrentImpersonation, ImpersonationMode } from "../../../domain/sessions/impersonation.ts"
import { Session, SessionListItem } from "../../../domain/sessions/session.ts"
import { lagging } from "../../../domain/sessions/session-replica.ts"
import { liveSessionsOf, rereadSession, revoke, revokeAll, revokeOthers } from "../../../domain/sessions/sessions.ts"
import { Submissions } from "../../../domain/sessions/submissions.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { PendingSignIns } from "../../../domain/sign-in/challenges.ts"
import { Removals } from "../../../domain/storage/removals.ts"
import { Tallies } from "../../../domain/storage/tally.ts"
import { Idempotencies } from "../../../domain/tokens/idempotency.ts"
import { Users } from "../../../domain/users/tables.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as GraphField from "../../service/graph-field.ts"
import * as Module from "../../service/module.ts"
import { QueryBoolean } from "../../service/query-boolean.ts"
import { mails } from "./emails.ts"
import { events, types } from "./events.ts"
import { newBrowserNotice } from "./new-browser.ts"
import { reportSignIn, showReport } from "./report.ts"
import { BrowserHistories, SignInAlerts } from "./tables.ts"

const signOut = Endpoint.make({
  method: "POST",
  path: "/sign-out",
  summary: "Ends the current session, if any.",
  access: "public",
  readsSession: true,
  impersonation: "read",
  output: Endpoint.Success,
  handler: Effect.fnUntraced(function* sessionsSignOut() {
    const own = yield* liveSession
    if (Option.isSome(own)) yield* revoke(own.value.session.id, own.value.user.id)
    return Endpoint.reply(Endpoint.succeeded, "clear")
  }),
})

const Impersonator = Schema.Struct({ user_id: Schema.String, mode: ImpersonationMode }).annotate({
  identifier: "Impersonator",
  description: "The administrator in whose hands an impersonated session is.",
})
const impersonator = Effect.map(CurrentImpersonation, (current) =>
  current === null ? {} : { impersonated_by: { user_id: current.impersonator_user_id, mode: current.mode } },
)

const getSession = Endpoint.make({
  method: "GET",
  path: "/get-session",
  summary: "The current session and its user, or null for both.",
  access: "public",
  readsSession: true,
  input: Schema.Struct({
    extend: QueryBoolean.pipe(
      Schema.annotateKey({
        description:
          "With false, the session is neither extended nor its cookie set: for callers that cannot pass on a cookie. Default: true.",
      }),
      Schema.optionalKey,
    ),
  }),
  impersonation: "read",
  output: Schema.Struct({ session: Schema.NullOr(Session), user: Schema.NullOr(User), impersonated_by: Schema.optionalKey(Impersonator) }),
  handler: Effect.fnUntraced(function* getSession({ extend = true }) {
    if (!extend) {
      const { session, user } = Option.getOrElse(yield* lagging(unextendedSession), () => ({ session: null, user: null }))
      return Endpoint.reply({ session, user, ...(yield* impersonator) })
    }
    const own = yield* lagging(liveSession)
    if (Option.isNone(own)) return Endpoint.reply({ session: null, user: null })

    const { session, user, credential, refreshed } = own.value
    return Endpoint.reply({ session, user, ...(yield* impersonator) }, refreshed ? { session, user, credential } : "keep")
  }),
})

const listSessions = Endpoint.make({
  method: "GET",
  path: "/list-sessions",
  summary: "The user's valid sessions, the oldest first.",
  access: "session",
  output: Schema.Struct({ sessions: Schema.Array(SessionListItem) }),
  handler: Effect.fnUntraced(function* sessionsList() {
    const { user } = yield* CurrentSession
    return Endpoint.reply({ sessions: yield* liveSessionsOf(user.id) })
  }),
})

const revokeSession = Endpoint.make({
  method: "POST",
  path: "/revoke-session",
  summary: "Ends one of the user's sessions.",
  access: "session",
  input: Schema.Struct({ session_id: Schema.String }),
  output: Schema.Struct({ success: Schema.Boolean }),
  handler: Effect.fnUntraced(function* sessionsRevoke({ session_id }) {
    const { session, user } = yield* CurrentSession
    return Endpoint.reply({ success: yield* revoke(session_id, user.id) }, session_id === session.id ? "clear" : "keep")
  }),
})

const Revoked = Schema.Struct({ revoked: Schema.Int })

const revokeSessions = Endpoint.make({
  method: "POST",
  path: "/revoke-sessions",
  summary: "Ends all of the user's sessions, including this one.",
  access: "session",
  output: Revoked,
  handler: Effect.fnUntraced(function* sessionsRevokeAll() {
    const { user } = yield* rereadSession
    const live = yield* liveSessionsOf(user.row.id)
    yield* (yield* Store).commit(yield* revokeAll(user))
    return Endpoint.reply({ revoked: live.length }, "clear")
  }, retryOnConflict),
})

const revokeOtherSessions = Endpoint.make({
  method: "POST",
  path: "/revoke-other-sessions",
  summary: "Ends all of the user's sessions except this one.",
  access: "session",
  output: Revoked,
  handler: Effect.fnUntraced(function* sessionsRevokeOthers() {
    return Endpoint.reply({ revoked: yield* revokeOthers })
  }),
})

const viewersUser = GraphField.make({
  on: "viewer",
  name: "user",
  summary: "The signed-in user.",
  output: User,
  load: (viewers) => Effect.succeed(viewers.map(({ user }) => user)),
})

const viewersSession = GraphField.make({
  on: "viewer",
  name: "session",
  summary: "The current session.",
  output: Session,
  load: (viewers) => Effect.succeed(viewers.map(({ session }) => session)),
})

const viewersSessions = GraphField.paged({
  on: "viewer",
  name: "sessions",
  summary: "The user's valid sessions, the oldest first.",
  output: SessionListItem,
  place: ["created_at", "id"],
  load: (viewers, page) =>
    Effect.forEach(viewers, ({ user }) =>
      Effect.map(liveSessionsOf(user.id), (rows) => GraphField.pageOf<typeof SessionListItem.Type>(rows, page)),
    ),
})

/** Lets users list and end their sessions. */
export const sessions = Module.define({
  name: "sessions",
  events: types,
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Module.NoSettings,
  parts: () => ({
    tables: [Users, Sessions, PendingSignIns, Submissions, Removals, Idempotencies, Tallies, BrowserHistories, SignInAlerts],
    sessionOpened: newBrowserNotice,
    rowEvents: events,
    endpoints: [signOut, getSession, listSessions, revokeSession, revokeSessions, revokeOtherSessions, showReport, reportSignIn],
    graphFields: [viewersUser, viewersSession, viewersSessions],
  }),
})
