import { DateTime, Duration, Effect, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { administeredUser } from "../../../domain/administration/reach.ts"
import { FullReason } from "../../../domain/administration/reason.ts"
import { Forbidden, ImpersonationRefused, SessionNotFresh, UserNotFound } from "../../../domain/errors.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, insert, orFail, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { type Impersonation, ImpersonationMode, Impersonations } from "../../../domain/sessions/impersonation.ts"
import { noProof, Session, type StoredSession } from "../../../domain/sessions/session.ts"
import { newImpersonatedToken } from "../../../domain/sessions/session-token.ts"
import { requireStepUp, rereadSession } from "../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { Users } from "../../../domain/users/tables.ts"
import { type StoredUser, User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { returning } from "./stop.ts"

const defaultSeconds = 1800
const mostSeconds = 3600
/** How long the reason can be read after the start. */
const kept = Duration.days(90)

/** Runs an effect with the session of the administrator. Programs have none, and are refused. */
const asPerson = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  orFail(Effect.serviceOption(CurrentSession), () => new Forbidden({ message: "Only people can impersonate users." })).pipe(
    Effect.flatMap((here) => Effect.provideService(run, CurrentSession, here)),
  )

/** Fails for users in whose name no administrator acts: administrators, and users who could not sign in. */
const requireAdmitted = Effect.fnUntraced(function* requireAdmitted(user: StoredUser) {
  const { granted, passGates } = yield* Policies
  if ((yield* granted(user)).length > 0) return yield* new ImpersonationRefused({ message: "Administrators cannot be impersonated." })
  yield* Effect.mapError(passGates(user), () => new ImpersonationRefused({ message: "This user cannot sign in now." }))
})

/** How an administrator wants to be in an account. */
interface Asked extends Pick<Impersonation, "mode" | "reason"> {
  readonly seconds: number
}

/** The rows of an impersonation. The session of the user is proved by nothing, and shows nothing of the administrator. */
const opened = Effect.fnUntraced(function* openedFor(user_id: string, own: StoredSession, { mode, reason, seconds }: Asked) {
  const { token_hash, credential } = yield* newImpersonatedToken
  const now = yield* DateTime.now
  const ends_at = DateTime.add(now, { seconds })
  const session: StoredSession = {
    id: yield* newId,
    user_id,
    token_hash,
    authenticated_at: now,
    proved_at: noProof,
    multi_factor: false,
    methods: null,
    ip_address: null,
    user_agent: null,
    created_at: now,
    updated_at: now,
    expires_at: ends_at,
  }
  const impersonation: Impersonation = {
    session_id: session.id,
    user_id,
    impersonator_user_id: own.user_id,
    impersonator_session_id: own.id,
    mode,
    reason,
    state: "active",
    started_at: now,
    ends_at,
    ended_at: null,
    expires_at: DateTime.addDuration(now, kept),
  }
  return { session, impersonation, credential }
})

export const start = Endpoint.make({
  method: "POST",
  path: "/admin/impersonate/start",
  summary: "Opens a session of a user for the administrator who calls, to read, or also to act. Nothing extends it.",
  access: { permission: "users:impersonate" },
  guard: Endpoint.guard([Forbidden, SessionNotFresh], asPerson(requireStepUp)),
  changesCredential: true,
  input: Schema.Struct({
    user_id: Schema.String,
    reason: FullReason,
    mode: Schema.optionalKey(ImpersonationMode),
    seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostSeconds }))),
  }),
  output: Schema.Struct({ session: Session, user: User }),
  errors: [Forbidden, ImpersonationRefused, UserNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* impersonate({ user_id, reason, mode = "read", seconds = defaultSeconds }) {
    const { session: own } = yield* asPerson(rereadSession)
    const { commit } = yield* Store
    const user = yield* administeredUser(user_id)
    if (user_id === own.row.user_id) return yield* new ImpersonationRefused({ message: "This is your own account." })
    yield* requireAdmitted(user.row)
    const unchanged = yield* ofPrincipal(user.row)
    const { session, impersonation, credential } = yield* opened(user_id, own.row, { mode, reason, seconds })
    const added = [insert(Sessions, session), insert(Impersonations, impersonation)]
    yield* commit([...unchanged, check(Sessions, own), check(Users, user), ...added])
    const issued = { session, user: user.row, credential }
    return { ...Endpoint.reply({ session, user: user.row }, issued), cookies: [yield* returning(session.id, seconds)] }
  }, retryOnConflict),
})
