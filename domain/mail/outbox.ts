import { Context, DateTime, Duration, Effect, FiberSet, Latch, Layer, Option, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { limits } from "../ports/delivery.ts"
import { Mailer } from "../ports/mailer.ts"
import { SmsSender } from "../ports/sms-sender.ts"
import type { Write } from "../ports/store.ts"
import { insert, Store } from "../ports/store.ts"
import { Keys } from "../tokens/keys.ts"
import { isSynthetic } from "../values/text.ts"
import { attempt, nameOf, take } from "./outbox-delivery.ts"
import type { Payload } from "./outbox-tables.ts"
import { PendingMessages, seal } from "./outbox-tables.ts"

/** A letter that is to be mailed. */
export interface EmailMessage {
  /** Null is a letter to nobody: it costs what any other costs and is dropped, so that time does not tell who is known here. */
  readonly to: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** When the token inside ends: from then on the letter is dropped. */
  readonly expiresAt?: DateTime.Utc
}

/** A short message that is to be sent to a telephone. */
interface TextMessage extends Pick<EmailMessage, "to" | "text" | "expiresAt"> {}

/**
 * Letters on their way. They are stored in the commit that causes them and delivered
 * afterwards, at least once: neither a crash nor a slow mail server loses one or delays a request.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** The write that makes the letter certain; to be committed together with the change that causes it. */
    mail(message: EmailMessage): Effect.Effect<Write>
    /** The same for a short message. */
    sms(message: TextMessage): Effect.Effect<Write>
    /** Tells the worker of this process that something was committed. */
    readonly nudge: Effect.Effect<void>
    /** Delivers everything that is due now, and waits for what is under way. */
    readonly drain: Effect.Effect<void>
    /** Delivers for as long as it runs; `worker` runs it. */
    readonly work: Effect.Effect<never>
  }
>()("sallyport/Outbox") {}

const giveUpAfter = Duration.days(1)
const pollEvery = Duration.seconds(5)
const drainFor = Duration.seconds(10)
const page = 100

const make = Effect.gen(function* () {
  const services = Context.pick(Store, Keys, Mailer, SmsSender)(yield* Effect.context<Store | Keys | Mailer | SmsSender>())
  const random = yield* SecureRandom.SecureRandom
  const wake = yield* Latch.make()
  const { round, settled } = yield* delivering
  const once = Effect.provideContext(round, services)

  const pending = Effect.fnUntraced(function* pending(payload: Payload) {
    const now = yield* DateTime.now
    return insert(PendingMessages, {
      id: yield* random.uuidV7(),
      sealed: yield* seal(payload),
      attempts: 0,
      created_at: now,
      due_at: now,
      give_up_at: DateTime.addDuration(now, giveUpAfter),
    })
  }, Effect.provideContext(services))

  return Outbox.of({
    mail: ({ to, expiresAt = null, ...message }) => pending({ _tag: "mail", ...message, to: readBySomebody(to), expires_at: expiresAt }),
    sms: ({ expiresAt = null, ...message }) => pending({ _tag: "sms", ...message, expires_at: expiresAt }),
    nudge: Effect.asVoid(wake.open),
    drain: Effect.andThen(once, settled),
    work: forever(once, wake),
  })
})

/** Rounds of deliveries, so many letters at once at the most. */
const delivering = Effect.gen(function* () {
  const store = yield* Store
  const slots = yield* Semaphore.make(limits.concurrency)
  const rounds = yield* Semaphore.make(1)
  const deliveries = yield* FiberSet.make<void>()

  /** The row is taken only once a slot is free, since its lease has to outlast the attempt. */
  const start = (id: string) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* restore(slots.take(1))
        const row = yield* Effect.onError(take(id), () => slots.release(1))
        if (Option.isNone(row)) return yield* slots.release(1)
        const delivery = attempt(row.value).pipe(
          Effect.catchDefect((defect) => Effect.logWarning("a letter could not be settled", { id, reason: nameOf(defect) })),
          Effect.ensuring(slots.release(1)),
        )
        return yield* FiberSet.run(deliveries, delivery)
      }),
    )

  /** Starts on everything that is due; one round at a time, so that `drain` sees what the worker has begun. */
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

  return { round, settled: FiberSet.awaitEmpty(deliveries) }
})

/** A round whenever somebody wakes it, and every few seconds for what others have left. A fault is told once, not each time. */
const forever = (round: Effect.Effect<void>, wake: Latch.Latch) =>
  Effect.gen(function* () {
    let reachable = true
    while (true) {
      yield* wake.close
      const fault = yield* round.pipe(
        Effect.as(undefined),
        Effect.catchDefect((defect) => Effect.succeed(nameOf(defect))),
      )
      if (fault !== undefined && reachable) yield* Effect.logWarning("the outbox cannot read its letters", { reason: fault })
      reachable = fault === undefined
      yield* Effect.timeoutOption(wake.await, pollEvery)
    }
  })

/** At an address that the service made up itself there is nobody: here is the one place that knows, for every letter and notice. */
const readBySomebody = (to: string | null) => (to === null || isSynthetic(to) ? null : to)

/** The outbox itself; letters stay in it until a worker, of this process or another, delivers them. */
export const layer = Layer.effect(Outbox, make)

/** Delivers in the background, and at its end what is still due, for some seconds. */
export const worker = Layer.effectDiscard(
  Effect.gen(function* () {
    const outbox = yield* Outbox
    const farewell = outbox.drain.pipe(
      Effect.interruptible,
      Effect.timeoutOption(drainFor),
      Effect.catchDefect((defect) => Effect.logWarning("letters are left in the outbox", { reason: nameOf(defect) })),
    )
    yield* Effect.addFinalizer(() => farewell)
    yield* Effect.forkScoped(outbox.work)
  }),
)
