import { type Effect, Schema } from "effect"
import type { AuthError } from "../../domain/errors.ts"
import type { AnyTable, Row, Where } from "../../domain/ports/table.ts"
import type { CurrentSession } from "../../domain/sessions/caller.ts"
import type { Viewer } from "./graph-field.ts"

/** The rows of a log that one caller receives, and how the caller sees them. */
export interface Selection<R, W, A> {
  /** Values that the rows must have. An index of the log has to serve them together with the key. */
  readonly where: W
  /** A further condition. */
  readonly includes: (row: R) => boolean
  readonly show: (row: R) => A
}

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
export interface LogStream<out R> extends Declared {
  readonly kind: "log"
  readonly log: AnyTable
  /** Authorizes the caller, at the start and about once a second while the stream is open. Undefined if every session is enough. */
  readonly check: Effect.Effect<void, AuthError, R> | undefined
  readonly select: (input: any, viewer: Viewer) => Selection<any, any, unknown>
}

/** A stream of the states of one row: the state at the start, and about once a second the newest one if it differs. */
export interface RowStream<out R> extends Declared {
  readonly kind: "row"
  readonly table: AnyTable
  /** Authorizes the caller, as that of a log. */
  readonly check: Effect.Effect<void, AuthError, R>
  readonly keyOf: (input: any) => string
  /** The error when there is no such row. */
  readonly absent: () => AuthError
  readonly show: (row: any) => unknown
  /** Whether the row stays as it is: the stream then ends. */
  readonly hasEnded: (row: any) => boolean
}

export type EventStream<R> = LogStream<R> | RowStream<R>
export type AnyEventStream = EventStream<any>

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const resumeAt = "The id of the last event that the client has received: the stream continues after it. Not older than one hour."

/** The members of the input of every stream of a log. */
export const StreamInput = {
  after: Schema.optionalKey(Schema.String.check(Schema.isPattern(uuidV7, { expected: "the id of an event" }))).pipe(
    Schema.annotateKey({ description: resumeAt }),
  ),
}

/**
 * Declares a stream of events. The caller needs a session, and the stream ends with it. Without `check`, `select` has to choose the caller's
 * own rows only.
 */
export const make = <T extends AnyTable, I extends { readonly after?: string }, A, R = never>(stream: {
  readonly name: string
  /** One sentence for the API documentation. */
  readonly summary: string
  readonly log: T
  /** A struct with the members of `StreamInput`. */
  readonly input: Schema.Codec<I, any>
  /** An event. */
  readonly output: Schema.Codec<A, any>
  readonly check?: Effect.Effect<void, AuthError, R>
  readonly select: (input: I, viewer: Viewer) => Selection<Row<T>, Where<T>, A>
}): LogStream<Exclude<R, CurrentSession>> => ({ kind: "log", check: undefined, ...stream }) as LogStream<any>

/** Declares a stream of the states of one row. The caller needs a session, and the stream ends with it. */
export const ofRow = <T extends AnyTable, I, A, R>(stream: {
  readonly name: string
  /** One sentence for the API documentation. */
  readonly summary: string
  readonly table: T
  readonly input: Schema.Codec<I, any>
  /** A state. */
  readonly output: Schema.Codec<A, any>
  readonly check: Effect.Effect<void, AuthError, R>
  readonly keyOf: (input: I) => string
  readonly absent: () => AuthError
  readonly show: (row: Row<T>) => A
  readonly hasEnded: (row: Row<T>) => boolean
}): RowStream<Exclude<R, CurrentSession>> => ({ kind: "row", ...stream }) as RowStream<any>
