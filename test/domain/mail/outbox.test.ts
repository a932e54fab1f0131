import { assert, describe, it } from "@effect/vitest"
import { Array, Context, DateTime, Duration, Effect, Exit, Fiber, Layer, Logger, Option, Random, Redacted, References, Scope } from "effect"
import { Aead, Kdf, SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as Jose from "../../../adapters/crypto/jose.ts"
import * as TextHashes from "../../../adapters/crypto/text-hashes.ts"
import * as StoreMemory from "../../../adapters/memory/memory-store.ts"
import * as Outbox from "../../../domain/mail/outbox.ts"
import { DeadLetters, PendingMessages, tables } from "../../../domain/mail/outbox-tables.ts"
import { Channels } from "../../../domain/ports/channels.ts"
import { DeliveryRefused, limits } from "../../../domain/ports/delivery.ts"
import type { Mail } from "../../../domain/ports/mailer.ts"
import { Mailer } from "../../../domain/ports/mailer.ts"
import { SmsSender } from "../../../domain/ports/sms-sender.ts"
import type { StoreService } from "../../../domain/ports/store.ts"
import { put, Store, StoreUnavailable } from "../../../domain/ports/store.ts"
import * as Keys from "../../../domain/tokens/keys.ts"

const crypto = Layer.mergeAll(Aead.layerWebCrypto, TextHashes.layer, Kdf.layerWebCrypto, Jose.layer).pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
)
const realKeys = Keys.layer([Redacted.make("a secret that is long enough for a test")]).pipe(Layer.provide(crypto))

/** Keys without Web Crypto: its promises do not depend on the test clock, so most tests do not use it. */
const instantKeys = Layer.succeed(Keys.Keys, {
  sign: () => Effect.die("nothing is signed here"),
  verify: () => Effect.die("nothing is signed here"),
  signingKeys: () => Effect.die("nothing is signed here"),
  macKeys: () => Effect.die("nothing is signed here"),
  reseal: () => Effect.die("nothing is resealed here"),
  ids: ["instant"],
  seal: (purpose, text) => Effect.succeed(`${purpose}|${text}`),
  open: (purpose, sealed) =>
    Effect.succeed(sealed.startsWith(`${purpose}|{`) ? Option.some(sealed.slice(purpose.length + 1)) : Option.none()),
})

const message = { to: "ada@example.com", subject: "A subject", text: "Your token is 4f3d2e", html: "<p>Your token is 4f3d2e</p>" }
const refused = new DeliveryRefused({ permanent: false, reason: "RCPT TO 451 4.7.1" })
const unknownReceiver = new DeliveryRefused({ permanent: true, reason: "RCPT TO 550 5.1.1" })

