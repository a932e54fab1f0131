import { Schema } from "effect"
import type { Permission } from "../../../domain/administration/permissions.ts"
import type { AuthError } from "../../../domain/errors.ts"
import type { Machine } from "../../../domain/policies.ts"
import type { AnyTable, Row, Where } from "../../../domain/ports/table.ts"
import type { Viewer } from "../graph-field.ts"

/** The rows of a log that one caller receives, and how the caller sees them. */
export interface Selection<R, W, A> {
  /** Values that the rows must have. An index of the log has to serve them together with the key. */
  readonly where: W
  /** A further condition. */
  readonly includes: (row: R) => boolean
  readonly show: (row: R) => A
}

/** Who follows a stream: the user of a session, or a program with the permission of the stream. */
export type Follower = Viewer | Machine

export const isViewer = (follower: Follower): follower is Viewer => "session" in follower

interface Declared {
  /** The name of its field in the type `Subscription` of GraphQL. */
  readonly name: string
  readonly summary: string
  readonly input: Schema.Codec<any, any>
  readonly output: Schema.Codec<any, any>
}

/**
 * A stream of events: the rows that are added to a log, whichever process commits them. The key of the log is a UUID of version 7 that was
 * made shortly before the commit.
 */
export interface LogStream extends Declared {
  readonly kind: "log"
  readonly log: AnyTable
  /** What callers need, at the start and about once a second while the stream is open. Null: a session, for their own rows. */
  readonly permission: Permission | null
  readonly select: (input: any, viewer: any) => Selection<any, any, unknown>
}

/** A stream of the states of one row: the state at the start, and about once a second the newest one if it differs. */
export interface RowStream extends Declared {
  readonly kind: "row"
  readonly table: AnyTable
  /** What callers need, as at a log. */
  readonly permission: Permission
  readonly keyOf: (input: any) => string
  /** The error when there is no such row. */
  readonly absent: () => AuthError
  readonly show: (row: any) => unknown
  /** Whether the row stays as it is: the stream then ends. */
  readonly hasEnded: (row: any) => boolean
}

export type AnyEventStream = LogStream | RowStream

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const resumeAt = "The id of the last event that the client has received: the stream continues after it. Not older than one hour."

/** The members of the input of every stream of a log. */
export const StreamInput = {
  after: Schema.optionalKey(Schema.String.check(Schema.isPattern(uuidV7, { expected: "the id of an event" }))).pipe(
    Schema.annotateKey({ description: resumeAt }),
  ),
}

/**
 * Declares a stream of events, which ends with the session, token or key of the caller. Without a permission, the caller needs a session,
 * and `select` has to choose the caller's own rows only.
 */
export const make = <T extends AnyTable, I extends { readonly after?: string }, A, const P extends Permission | null = null>(stream: {
  readonly name: string
  /** One sentence for the API documentation. */
  readonly summary: string
  readonly log: T
  /** A struct with the members of `StreamInput`. */
  readonly input: Schema.Codec<I, any>
  /** An event. */
  readonly output: Schema.Codec<A, any>
  readonly permission?: P
  readonly select: (input: I, viewer: P extends null ? Viewer : unknown) => Selection<Row<T>, Where<T>, A>
}): LogStream => ({ kind: "log", permission: null, ...stream })

/** Declares a stream of the states of one row, which ends with the session, token or key of the caller. */
export const ofRow = <T extends AnyTable, I, A>(stream: {
  readonly name: string
  /** One sentence for the API documentation. */
  readonly summary: string
  readonly table: T
  readonly input: Schema.Codec<I, any>
  /** A state. */
  readonly output: Schema.Codec<A, any>
  readonly permission: Permission
  readonly keyOf: (input: I) => string
  readonly absent: () => AuthError
  readonly show: (row: Row<T>) => A
  readonly hasEnded: (row: Row<T>) => boolean
}): RowStream => ({ kind: "row", ...stream })
