import { Context, DateTime, Duration, Effect, FiberSet, Latch, Layer, Option, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { Channels } from "../ports/channels.ts"
import { limits } from "../ports/delivery.ts"
import { Mailer } from "../ports/mailer.ts"
import { SmsSender } from "../ports/sms-sender.ts"
import { insert, Store, type Write } from "../ports/store.ts"
import { newId } from "../storage/new-id.ts"
import { Keys } from "../tokens/keys.ts"
import { isSynthetic } from "../values/text.ts"
import { attempt, nameOf, take } from "./outbox-delivery.ts"
import { type Payload, PendingMessages, seal } from "./outbox-tables.ts"

export interface EmailMessage {
  /**
   * A message to null is stored like any other and then discarded, so that response times do not reveal which addresses have an account.
   */
  readonly to: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
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
const page = 100

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
  const { round, delivered } = yield* delivering
  const once = Effect.provideContext(round, Context.add(services, Channels, channels))

  const pending = Effect.fnUntraced(function* pending(payload: Payload) {
    const now = yield* DateTime.now
    return insert(PendingMessages, {
      id: yield* newId,
      sealed: yield* seal(payload),
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
    drain: Effect.andThen(once, delivered),
    work: forever(once, wake),
  })
})

/** Rounds of deliveries, with at most `limits.concurrency` messages at once. */
const delivering = Effect.gen(function* () {
  const store = yield* Store
  const slots = yield* Semaphore.make(limits.concurrency)
  const rounds = yield* Semaphore.make(1)
  const deliveries = yield* FiberSet.make<void>()

  /** Leases the row only once a slot is free: the lease has to outlast the attempt. */
  const start = (id: string) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* restore(slots.take(1))
        const row = yield* Effect.onError(take(id), () => slots.release(1))
        if (Option.isNone(row)) return yield* slots.release(1)
        const delivery = attempt(row.value).pipe(
          Effect.catchDefect((defect) =>
            Effect.annotateLogs(Effect.logWarning("the state of a message could not be stored"), { id, reason: nameOf(defect) }),
          ),
          Effect.ensuring(slots.release(1)),
        )
        return yield* FiberSet.run(deliveries, delivery)
      }),
    )

  /** Starts all deliveries that are due; one round at a time, so that `drain` waits for those that the worker started. */
  const round = Effect.gen(function* () {
    let more = true
    while (more) {
      const now = yield* DateTime.now
      const rows = yield* store.list(PendingMessages, {}, { limit: page, order: "due_at" })
      const due = rows.filter(({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))
      yield* Effect.forEach(due, ({ id }) => start(id), { concurrency: limits.concurrency, discard: true })
      more = due.length === page
    }
  }).pipe(rounds.withPermits(1))

  return { round, delivered: FiberSet.awaitEmpty(deliveries) }
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
