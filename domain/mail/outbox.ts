import { Context, DateTime, Duration, Effect, Latch, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Channels } from "../ports/channels.ts"
import { limits } from "../ports/delivery.ts"
import { Mailer } from "../ports/mailer.ts"
import { SmsSender } from "../ports/sms-sender.ts"
import { insert, Store, type Write } from "../ports/store.ts"
import { newId } from "../storage/new-id.ts"
import { makeWorkers, page } from "../storage/workers.ts"
import { Keys } from "../tokens/keys.ts"
import { isSynthetic } from "../values/text.ts"
import { attempt, nameOf, take } from "./outbox-delivery.ts"
import { type Payload, type PendingMessage, PendingMessages, seal } from "./outbox-tables.ts"

export interface EmailMessage {
  /**
   * A message to null is stored like any other and then discarded, so that response times do not reveal which addresses have an account.
   */
  readonly to: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A BCP 47 tag. */
  readonly language?: string
  /** Expiry of the token in the message. From then on, the message is discarded. */
  readonly expiresAt?: DateTime.Utc
}

/** An SMS. */
interface TextMessage extends Pick<EmailMessage, "to" | "text" | "expiresAt"> {}

/**
 * Outgoing mails, SMS and messages to other services. A message is stored in the commit that causes it and delivered afterwards, at least once: a crash loses no
 * message, and a slow mail server delays no request.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** The write that stores a mail, for the commit with the change that causes it. */
    mail(message: EmailMessage): Effect.Effect<Write>
    /** The same for an SMS. */
    sms(message: TextMessage): Effect.Effect<Write>
    /** The same for a message to a channel of a module. */
    post(channel: string, text: string): Effect.Effect<Write>
    /** Wakes the worker of this process. */
    readonly nudge: Effect.Effect<void>
    /** Delivers all messages that are due, and waits for running deliveries. */
    readonly drain: Effect.Effect<void>
    /** Delivers messages until it is interrupted; `worker` runs it. */
    readonly work: Effect.Effect<never>
  }
>()("sallyport/Outbox") {}

export const giveUpAfter = Duration.days(1)
const pollEvery = Duration.seconds(5)
const drainFor = Duration.seconds(10)

const make = Effect.gen(function* () {
  const services = Context.pick(
    Store,
    Keys,
    Mailer,
    SmsSender,
    SecureRandom.SecureRandom,
  )(yield* Effect.context<Store | Keys | Mailer | SmsSender | SecureRandom.SecureRandom>())
  const channels = yield* Channels
  const wake = yield* Latch.make()
  const { start, settled } = makeWorkers(Effect.forkIn(yield* Effect.scope))
  const dueReceivers = yield* makeDueReceivers
  const round = Effect.flatMap(dueReceivers(Object.keys(channels), Effect.asVoid(wake.open)), start)
  const once = Effect.provideContext(round, Context.add(services, Channels, channels))
  const delivered = Effect.andThen(once, settled)

  const pending = Effect.fnUntraced(function* pending(payload: Payload) {
    const now = yield* DateTime.now
    return insert(PendingMessages, {
      id: yield* newId,
      sealed: yield* seal(payload),
      receiver: payload._tag === "channel" ? payload.to : payload._tag,
      attempts: 0,
      created_at: now,
      due_at: now,
      give_up_at: DateTime.addDuration(now, giveUpAfter),
      reason: null,
    })
  }, Effect.provideContext(services))

  return Outbox.of({
    mail: ({ to, expiresAt = null, ...message }) => pending({ _tag: "mail", ...message, to: realRecipient(to), expires_at: expiresAt }),
    sms: ({ expiresAt = null, ...message }) => pending({ _tag: "sms", ...message, expires_at: expiresAt }),
    post: (channel, text) => pending({ _tag: "channel", to: channel, text, expires_at: null }),
    nudge: Effect.asVoid(wake.open),
    // A message to a channel becomes several at its first delivery.
    drain: Effect.andThen(delivered, delivered),
    work: forever(once, wake),
  })
})