/** A store that the test can make unavailable, a mailer whose answers the test sets, and any number of processes that share them. */
const worldWith = Effect.fnUntraced(function* (keys: typeof realKeys | typeof instantKeys) {
  const store = Context.get(yield* Layer.build(StoreMemory.layer(tables)), Store)
  const state = {
    down: false,
    unreadable: false,
    deliver: (_mail: Mail): Effect.Effect<void, DeliveryRefused> => Effect.void,
    begun: [] as Array<Mail & { readonly at: number }>,
    sent: [] as Array<Mail>,
    texted: [] as Array<string>,
    logged: [] as Array<string>,
  }

  const guard = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => (state.down ? Effect.die(new StoreUnavailable({ cause: "cut off" })) : effect))
  const cuttable: StoreService = {
    // Yields, so that another worker can run between reading and writing.
    read: (...args) => Effect.tap(guard(state.unreadable ? Effect.die("unreadable") : store.read(...args)), () => Effect.yieldNow),
    readWithReferenced: (...args) => guard(store.readWithReferenced(...args)),
    readWithReferencing: (...args) => guard(store.readWithReferencing(...args)),
    list: (...args) => guard(store.list(...args)),
    listForEach: (...args) => guard(store.listForEach(...args)),
    take: (...args) => guard(store.take(...args)),
    commit: (...args) => guard(store.commit(...args)),
    sweep: (...args) => guard(store.sweep(...args)),
    ping: guard(store.ping),
  }
  const send = Effect.fnUntraced(function* (mail: Mail) {
    state.begun.push({ ...mail, at: DateTime.toEpochMillis(yield* DateTime.now) })
    yield* state.deliver(mail)
    state.sent.push(mail)
  })

  const outside = Layer.mergeAll(
    Layer.succeed(Store, cuttable),
    Layer.succeed(Mailer, { send }),
    Layer.succeed(SmsSender, { send: ({ to }) => Effect.sync(() => void state.texted.push(to)) }),
    keys,
    SecureRandom.layerWebCrypto,
  )
  const service = Layer.provide(Layer.fresh(Outbox.layer), outside)
  const logging = Logger.layer([
    Logger.make(({ message, fiber }) => {
      const annotations = fiber.getRef(References.CurrentLogAnnotations)
      state.logged.push(JSON.stringify([...Array.ensure(message), annotations]))
    }),
  ])
  const quiet = (outbox: Outbox.Outbox["Service"]) => ({ ...outbox, drain: Effect.provide(outbox.drain, logging) })
  const idle = Effect.map(Layer.build(service), (built) => quiet(Context.get(built, Outbox.Outbox)))
  const working = Outbox.worker.pipe(
    Layer.provideMerge(service),
    Layer.provide(logging),
    Layer.build,
    Effect.map(Context.get(Outbox.Outbox)),
  )

  const post = Effect.fnUntraced(function* (outbox: Outbox.Outbox["Service"], changes: Partial<Outbox.EmailMessage> = {}) {
    yield* store.commit([yield* outbox.mail({ ...message, ...changes })])
  })
  const pending = store.list(PendingMessages, {}, { limit: 1000, order: "due_at" })
  const dead = store.list(DeadLetters, {}, { limit: 1000 })
  const millisUntilDue = Effect.gen(function* () {
    const [row] = yield* pending
    assert.isDefined(row)
    return DateTime.toEpochMillis(row.due_at) - DateTime.toEpochMillis(yield* DateTime.now)
  })
  return { state, store, idle, working, post, pending, dead, millisUntilDue }
})
const world = worldWith(instantKeys)

/** Runs all fibers as far as they get without a change of the time. */
const settle: Effect.Effect<void> = Effect.asVoid(
  Effect.replicateEffect(
    Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve))),
    100,
  ),
)
const pass = (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), settle)
const chance = (value: number) => Effect.provideService(Random.Random, { nextDoubleUnsafe: () => value, nextIntUnsafe: () => 0 })
const later = (duration: Duration.Input) => Effect.map(DateTime.now, DateTime.addDuration(duration))

