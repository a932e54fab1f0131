import { DateTime, Duration, Effect, Option, Random } from "effect"
import { Channels } from "../ports/channels.ts"
import { DeliveryRefused, limits } from "../ports/delivery.ts"
import { Mailer } from "../ports/mailer.ts"
import { SmsSender } from "../ports/sms-sender.ts"
import { insert, isCommitted, remove, removeVersioned, Store, update, type Versioned, type Write } from "../ports/store.ts"
import { newId } from "../storage/new-id.ts"
import { DeadLetters, open, type Payload, type PendingMessage, PendingMessages } from "./outbox-tables.ts"

/** Longer than the time-out of an attempt, so that two workers never deliver the same row at once. */
const lease = Duration.minutes(1)
const firstDelay = Duration.seconds(5)
const longestDelay = Duration.minutes(15)
const deadFor = Duration.days(30)
const deadForPastUse = Duration.days(1)

/** Leases a due row for one attempt. Undefined if another worker leased it first. */
export const take = Effect.fnUntraced(function* take(id: string) {
  const message = Option.getOrUndefined(yield* (yield* Store).read(PendingMessages, { id }))
  const now = yield* DateTime.now
  if (message === undefined || DateTime.isGreaterThan(message.row.due_at, now)) return undefined

  const changes = { attempts: message.row.attempts + 1, due_at: DateTime.addDuration(now, lease) }
  const leased: PendingMessage = { ...message.row, ...changes }
  return (yield* isCommitted([update(PendingMessages, message, changes)])) ? leased : undefined
})

/**
 * Tries to deliver a leased row. Then removes it, schedules the next attempt, or moves it to the dead letters. False if the receiver failed;
 * a message that it refuses for good shows that it works.
 */
export const attempt = Effect.fnUntraced(function* attempt(
  row: PendingMessage,
  onSplit: (receivers: ReadonlyArray<string>) => Effect.Effect<void>,
) {
  const payload = Option.getOrUndefined(yield* open(row.sealed))
  if (payload === undefined) return yield* Effect.as(bury(row, "the payload cannot be decrypted", null), true)
  if (payload.to === null) return yield* Effect.as(removeMessage(row), true)
  if (payload.expires_at !== null && DateTime.isLessThanOrEqualTo(payload.expires_at, yield* DateTime.now)) {
    yield* Effect.annotateLogs(Effect.logWarning("a message expired before it was delivered"), about(row))
    return yield* Effect.as(removeMessage(row), true)
  }

  return yield* deliver({ ...payload, to: payload.to }, row).pipe(
    Effect.catchDefect((defect) => new DeliveryRefused({ permanent: false, reason: nameOf(defect) })),
    Effect.timeoutOrElse({
      duration: limits.timeout,
      orElse: () => new DeliveryRefused({ permanent: false, reason: `no answer within ${Duration.format(limits.timeout)}` }),
    }),
    Effect.matchEffect({
      onSuccess: (parts) => {
        const receivers = parts.map((part) => `${payload.to}:${part}`)
        return Effect.as(parts.length === 0 ? removeMessage(row) : Effect.andThen(split(row, receivers), onSplit(receivers)), true)
      },
      onFailure: (refused) => Effect.as(retryOrBury(row, payload, refused), refused.permanent || refused.ofMessage === true),
    }),
  )
})

type Addressed = Payload & { readonly to: string }

/** Returns the parts of a channel that get the message. */
const deliver = (payload: Addressed, row: PendingMessage): Effect.Effect<ReadonlyArray<string>, DeliveryRefused, Mailer | SmsSender> => {
  const { to, text } = payload
  const { id, receiver } = row
  if (payload._tag === "channel") {
    const part = receiver?.startsWith(`${to}:`) ? receiver.slice(to.length + 1) : null
    return Effect.flatMap(Channels, (channels) => channels[to]?.(text, part) ?? unknownChannel)
  }
  if (payload._tag === "sms") return Effect.flatMap(SmsSender, (sender) => Effect.as(sender.send({ to, text, id }), []))
  const { _tag, expires_at: _expiry, ...mail } = payload
  return Effect.flatMap(Mailer, (mailer) => Effect.as(mailer.send({ ...mail, messageId: id }), []))
}