/** Finds the receivers of messages that are due. */
const makeDueReceivers = Effect.gen(function* () {
  /** The failures of each receiver since its last success. A single one says little: a mail server refuses some recipients for now. */
  const failures = new Map<string | null, number>()
  const found = new Set<string | null>()
  let after = {}
  const add = (receivers: ReadonlyArray<string | null>) =>
    Effect.sync(() => {
      for (const receiver of receivers) found.add(receiver)
    })

  const due = (where: { readonly receiver?: string | null }, from = {}) =>
    Effect.gen(function* dueMessages() {
      const rows = yield* (yield* Store).list(PendingMessages, where, { limit: page, order: "due_at", ...from })
      const now = yield* DateTime.now
      return rows.filter(({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))
    })

  const receiverOf = (receiver: string | null, nudge: Effect.Effect<void>) => ({
    id: receiver ?? "",
    due: Effect.map(due({ receiver }), (rows) => {
      if (rows.length === 0) found.delete(receiver)
      return rows.map((row) => [row])
    }),
    lease: ({ id }: PendingMessage) => take(id),
    attempt: (row: PendingMessage) =>
      attempt(row, (parts) => Effect.andThen(add(parts), nudge)).pipe(
        Effect.tap((isAccepted) =>
          Effect.sync(() => {
            if (isAccepted) failures.delete(receiver)
            else failures.set(receiver, (failures.get(receiver) ?? 0) + 1)
          }),
        ),
        Effect.catchDefect((defect) => {
          const fault = { id: row.id, reason: nameOf(defect) }
          return Effect.as(Effect.annotateLogs(Effect.logWarning("the state of a message could not be stored"), fault), false)
        }),
      ),
    isFailing: () => (failures.get(receiver) ?? 0) >= limits.concurrency,
  })

  return (channels: ReadonlyArray<string>, nudge: Effect.Effect<void>) =>
    Effect.gen(function* dueReceivers() {
      const rows = yield* due({}, after)
      yield* add(rows.map(({ receiver }) => receiver))
      // Many messages to one receiver must not hide the others: those with a fixed name are tried, and the next round reads on.
      const isPart = rows.length === page
      if (isPart) yield* add(["mail", "sms", ...channels])
      after = isPart ? { after: rows.at(-1) } : {}
      return [...found].map((receiver) => receiverOf(receiver, nudge))
    })
})

/** Runs a round on every wake-up, and every few seconds for retries and the messages of other processes. Logs repeated faults once. */
const forever = (round: Effect.Effect<void>, wake: Latch.Latch) =>
  Effect.gen(function* () {
    let reachable = true
    while (true) {
      yield* wake.close
      const fault = yield* round.pipe(
        Effect.as(undefined),
        Effect.catchDefect((defect) => Effect.succeed(nameOf(defect))),
      )
      if (fault !== undefined && reachable)
        yield* Effect.annotateLogs(Effect.logWarning("the outbox cannot read its messages"), { reason: fault })
      reachable = fault === undefined
      yield* Effect.timeoutOption(wake.await, pollEvery)
    }
  })

/** Null for a synthetic address, which has no mailbox. Every mail passes this check, so callers do not repeat it. */
const realRecipient = (to: string | null) => (to === null || isSynthetic(to) ? null : to)

/** The outbox without a worker: messages stay in it until a worker of any process delivers them. */
export const layer = Layer.effect(Outbox, make)

/** Delivers in the background. On shutdown, delivers due messages for a few more seconds. */
export const worker = Layer.effectDiscard(
  Effect.gen(function* () {
    const outbox = yield* Outbox
    const finalDrain = outbox.drain.pipe(
      Effect.interruptible,
      Effect.timeoutOption(drainFor),
      Effect.catchDefect((defect) =>
        Effect.annotateLogs(Effect.logWarning("undelivered messages remain in the outbox"), { reason: nameOf(defect) }),
      ),
    )
    yield* Effect.addFinalizer(() => finalDrain)
    yield* Effect.forkScoped(outbox.work)
  }),
)
