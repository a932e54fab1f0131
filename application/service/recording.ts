import { Cause, Clock, Context, DateTime, Effect, Exit, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { AuthError } from "../../domain/errors.ts"
import { changesOf } from "../../domain/events/changes.ts"
import { Note } from "../../domain/events/note.ts"
import type { RowEvents } from "../../domain/events/row-events.ts"
import { type Data, type Happening as HappeningOf, type Party, type SecurityEvent, user } from "../../domain/events/security-event.ts"
import type { Operation } from "../../domain/policies.ts"
import { Store, type Write } from "../../domain/ports/store.ts"
import type { Caller } from "../../domain/sessions/caller.ts"
import { emptySubject, Subject } from "../../domain/sessions/subject.ts"
import { isUuid, newId } from "../../domain/storage/new-id.ts"
import { Keys } from "../../domain/tokens/keys.ts"
import type { Reply } from "./endpoint.ts"
import { makeFailures, refusedTarget, withSubject } from "./failures.ts"
import type { AnyModule } from "./module.ts"
import { codeOf } from "./observing.ts"
import { type Origin, originOf } from "./origin.ts"
import { securityOutcome } from "./outcomes.ts"
import { type CountedReads, makeReads } from "./reads.ts"

type Happening = HappeningOf<string>
type Needs = Store | Keys | SecureRandom.SecureRandom
type Run<E, R> = Effect.Effect<Reply<unknown>, E, R>

/** The maximum number of failures in one commit. */
const batch = 100

/**
 * Derives security events from commits and refusals. The modules with `recorded` store them in the same commit, or afterwards if the call
 * has no commit. Undefined if no module records.
 */
export const recorderOf = (modules: ReadonlyArray<AnyModule>) => {
  const recorders = modules.flatMap(({ recorded }) => recorded ?? [])
  if (recorders.length === 0) return undefined
  const rules = byTable(modules.flatMap(({ rowEvents }) => rowEvents))
  const failures = makeFailures()
  const reads = makeReads()
  const writesFor = (events: ReadonlyArray<SecurityEvent>, note: string | null) =>
    Effect.map(
      Effect.forEach(recorders, (recorded) => recorded(events, note) as Effect.Effect<ReadonlyArray<Write>, never, Store>),
      (writes) => writes.flat(),
    )

  /**
   * The Store of one call, whose commits contain the records of their events. Most calls commit nothing, and need no origin. `onRecords`
   * runs after a commit with records.
   */
  const recordingStore = (origin: () => Origin, services: Context.Context<Needs>, onRecords: () => void = () => {}) => {
    const store = Context.get(services, Store)
    const additions = Effect.fnUntraced(function* recordsOf(writes: ReadonlyArray<Write>, note: string | null) {
      const { operation } = origin()
      const changes = yield* changesOf(store, (table) => rules.has(table), writes)
      const found = changes.flatMap(
        ({ table, change }) => rules.get(table.name)?.flatMap(({ of }) => of(change, { operation, writes })) ?? [],
      )
      const events = yield* Effect.forEach(withoutRemovedUsers(found), (happening) => completed(happening, origin()))
      return events.length === 0 ? [] : yield* writesFor(events, note)
    })
    const commit = Effect.fnUntraced(function* commitRecorded(writes: ReadonlyArray<Write>) {
      const records = yield* Effect.provideContext(additions(writes, yield* Note), services)
      yield* store.commit([...writes, ...records])
      if (records.length > 0) onRecords()
    })
    return Store.of({ ...store, commit })
  }

  /** The Store of what has one origin for all of its commits. */
  const storeOf = (origin: Origin) =>
    Effect.contextWith((services: Context.Context<Needs>) => Effect.succeed(recordingStore(() => origin, services)))

  const refused = Effect.fnUntraced(function* noteRefusal(
    exit: Exit.Exit<Reply<unknown>, AuthError>,
    { actor, ...origin }: Origin,
    noted: Noted,
    refusedData: Data,
  ) {
    const code = codeOf(exit)
    const type = securityOutcome(origin.operation, code)
    if (type === undefined || type === "sign_in.succeeded" || type === "sign_in.challenged" || code === "invalid_request") return
    const caller: Party = noted.is_ordinary ? { ...actor, kind: "user" } : actor
    const subject: Party = noted.user_id === null ? caller : { kind: "user", id: noted.user_id }
    const data = type === "access.denied" ? refusedData : {}
    const event = yield* completed({ type, outcome: "failure", reason: code, subject, data }, { ...origin, actor: caller })
    failures.add({ event, name: noted.name }, yield* Clock.currentTimeMillis)
  })

  /** Records the events of one call. */
  const around =
    (operation: Operation, permission: string | null) =>
    <R>(run: Run<AuthError, R>, input: unknown) =>
      Effect.contextWith((services: Context.Context<Caller | Needs>) => {
        const origin = () => originOf(operation, services)
        const noted = Context.get(services, Subject) ?? emptySubject()
        let isRecorded = false
        const store = recordingStore(origin, services, () => {
          isRecorded = true
        })
        return run.pipe(
          Effect.provideService(Store, store),
          Effect.provideService(Subject, noted),
          Effect.onExit((exit) =>
            Exit.isSuccess(exit) ? wasRead(noted, isRecorded, origin) : refused(exit, origin(), noted, refusalOf(permission, input)),
          ),
        )
      })

  const wasRead = (noted: Noted, isRecorded: boolean, origin: () => Origin) => {
    if (noted.reached.size + noted.shown_private.size === 0) return Effect.void
    return Effect.map(Clock.currentTimeMillis, (now) => reads.add(noted, isRecorded, origin(), now))
  }

  /** Records what administrators read in the graph. */
  const aroundField =
    (operation: Operation) =>
    <A, R>(load: Effect.Effect<A, AuthError, R>) =>
      Effect.contextWith((services: Context.Context<Caller>) => {
        const noted = emptySubject()
        return load.pipe(
          Effect.provideService(Subject, noted),
          Effect.tap(() => wasRead(noted, false, () => originOf(operation, services))),
        )
      })

  /** Stores waiting events in batches. Those that the store does not accept wait for the next attempt. */
  const storeEach = Effect.fnUntraced(function* storeInBatches<A, R>(
    due: ReadonlyArray<A>,
    eventOf: (one: A) => Effect.Effect<SecurityEvent, never, R>,
    restore: (left: ReadonlyArray<A>) => void,
  ) {
    for (let at = 0; at < due.length; at += batch) {
      const stored = yield* Effect.exit(Effect.flatMap(Effect.forEach(due.slice(at, at + batch), eventOf), commitOf))
      if (Exit.isSuccess(stored)) continue
      restore(due.slice(at))
      return yield* Effect.die(Cause.squash(stored.cause))
    }
  })
  const commitOf = (events: ReadonlyArray<SecurityEvent>) =>
    Effect.flatMap(writesFor(events, null), (writes) => Effect.flatMap(Store, (store) => Effect.orDie(store.commit(writes))))

  const flushUntil = Effect.fnUntraced(function* flushWaiting(now: number) {
    const { due, lost } = failures.drain(now)
    if (lost > 0) yield* Effect.annotateLogs(Effect.logError("refused calls were not recorded, because too many waited"), { count: lost })
    yield* storeEach(due, (failure) => withSubject(failure, identifierHash), failures.restore)
    yield* storeEach(reads.drain(now), eventOfReads, reads.restore)
  })

  const flush = Effect.flatMap(Clock.currentTimeMillis, flushUntil)
  /** The same at the end of the process, including what is still being counted. */
  const flushAll = flushUntil(Number.POSITIVE_INFINITY)
  return { around, aroundField, flush, flushAll, storeOf }
}
export type Recorder = NonNullable<ReturnType<typeof recorderOf>>

const isUserId = Schema.is(Schema.Struct({ user_id: Schema.String.check(Schema.makeFilter(isUuid)) }))

/** What a refused call of an administrator was for. Its input is not decoded, so only an id is taken from it. */
const refusalOf = (permission: string | null, input: unknown): Data => {
  if (permission === null) return {}
  return { permission, ...(isUserId(input) ? { [refusedTarget]: input.user_id } : {}) }
}

type Noted = ReturnType<typeof emptySubject>

const byTable = (all: ReadonlyArray<RowEvents>) => {
  const rules = new Map<string, Array<RowEvents>>()
  for (const each of all) rules.set(each.table.name, [...(rules.get(each.table.name) ?? []), each])
  return rules
}

/** `user.deleted` covers the credentials and sessions of the user; memberships concern their organizations too. */
const withoutRemovedUsers = (found: ReadonlyArray<Happening>) => {
  const removed = new Set(found.filter(({ type }) => type === "user.deleted").map(({ subject }) => subject.id))
  if (removed.size === 0) return found
  return found.filter(
    ({ type, subject, organization_id }) =>
      type === "user.deleted" || type === "user.erased" || organization_id !== undefined || !removed.has(subject.id),
  )
}

const identifierHash = (name: string) => Effect.flatMap(Keys, (keys) => keys.sign("event-identifier", name))

/** Adds id, time and origin. */
const completed = Effect.fnUntraced(function* completedEvent(happening: Happening, { operation, on_behalf_of, ...origin }: Origin) {
  const { type, subject, outcome = "success", reason = null, data = {} } = happening
  const { session_id = origin.session_id, client_id = null, organization_id = null } = happening
  return {
    id: yield* newId,
    at: yield* DateTime.now,
    type,
    outcome,
    reason,
    ...origin,
    actor: actorOf(happening, origin.actor, operation),
    subject: subject.kind === "identifier" && subject.id !== null ? { ...subject, id: yield* identifierHash(subject.id) } : subject,
    organization_id,
    session_id,
    client_id,
    count: 1,
    data: { operation: operation.name, method: operation.module, ...data, ...(on_behalf_of === null ? {} : { on_behalf_of }) },
  } satisfies SecurityEvent
})

const eventOfReads = ({ type, user_id, count, operations, origin }: CountedReads) =>
  Effect.map(
    completed({ type, subject: user(user_id), data: { operations: [...operations].sort() } }, origin),
    (event): SecurityEvent => ({ ...event, count }),
  )

/** A sign-in makes the visitor a user; at the token endpoint the client acts. */
const actorOf = ({ type, subject, client_id }: Happening, actor: Party, { signsIn }: Operation): Party => {
  if (actor.kind !== "visitor") return actor
  if (client_id !== undefined) return { kind: "client", id: client_id }
  const isUser = signsIn !== undefined && subject.kind === "user" && (type === "sign_in.succeeded" || type.startsWith("session."))
  return isUser ? subject : actor
}