describe("a message", () => {
  it.effect("is delivered once it is committed, and then removed", () =>
    Effect.gen(function* () {
      const { state, idle, post, pending } = yield* worldWith(realKeys)
      const outbox = yield* idle
      yield* outbox.mail(message)
      yield* outbox.drain
      assert.lengthOf(state.begun, 0)

      yield* post(outbox)
      const [row] = yield* pending
      yield* outbox.drain
      const { expiresAt: _, ...mail } = { ...message, expiresAt: undefined, messageId: row?.id ?? "" }
      assert.deepStrictEqual(state.sent, [mail])
      assert.lengthOf(yield* pending, 0)

      yield* outbox.drain
      assert.lengthOf(state.sent, 1)
    }),
  )

  it.effect("cannot be read in the store", () =>
    Effect.gen(function* () {
      const { idle, post, pending } = yield* worldWith(realKeys)
      const outbox = yield* idle
      yield* post(outbox)
      yield* post(outbox)
      const [first, second] = yield* pending
      for (const secret of [message.to, message.subject, "4f3d2e"]) assert.notInclude(JSON.stringify([first, second]), secret)
      assert.notStrictEqual(first?.sealed, second?.sealed)
    }),
  )

  it.effect("without a recipient costs a row of the same kind, and is discarded", () =>
    Effect.gen(function* () {
      const { state, idle, post, pending, dead } = yield* world
      const outbox = yield* idle
      yield* post(outbox, { to: null })
      assert.lengthOf(yield* pending, 1)
      yield* outbox.drain
      assert.lengthOf(state.begun, 0)
      assert.lengthOf(yield* pending, 0)
      assert.lengthOf(yield* dead, 0)
    }),
  )

  it.effect("is sent until the millisecond in which its token ends", () =>
    Effect.gen(function* () {
      const { state, idle, post, pending, dead } = yield* world
      const outbox = yield* idle
      yield* post(outbox, { expiresAt: yield* later("1 hour") })
      yield* pass(Duration.millis(3_599_999))
      yield* outbox.drain
      assert.lengthOf(state.sent, 1)

      yield* post(outbox, { expiresAt: yield* later("1 hour") })
      yield* pass("1 hour")
      yield* outbox.drain
      assert.lengthOf(state.begun, 1)
      assert.lengthOf(yield* pending, 0)
      assert.lengthOf(yield* dead, 0)
    }),
  )

  it.effect("that was modified is given up", () =>
    Effect.gen(function* () {
      const { state, store, idle, post, pending, dead } = yield* worldWith(realKeys)
      const outbox = yield* idle
      yield* post(outbox)
      yield* post(outbox)
      const [first, second] = yield* pending
      yield* store.commit([put(PendingMessages, { ...first!, sealed: `${first!.sealed.slice(0, -4)}AAAA` })])
      yield* outbox.drain
      assert.deepStrictEqual(
        state.sent.map(({ messageId }) => messageId),
        [second!.id],
      )
      assert.deepStrictEqual(
        (yield* dead).map(({ id, reason }) => [id, reason]),
        [[first!.id, "the payload cannot be decrypted"]],
      )
    }),
  )
})

