import { Schema } from "effect"
import type { EventKinds } from "../../../domain/events/event-types.ts"
import * as EventStream from "../../service/streams/event-stream.ts"
import { AuditEntry, shown, typeOf } from "./list.ts"
import { Records } from "./tables.ts"

const SessionEventType = Schema.Literals(["session.opened", "session.revoked", "session.stepped_up"])
const isSessionEvent = Schema.is(SessionEventType)

const SessionEvent = Schema.Struct({
  id: Schema.String,
  at: Schema.DateTimeUtc,
  type: SessionEventType,
  /** The session that began, ended or got a new proof. */
  session_id: Schema.NullOr(Schema.String),
  /** Whether it is the session of this stream. */
  is_current: Schema.Boolean,
  /** The kind of the actor: `user` for oneself, `visitor` at a sign-out, `admin` and others. */
  by: Schema.String,
}).annotate({ identifier: "SessionEvent" })

/** What happens to the sessions of the caller. */
export const ofOwnSessions = EventStream.make({
  name: "sessionEvents",
  summary: "The caller's sessions as they begin and end. The stream ends with the caller's own session.",
  log: Records,
  input: Schema.Struct(EventStream.StreamInput),
  output: SessionEvent,
  select: (_, { user, session }) => ({
    where: { subject_id: user.id },
    includes: ({ type }) => isSessionEvent(type),
    show: ({ id, at, type, session_id, actor_kind }) => ({
      id,
      at,
      type: type as typeof SessionEventType.Type,
      session_id,
      is_current: session_id === session.id,
      by: actor_kind,
    }),
  }),
})

/** All records, for administrators. */
export const ofAll = (events: EventKinds) =>
  EventStream.make({
    name: "adminAuditEvents",
    summary: "The records of the audit log as they are added, of the given types or of all. For administrators.",
    log: Records,
    input: Schema.Struct({
      ...EventStream.StreamInput,
      types: Schema.optionalKey(Schema.Array(typeOf(events)).check(Schema.isMinLength(1))),
    }),
    output: AuditEntry,
    permission: "audit:read",
    select: ({ types }) => {
      const wanted: ReadonlySet<string> | undefined = types && new Set(types)
      return { where: {}, includes: ({ type }) => wanted === undefined || wanted.has(type), show: shown }
    },
  })
