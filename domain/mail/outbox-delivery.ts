import { DateTime, Duration, Effect, Option, Random } from "effect"
import { DeliveryRefused, limits } from "../ports/delivery.ts"
import { Mailer } from "../ports/mailer.ts"
import { SmsSender } from "../ports/sms-sender.ts"
import type { Versioned, Write } from "../ports/store.ts"
import { insert, remove, removeVersioned, Store, update } from "../ports/store.ts"
import type { Payload, PendingMessage } from "./outbox-tables.ts"
import { DeadLetters, open, PendingMessages } from "./outbox-tables.ts"

/** Longer than an attempt can take, so that a row is never with two workers. */
const lease = Duration.minutes(1)
const firstDelay = Duration.seconds(5)
const longestDelay = Duration.minutes(15)
const deadFor = Duration.days(30)
const deadForPastUse = Duration.days(1)

/** Takes a due row for one attempt; none when another worker was faster. */
export const take = Effect.fnUntraced(function* take(id: string) {
  const store = yield* Store
  const held = Option.getOrUndefined(yield* store.read(PendingMessages, { id }))
  const now = yield* DateTime.now
  if (held === undefined || DateTime.isGreaterThan(held.row.due_at, now)) return Option.none<PendingMessage>()

  const changes = { attempts: held.row.attempts + 1, due_at: DateTime.addDuration(now, lease) }
  return yield* store.commit([update(PendingMessages, held, changes)]).pipe(
    Effect.as(Option.some<PendingMessage>({ ...held.row, ...changes })),
    Effect.catchTag("Conflict", () => Effect.succeed(Option.none<PendingMessage>())),
    Effect.catchTag("Taken", Effect.die),
  )
})

/** Tries to deliver a row that was taken, and settles what becomes of it. */
export const attempt = Effect.fnUntraced(function* attempt(row: PendingMessage) {
  const payload = Option.getOrUndefined(yield* open(row.sealed))
  if (payload === undefined) return yield* bury(row, "the payload cannot be opened", null)
  if (payload.to === null) return yield* settled(row)
  if (payload.expires_at !== null && DateTime.isLessThanOrEqualTo(payload.expires_at, yield* DateTime.now)) {
    yield* Effect.logWarning("a letter expired before it was delivered", about(row))
    return yield* settled(row)
  }

  return yield* deliver({ ...payload, to: payload.to }, row.id).pipe(
    Effect.catchDefect((defect) => new DeliveryRefused({ permanent: false, reason: nameOf(defect) })),
    Effect.timeoutOrElse({
      duration: limits.timeout,
      orElse: () => new DeliveryRefused({ permanent: false, reason: `no answer within ${Duration.format(limits.timeout)}` }),
    }),
    Effect.matchEffect({ onSuccess: () => settled(row), onFailure: (refused) => refusedBy(row, payload, refused) }),
  )
})

type Addressed = Payload & { readonly to: string }

const deliver = (payload: Addressed, id: string): Effect.Effect<void, DeliveryRefused, Mailer | SmsSender> => {
  const { to, text } = payload
  if (payload._tag === "sms") return Effect.flatMap(SmsSender, (sender) => sender.send({ to, text, id }))
  const { subject, html } = payload
  return Effect.flatMap(Mailer, (mailer) => mailer.send({ to, subject, text, html, messageId: id }))
}

const settled = Effect.fnUntraced(function* settled(row: PendingMessage) {
  yield* (yield* Store).commit([remove(PendingMessages, row.id)])
}, Effect.orDie)

const refusedBy = Effect.fnUntraced(function* refusedBy(row: PendingMessage, { expires_at }: Payload, refused: DeliveryRefused) {
  const reason = tidy(refused.reason)
  const now = yield* DateTime.now
  if (refused.permanent || DateTime.isGreaterThanOrEqualTo(now, row.give_up_at)) return yield* bury(row, reason, expires_at)

  yield* Effect.logWarning("a letter could not be delivered yet", { ...about(row), reason })
  const next = DateTime.addDuration(now, yield* delayAfter(row.attempts))
  yield* ifOurs(row, (held) => [update(PendingMessages, held, { due_at: DateTime.min(next, row.give_up_at) })])
})

/** Doubles with every attempt; the random half keeps letters that failed together from coming back together. */
const delayAfter = (attempts: number) =>
  Effect.map(Random.next, (chance) => {
    const whole = Math.min(Duration.toMillis(firstDelay) * 2 ** (attempts - 1), Duration.toMillis(longestDelay))
    return Duration.millis(Math.round(whole * (1 - chance / 2)))
  })

/** A letter that was of use for a while is kept a day longer: whoever makes us write to nobody must not fill the store with it. */
const bury = Effect.fnUntraced(function* bury(row: PendingMessage, reason: string, useful_until: DateTime.Utc | null) {
  const now = yield* DateTime.now
  const { id, sealed, attempts, created_at } = row
  const longest = DateTime.addDuration(now, deadFor)
  const expires_at = useful_until === null ? longest : DateTime.min(longest, DateTime.addDuration(useful_until, deadForPastUse))
  const dead = { id, sealed, attempts, created_at, reason, died_at: now, expires_at }
  yield* ifOurs(row, (held) => [removeVersioned(PendingMessages, held), insert(DeadLetters, dead)])
  yield* Effect.logError("a letter was given up", { ...about(row), reason })
})

/** A worker that was held up past its lease must not undo what the next one has done. */
const ifOurs = Effect.fnUntraced(
  function* ifOurs(row: PendingMessage, writes: (held: Versioned<PendingMessage>) => ReadonlyArray<Write>) {
    const store = yield* Store
    const held = Option.getOrUndefined(yield* store.read(PendingMessages, { id: row.id }))
    if (held?.row.attempts === row.attempts) yield* store.commit(writes(held))
  },
  Effect.catchTag("Conflict", () => Effect.void),
  Effect.catchTag("Taken", Effect.die),
)

const about = ({ id, attempts }: PendingMessage) => ({ id, attempts })

/** A fault of the program is named only: its message could repeat the letter. */
export const nameOf = (defect: unknown): string => (defect instanceof Error ? defect.name : typeof defect)

/** A mail server's words go into the log and the store: one line, of bounded length, that both can hold. */
const tidy = (reason: string) =>
  reason
    .slice(0, 200)
    .replace(/\p{Cc}+/gu, " ")
    .toWellFormed()