describe("a refused mail", () => {
  const delays = (value: number) =>
    Effect.gen(function* () {
      const { state, idle, post, millisUntilDue } = yield* world
      const outbox = yield* idle
      state.deliver = () => Effect.fail(refused)
      yield* post(outbox)
      const seen: Array<number> = []
      for (let attempt = 1; attempt <= 10; attempt++) {
        yield* outbox.drain
        const wait = yield* millisUntilDue
        yield* pass(Duration.millis(wait - 1))
        yield* outbox.drain
        assert.lengthOf(state.begun, attempt)
        yield* pass(Duration.millis(1))
        seen.push(wait / 1000)
      }
      return seen
    }).pipe(chance(value))

  it.effect("waits twice as long after every attempt, a quarter of an hour at most", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* delays(0), [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
    }),
  )

  it.effect("waits half as long at the lowest random value", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* delays(1), [2.5, 5, 10, 20, 40, 80, 160, 320, 450, 450])
    }),
  )

  it.effect("keeps its Message-ID, and is delivered at last", () =>
    Effect.gen(function* () {
      const { state, idle, post, pending } = yield* world
      const outbox = yield* idle
      state.deliver = () => Effect.fail(refused)
      yield* post(outbox)
      yield* outbox.drain
      state.deliver = () => Effect.void
      yield* pass("5 seconds")
      yield* outbox.drain
      const [first, second] = state.begun
      assert.isDefined(first)
      assert.strictEqual(second?.messageId, first.messageId)
      assert.lengthOf(state.sent, 1)
      assert.lengthOf(yield* pending, 0)
    }),
  )

  it.effect("has the reason of the last failure, and none before the first", () =>
    Effect.gen(function* () {
      const { state, idle, post, pending } = yield* world
      const outbox = yield* idle
      state.deliver = () => Effect.fail(refused)
      yield* post(outbox)
      assert.strictEqual((yield* pending)[0]?.reason, null)
      yield* outbox.drain
      assert.strictEqual((yield* pending)[0]?.reason, refused.reason)
    }),
  )

  it.effect("is tried once more after a day, and then given up", () =>
    Effect.gen(function* () {
      const { state, idle, post, pending, dead, millisUntilDue } = yield* world
      const outbox = yield* idle
      state.deliver = () => Effect.fail(refused)
      yield* post(outbox)
      const [row] = yield* pending

      yield* pass(Duration.millis(86_399_999))
      yield* outbox.drain
      assert.lengthOf(yield* dead, 0)
      assert.strictEqual(yield* millisUntilDue, 1)

      yield* pass(Duration.millis(1))
      yield* outbox.drain
      assert.lengthOf(state.begun, 2)
      assert.lengthOf(yield* pending, 0)
      const now = yield* DateTime.now
      const expected = {
        id: row!.id,
        sealed: row!.sealed,
        receiver: "mail",
        attempts: 2,
        reason: refused.reason,
        created_at: row!.created_at,
      }
      assert.deepStrictEqual(yield* dead, [{ ...expected, died_at: now, expires_at: DateTime.add(now, { days: 30 }) }])
    }),
  )

  it.effect("permanently is given up at once, with one log line without the recipient and the token", () =>
    Effect.gen(function* () {
      const { state, idle, post, pending, dead } = yield* worldWith(realKeys)
      const outbox = yield* idle
      state.deliver = () => Effect.fail(unknownReceiver)
      yield* post(outbox)
      yield* outbox.drain
      assert.lengthOf(yield* pending, 0)
      const [row] = yield* dead
      assert.strictEqual(row?.reason, unknownReceiver.reason)
      assert.notInclude(JSON.stringify(row), message.to)
      assert.deepStrictEqual(state.logged, [
        JSON.stringify([
          "a message could not be delivered, no further attempts",
          { id: row?.id, attempts: 1, reason: unknownReceiver.reason },
        ]),
      ])
    }),
  )

  it.effect("permanently is kept for a day after its expiry, and for thirty days at most", () =>
    Effect.gen(function* () {
      const { state, idle, post, dead } = yield* worldWith(realKeys)
      const outbox = yield* idle
      state.deliver = () => Effect.fail(unknownReceiver)
      const now = yield* DateTime.now
      for (const expiresAt of [DateTime.add(now, { minutes: 5 }), DateTime.add(now, { days: 29 }), DateTime.add(now, { days: 40 })])
        yield* post(outbox, { expiresAt })
      yield* outbox.drain
      const kept = (yield* dead).map(({ expires_at }) => DateTime.toEpochMillis(expires_at) - DateTime.toEpochMillis(now))
      const day = 86_400_000
      assert.deepStrictEqual(
        kept.toSorted((one, other) => one - other),
        [day + 300_000, 30 * day, 30 * day],
      )
    }),
  )

  it.effect("has a reason that fits into the store and one log line", () =>
    Effect.gen(function* () {
      const { state, idle, post, dead } = yield* world
      const outbox = yield* idle
      state.deliver = () => Effect.fail(new DeliveryRefused({ permanent: true, reason: `a\0b\r\nc\ud800${"x".repeat(500)}` }))
      yield* post(outbox)
      yield* outbox.drain
      const [row] = yield* dead
      assert.strictEqual(row?.reason, `a b c\ufffd${"x".repeat(193)}`)
    }),
  )

  it.effect("by a defect of the mailer is tried again, and the defect's message is not logged", () =>
    Effect.gen(function* () {
      const { state, idle, post, millisUntilDue } = yield* world
      const outbox = yield* idle
      state.deliver = () => Effect.die(new TypeError(message.text))
      yield* post(outbox)
      yield* chance(0)(outbox.drain)
      assert.strictEqual(yield* millisUntilDue, 5000)
      assert.include(state.logged.join(), "TypeError")
      assert.notInclude(state.logged.join(), "4f3d2e")
    }),
  )
})

