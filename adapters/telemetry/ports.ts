import { Effect, Layer, Metric, type Tracer } from "effect"
import { RateLimiter } from "effect/persistence"
import type { DeliveryRefused } from "../../domain/ports/delivery.ts"
import { Mailer } from "../../domain/ports/mailer.ts"
import { PasswordHasher } from "../../domain/ports/password-hasher.ts"
import { SmsSender } from "../../domain/ports/sms-sender.ts"
import { Conflict, Store, type StoreService } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { WebhookSender } from "../../domain/ports/webhook-sender.ts"
import type { Instruments, Verb } from "./instruments.ts"
import { timed } from "./timing.ts"

/** What wraps the ports: metrics, spans or both. */
export interface Observation {
  readonly instruments: Instruments | undefined
  readonly traces: boolean
  /** `db.system.name` of spans. */
  readonly database: string
}

type Wrap = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const spanned = (isOn: boolean, name: string, kind: Tracer.SpanKind, attributes: Record<string, string> = {}): Wrap =>
  isOn
    ? (effect) => Effect.withSpan(Effect.withTracerEnabled(effect, false), name, { kind, attributes, captureStackTrace: false })
    : (effect) => effect

/** Times each verb of the store, counts conflicts, and opens a span `{verb} {table}` without values. */
export const store = ({ instruments, traces, database }: Observation) =>
  Layer.effect(
    Store,
    Effect.map(Store, (inner): StoreService => {
      const wrap = (verb: Verb, table?: AnyTable): Wrap => {
        const collection = table === undefined ? {} : { "db.collection.name": table.name }
        const attributes = { "db.system.name": database, "db.operation.name": verb, ...collection }
        const inside = spanned(traces, table === undefined ? verb : `${verb} ${table.name}`, "client", attributes)
        const histogram = instruments?.store(verb)
        return histogram === undefined ? inside : (effect) => timed(histogram, inside(effect))
      }
      const countConflict = (error: unknown) =>
        error instanceof Conflict && instruments !== undefined ? Metric.update(instruments.conflict(error.table), 1) : Effect.void
      return {
        read: (table, where) => wrap("read", table)(inner.read(table, where)),
        readWithReferenced: (table, where, field) => wrap("readWithReferenced", table)(inner.readWithReferenced(table, where, field)),
        readWithReferencing: (table, where, other, field, rest) =>
          wrap("readWithReferencing", table)(inner.readWithReferencing(table, where, other, field, rest)),
        list: (table, where, options) => wrap("list", table)(inner.list(table, where, options)),
        listForEach: (table, field, values, options) => wrap("listForEach", table)(inner.listForEach(table, field, values, options)),
        take: (table, where) => wrap("take", table)(inner.take(table, where)),
        commit: (writes) => Effect.tapError(wrap("commit", writes[0]?.table)(inner.commit(writes)), countConflict),
        sweep: (now, limit) => wrap("sweep")(inner.sweep(now, limit)),
        ping: wrap("ping")(inner.ping),
      }
    }),
  )

/** The algorithm of a stored hash, as far as its prefix names one. */
const algorithmOf = (hash: string): string => {
  const [, name = ""] = hash.split("$")
  if (name === "argon2id") return name
  if (/^2[abxy]$/.test(name)) return "bcrypt"
  return /^(scrypt|pbkdf2)/.exec(hash.replace(/^\$/, ""))?.[1] ?? "other"
}

/** Times hashes and counts how many run or wait. */
export const passwordHasher = ({ instruments, traces }: Observation) =>
  Layer.effect(
    PasswordHasher,
    Effect.map(PasswordHasher, (inner) => {
      const wrap =
        (name: string, algorithm: string): Wrap =>
        (effect) => {
          const inside = spanned(traces, name, "internal")(effect)
          if (instruments === undefined) return inside
          const { hashQueue, hash } = instruments
          return Effect.andThen(Metric.modify(hashQueue, 1), timed(hash(algorithm), inside)).pipe(
            Effect.ensuring(Metric.modify(hashQueue, -1)),
          )
        }
      return PasswordHasher.of({
        hash: (password) => wrap("hash", "argon2id")(inner.hash(password)),
        // Without a hash the hasher verifies a decoy of its own algorithm.
        verify: (password, hash) => wrap("verify", hash === null ? "argon2id" : algorithmOf(hash))(inner.verify(password, hash)),
      })
    }),
  )

/** Counts refusals and faults of the rate limiter by budget, the part of the key before its first colon. */
export const rateLimiter = ({ limiterRefusal, limiterFault }: Instruments) =>
  Layer.effect(
    RateLimiter.RateLimiter,
    Effect.map(RateLimiter.RateLimiter, (inner) => ({
      ...inner,
      consume: (options: Parameters<typeof inner.consume>[0]) => {
        const [budget = ""] = options.key.split(":")
        return inner.consume(options).pipe(
          Effect.tapError(({ reason }) => Metric.update((reason._tag === "RateLimitExceeded" ? limiterRefusal : limiterFault)(budget), 1)),
          Effect.tapDefect(() => Metric.update(limiterFault(budget), 1)),
        )
      },
    })),
  )

/** Counts deliveries by their outcome, and opens a span for each. */
export const deliveries = ({ instruments, traces }: Observation) => {
  const count = (outcome: string) => (instruments === undefined ? Effect.void : Metric.update(instruments.outboxAttempt(outcome), 1))
  const observed = (kind: string) => (effect: Effect.Effect<void, DeliveryRefused>) =>
    spanned(
      traces,
      `deliver ${kind}`,
      "producer",
    )(effect).pipe(
      Effect.tap(() => count("delivered")),
      Effect.tapError(({ permanent }) => count(permanent ? "refused" : "failed")),
      Effect.tapDefect(() => count("failed")),
    )
  const mail = Effect.map(Mailer, ({ send }) => Mailer.of({ send: (one) => observed("mail")(send(one)) }))
  const sms = Effect.map(SmsSender, ({ send }) => SmsSender.of({ send: (one) => observed("sms")(send(one)) }))
  return Layer.mergeAll(Layer.effect(Mailer, mail), Layer.effect(SmsSender, sms))
}

/** Counts deliveries of events to webhooks by their outcome, and opens a span for each. */
export const webhooks = ({ instruments, traces }: Observation) =>
  Layer.effect(
    WebhookSender,
    Effect.map(WebhookSender, ({ send }) =>
      WebhookSender.of({
        send: (message) =>
          Effect.tap(spanned(traces, "deliver event", "producer")(send(message)), ({ isAccepted }) =>
            instruments === undefined ? Effect.void : Metric.update(instruments.webhookAttempt(isAccepted ? "delivered" : "failed"), 1),
          ),
      }),
    ),
  )