const unknownChannel = new DeliveryRefused({ permanent: true, reason: "no module has this channel" })

const removeMessage = Effect.fnUntraced(function* removeMessage(row: PendingMessage) {
  yield* (yield* Store).commit([remove(PendingMessages, row.id)])
}, Effect.orDie)

/** Replaces a message to a channel by one for each part. */
const split = Effect.fnUntraced(function* splitMessage(row: PendingMessage, receivers: ReadonlyArray<string>) {
  const fresh = { ...row, attempts: 0, due_at: yield* DateTime.now }
  const writes = yield* Effect.forEach(receivers, (receiver) =>
    Effect.map(newId, (id) => insert(PendingMessages, { ...fresh, id, receiver })),
  )
  yield* ifStillLeased(row, (message) => [removeVersioned(PendingMessages, message), ...writes])
})

const retryOrBury = Effect.fnUntraced(function* retryOrBury(row: PendingMessage, { expires_at }: Payload, refused: DeliveryRefused) {
  const reason = tidy(refused.reason)
  const now = yield* DateTime.now
  if (refused.permanent || DateTime.isGreaterThanOrEqualTo(now, row.give_up_at)) return yield* bury(row, reason, expires_at)

  yield* Effect.annotateLogs(Effect.logWarning("a message could not be delivered yet"), { ...about(row), reason })
  const next = DateTime.addDuration(now, yield* delayAfter(row.attempts))
  yield* ifStillLeased(row, (message) => [update(PendingMessages, message, { due_at: DateTime.min(next, row.give_up_at), reason })])
})

/** Doubles with every attempt. The random half spreads messages that failed at the same time. */
const delayAfter = (attempts: number) =>
  Effect.map(Random.next, (chance) => {
    const delay = Math.min(Duration.toMillis(firstDelay) * 2 ** (attempts - 1), Duration.toMillis(longestDelay))
    return Duration.millis(Math.round(delay * (1 - chance / 2)))
  })

/**
 * Moves an undeliverable message to the dead letters, for operators. A message with an expiry is kept for only one day after that expiry:
 * otherwise an attacker could fill the store by requesting mails to addresses that do not exist.
 */
const bury = Effect.fnUntraced(function* bury(row: PendingMessage, reason: string, usefulUntil: DateTime.Utc | null) {
  const now = yield* DateTime.now
  const { id, sealed, receiver, attempts, created_at } = row
  const longest = DateTime.addDuration(now, deadFor)
  const expires_at = usefulUntil === null ? longest : DateTime.min(longest, DateTime.addDuration(usefulUntil, deadForPastUse))
  const dead = { id, sealed, receiver, attempts, created_at, reason, died_at: now, expires_at }
  yield* ifStillLeased(row, (message) => [removeVersioned(PendingMessages, message), insert(DeadLetters, dead)])
  yield* Effect.annotateLogs(Effect.logError("a message could not be delivered, no further attempts"), { ...about(row), reason })
})

/**
 * Commits only while this worker's lease is current: a worker that is delayed past its lease must not overwrite the result of the next
 * worker.
 */
const ifStillLeased = Effect.fnUntraced(function* ifStillLeased(
  row: PendingMessage,
  writes: (message: Versioned<PendingMessage>) => ReadonlyArray<Write>,
) {
  const message = Option.getOrUndefined(yield* (yield* Store).read(PendingMessages, { id: row.id }))
  if (message?.row.attempts === row.attempts) yield* isCommitted(writes(message))
})

const about = ({ id, attempts }: PendingMessage) => ({ id, attempts })

/** Only the name of a defect is logged: its message could contain the mail. */
export const nameOf = (defect: unknown): string => (defect instanceof Error ? defect.name : typeof defect)

/** Limits a mail server's response, which is written to the log and the store, to one short line of well-formed text. */
const tidy = (reason: string) =>
  reason
    .slice(0, 200)
    .replace(/\p{Cc}+/gu, " ")
    .toWellFormed()