describe("workers", () => {
  it.effect("of many processes deliver each of many messages once", () =>
    Effect.gen(function* () {
      const { state, idle, post, pending } = yield* world
      const outboxes = yield* Effect.all([idle, idle, idle])
      state.deliver = () => Effect.sleep("1 second")
      for (let count = 0; count < 250; count++) yield* post(outboxes[0])

      const drains = yield* Effect.forkChild(
        Effect.forEach([...outboxes, ...outboxes], ({ drain }) => drain, { concurrency: "unbounded", discard: true }),
      )
      for (let second = 0; second < 20; second++) yield* pass("1 second")
      yield* Fiber.join(drains)
      assert.lengthOf(state.sent, 250)
      assert.strictEqual(new Set(state.sent.map(({ messageId }) => messageId)).size, 250)
      assert.lengthOf(yield* pending, 0)
      assert.deepStrictEqual(state.logged, [])
    }),
  )

  it.effect("wake when they are nudged, and every five seconds", () =>
    Effect.gen(function* () {
      const { state, working, post } = yield* world
      const outbox = yield* working
      yield* settle

      yield* post(outbox)
      yield* outbox.nudge
      yield* settle
      assert.lengthOf(state.sent, 1)

      yield* post(outbox)
      yield* pass(Duration.millis(4999))
      assert.lengthOf(state.sent, 1)
      yield* pass(Duration.millis(1))
      assert.lengthOf(state.sent, 2)
      assert.deepStrictEqual(state.logged, [])
    }),
  )

  it.effect("find due messages behind hundreds that are not due", () =>
    Effect.gen(function* () {
      const { state, store, idle, post, pending } = yield* world
      const outbox = yield* idle
      for (let count = 0; count < 150; count++) yield* post(outbox)
      const due_at = yield* later("1 hour")
      yield* store.commit((yield* pending).map((row) => put(PendingMessages, { ...row, due_at })))
      yield* post(outbox)
      yield* outbox.drain
      assert.lengthOf(state.sent, 1)
    }),
  )

  it.effect("free their slots after messages that could not be read", () =>
    Effect.gen(function* () {
      const { state, idle, post } = yield* world
      const outbox = yield* idle
      yield* post(outbox)
      state.unreadable = true
      for (let round = 0; round <= limits.concurrency; round++) yield* Effect.exit(outbox.drain)
      state.unreadable = false
      yield* outbox.drain
      assert.lengthOf(state.sent, 1)
    }),
  )

  it.effect("wait for a minute after another worker died during a delivery, then deliver the message again", () =>
    Effect.gen(function* () {
      const { state, idle, post } = yield* world
      const scope = yield* Scope.make()
      const crashing = yield* Scope.provide(idle, scope)
      const other = yield* idle
      state.deliver = () => Effect.never
      yield* post(crashing)
      yield* Effect.forkChild(crashing.drain)
      yield* settle
      yield* Scope.close(scope, Exit.void)
      state.deliver = () => Effect.void

      yield* pass(Duration.millis(59_999))
      yield* other.drain
      assert.lengthOf(state.begun, 1)
      yield* pass(Duration.millis(1))
      yield* other.drain
      assert.lengthOf(state.sent, 1)
      assert.strictEqual(state.begun[0]?.messageId, state.begun[1]?.messageId)
    }),
  )

  it.effect("do not write a row that another worker has leased meanwhile", () =>
    Effect.gen(function* () {
      const { state, store, idle, post, pending, dead } = yield* world
      const outbox = yield* idle
      for (const refusal of [refused, unknownReceiver]) {
        yield* post(outbox)
        const [row] = yield* pending
        const taken = { ...row!, attempts: 7, due_at: DateTime.add(row!.due_at, { minutes: 3 }) }
        state.deliver = () => Effect.andThen(Effect.orDie(store.commit([put(PendingMessages, taken)])), Effect.fail(refusal))
        yield* outbox.drain
        assert.deepStrictEqual(yield* pending, [taken])
        assert.lengthOf(yield* dead, 0)
        assert.notInclude(state.logged.join(), "settled")
        state.deliver = () => Effect.void
        yield* pass("3 minutes")
        yield* outbox.drain
      }
    }),
  )

  it.effect("abort a hanging attempt after half a minute, and deliver the other messages meanwhile", () =>
    Effect.gen(function* () {
      const { state, working, post, pending } = yield* world
      const outbox = yield* working
      state.deliver = ({ subject }) => (subject === "hangs" ? Effect.never : Effect.void)
      yield* post(outbox, { subject: "hangs" })
      for (let count = 0; count < 20; count++) yield* post(outbox)
      yield* outbox.nudge
      yield* settle
      assert.lengthOf(state.sent, 20)

      yield* pass(Duration.millis(29_999))
      assert.strictEqual((yield* pending)[0]?.attempts, 1)
      state.deliver = () => Effect.void
      yield* pass(Duration.millis(1))
      assert.lengthOf(state.sent, 20)
      yield* pass("10 seconds")
      assert.lengthOf(state.sent, 21)
      assert.lengthOf(yield* pending, 0)
    }),
  )

  it.effect("deliver short messages while the mail server hangs, however many mails wait", () =>
    Effect.gen(function* () {
      const { state, store, working, post } = yield* world
      const outbox = yield* working
      state.deliver = () => Effect.never
      for (let count = 0; count < 250; count++) yield* post(outbox)
      yield* outbox.nudge
      yield* settle
      for (let count = 0; count < 20; count++) yield* store.commit([yield* outbox.sms({ to: "+15550100", text: "4f3d2e" })])
      yield* outbox.nudge
      yield* settle
      assert.deepStrictEqual([state.texted.length, state.begun.length], [20, limits.concurrency])
      state.deliver = () => Effect.void
      yield* pass("35 seconds")
    }),
  )

  it.effect("try a mail server that fails once a round, until it accepts a mail", () =>
    Effect.gen(function* () {
      const { state, working, post } = yield* world
      const outbox = yield* working
      state.deliver = () => Effect.fail(refused)
      for (let count = 0; count < 100; count++) yield* post(outbox)
      yield* outbox.nudge
      yield* settle
      const first = state.begun.length
      assert.isAtLeast(first, limits.concurrency)
      assert.isAtMost(first, 2 * limits.concurrency)
      for (const rounds of [1, 2, 3]) {
        yield* pass("5 seconds")
        assert.strictEqual(state.begun.length, first + rounds)
      }
      state.deliver = () => Effect.fail(unknownReceiver)
      yield* pass("5 seconds")
      assert.isAtLeast(state.begun.length, 100 + 3)
    }),
  )

  it.effect("do not slow down for a server that refuses only single mails for a while", () =>
    Effect.gen(function* () {
      const { state, working, post } = yield* world
      const outbox = yield* working
      state.deliver = () => Effect.fail(new DeliveryRefused({ ...refused, ofMessage: true }))
      for (let count = 0; count < 100; count++) yield* post(outbox)
      yield* outbox.nudge
      yield* settle
      assert.strictEqual(new Set(state.begun.map(({ messageId }) => messageId)).size, 100)
    }),
  )

  it.effect("give each part of a channel deliveries of its own", () =>
    Effect.gen(function* () {
      const { store, idle, pending } = yield* world
      const received: Array<string> = []
      const deliver = (text: string, part: string | null) => {
        if (part === null) return Effect.succeed(["hangs", "works"])
        return part === "hangs"
          ? Effect.never
          : Effect.as(
              Effect.sync(() => received.push(text)),
              [],
            )
      }
      const outbox = yield* Effect.provideService(idle, Channels, { news: deliver })
      for (let count = 0; count < 30; count++) yield* store.commit([yield* outbox.post("news", String(count))])
      const draining = yield* Effect.forkChild(outbox.drain)
      yield* settle
      assert.lengthOf(received, 30)
      assert.deepStrictEqual([...new Set((yield* pending).map(({ receiver }) => receiver))], ["news:hangs"])
      yield* Fiber.interrupt(draining)
    }),
  )

  it.effect("deliver the messages of an earlier version, which name no receiver", () =>
    Effect.gen(function* () {
      const { state, store, idle, post, pending } = yield* world
      const outbox = yield* idle
      yield* post(outbox)
      const [row] = yield* pending
      yield* store.commit([put(PendingMessages, { ...row!, receiver: null })])
      yield* outbox.drain
      assert.lengthOf(state.sent, 1)
    }),
  )

  it.effect("deliver only a few messages at once", () =>
    Effect.gen(function* () {
      const { state, working, post } = yield* world
      const outbox = yield* working
      state.deliver = () => Effect.never
      for (let count = 0; count < 20; count++) yield* post(outbox)
      yield* outbox.nudge
      yield* settle
      assert.lengthOf(state.begun, limits.concurrency)

      state.deliver = () => Effect.void
      yield* pass("35 seconds")
      assert.isAtLeast(state.sent.length, 20 - limits.concurrency)
    }),
  )

  it.effect("continue when the store is unreachable, and log it once", () =>
    Effect.gen(function* () {
      const { state, working, post, pending } = yield* world
      const outbox = yield* working
      yield* post(outbox)
      state.down = true
      yield* outbox.nudge
      yield* pass("1 minute")
      assert.lengthOf(state.begun, 0)
      assert.deepStrictEqual(state.logged, [JSON.stringify(["the outbox cannot read its messages", { reason: "StoreUnavailable" }])])

      state.down = false
      yield* pass("5 seconds")
      assert.lengthOf(state.sent, 1)
      assert.lengthOf(yield* pending, 0)

      state.down = true
      yield* pass("1 minute")
      assert.lengthOf(state.logged, 2)
    }),
  )

  it.effect("send a message again, with the same Message-ID, when the store became unreachable before it was removed", () =>
    Effect.gen(function* () {
      const { state, working, post, pending } = yield* world
      const outbox = yield* working
      state.deliver = () =>
        Effect.sync(() => {
          state.down = true
        })
      yield* post(outbox)
      yield* outbox.nudge
      yield* settle
      const unsettled = JSON.stringify([
        "the state of a message could not be stored",
        { id: state.sent[0]?.messageId, reason: "StoreUnavailable" },
      ])
      assert.include(state.logged, unsettled)
      state.down = false
      state.deliver = () => Effect.void
      yield* pass("55 seconds")
      assert.lengthOf(state.sent, 1)
      yield* pass("5 seconds")
      assert.lengthOf(state.sent, 2)
      assert.strictEqual(state.sent[0]?.messageId, state.sent[1]?.messageId)
      assert.lengthOf(yield* pending, 0)
    }),
  )

  it.effect("deliver due messages at shutdown", () =>
    Effect.gen(function* () {
      const { state, working, post } = yield* world
      const scope = yield* Scope.make()
      const outbox = yield* Scope.provide(working, scope)
      yield* settle
      state.deliver = () => Effect.sleep("2 seconds")
      yield* post(outbox)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* settle
      yield* pass("2 seconds")
      yield* Fiber.join(closing)
      assert.lengthOf(state.sent, 1)
    }),
  )

  it.effect("shut down within ten seconds, whatever the mail server does", () =>
    Effect.gen(function* () {
      const { state, working, post, pending } = yield* world
      const scope = yield* Scope.make()
      const outbox = yield* Scope.provide(working, scope)
      state.deliver = () => Effect.never
      yield* post(outbox)
      yield* outbox.nudge
      yield* settle
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* settle
      yield* pass(Duration.millis(9_999))
      assert.isUndefined(closing.pollUnsafe())
      yield* pass(Duration.millis(1))
      yield* Fiber.join(closing)
      assert.lengthOf(yield* pending, 1)
    }),
  )

  it.effect("shut down although the store is unreachable", () =>
    Effect.gen(function* () {
      const { state, working } = yield* world
      const scope = yield* Scope.make()
      yield* Scope.provide(working, scope)
      state.down = true
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(Scope.close(scope, Exit.void))))
    }),
  )
})
