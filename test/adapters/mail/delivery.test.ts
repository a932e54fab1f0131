import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Aead, Kdf, SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import PostalMime from "postal-mime"
import type { SMTPServerOptions } from "smtp-server"
import * as Jose from "../../../adapters/crypto/jose.ts"
import * as TextHashes from "../../../adapters/crypto/text-hashes.ts"
import * as NoSms from "../../../adapters/sms/none.ts"
import * as Emails from "../../../domain/mail/emails.ts"
import * as Outbox from "../../../domain/mail/outbox.ts"
import { DeadLetters, PendingMessages, tables } from "../../../domain/mail/outbox-tables.ts"
import { Mailer } from "../../../domain/ports/mailer.ts"
import { Store } from "../../../domain/ports/store.ts"
import * as Keys from "../../../domain/tokens/keys.ts"
import { composed } from "../../composed.ts"
import { storeLayer } from "../../stores.ts"
import { mail, mailer, no, smtpServer } from "./server.ts"

const crypto = Layer.mergeAll(Aead.layerWebCrypto, TextHashes.layer, Kdf.layerWebCrypto, Jose.layer).pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
)
const keys = Keys.layer([Redacted.make("a secret that is long enough for a test")]).pipe(Layer.provideMerge(crypto))
const message = composed(Emails.verifyEmail("https://example.com/verify?token=abc"))

/** The outboxes of two processes over one store, and real connections to the mail server at this port. */
const outboxTo = Effect.fnUntraced(function* (port: number) {
  const post = Layer.succeed(Mailer, yield* mailer(`smtp://127.0.0.1:${port}`))
  const store = Context.get(yield* Layer.build(storeLayer(tables)), Store)
  const outbox = Layer.fresh(Outbox.layer).pipe(
    Layer.provide([Layer.succeed(Store, store), post, NoSms.layer, keys]),
    Layer.build,
    Effect.map(Context.get(Outbox.Outbox)),
  )
  const [{ drain, mail: write }, other] = yield* Effect.all([outbox, outbox])
  const queue = Effect.flatMap(write({ to: mail.to, ...message }), (row) => store.commit([row]))
  const left = Effect.gen(function* () {
    const pending = yield* store.list(PendingMessages, {}, { limit: 10 })
    const dead = yield* store.list(DeadLetters, {}, { limit: 10 })
    return { pending: pending.length, dead: dead.map(({ reason }) => reason) }
  })
  return { drain, drainOther: other.drain, queue, left }
})

/** Refuses the first recipients with this error, and accepts the later ones. */
const refusingAtFirst = (times: number, error: Error): SMTPServerOptions => {
  let asked = 0
  return { onRcptTo: (_address, _session, done) => done(++asked <= times ? error : null) }
}

describe("a mail in the outbox", () => {
  it.effect("arrives as it was written", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      const { drain, queue, left } = yield* outboxTo(port)
      yield* queue
      yield* drain
      assert.lengthOf(received, 1)
      const read = yield* Effect.promise(() => PostalMime.parse(received[0]!.raw))
      assert.strictEqual(read.subject, message.subject)
      assert.strictEqual(read.text?.trimEnd(), message.text.trimEnd())
      assert.strictEqual(read.html?.trimEnd(), message.html.trimEnd())
      assert.deepStrictEqual(yield* left, { pending: 0, dead: [] })
    }),
  )

  it.effect("arrives once after two temporary refusals", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer(refusingAtFirst(2, no(450, "4.2.0 try again later")))
      const { drain, queue, left } = yield* outboxTo(port)
      yield* queue
      yield* drain
      yield* TestClock.adjust("5 seconds")
      yield* drain
      assert.deepStrictEqual(yield* left, { pending: 1, dead: [] })
      yield* TestClock.adjust("10 seconds")
      yield* drain
      assert.lengthOf(received, 1)
      assert.deepStrictEqual(yield* left, { pending: 0, dead: [] })
    }),
  )

  it.effect("to a recipient who does not exist is given up", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer(refusingAtFirst(1, no(550, "5.1.1 who?")))
      const { drain, queue, left } = yield* outboxTo(port)
      yield* queue
      yield* drain
      assert.lengthOf(received, 0)
      assert.deepStrictEqual(yield* left, { pending: 0, dead: ["RCPT TO 550 5.1.1"] })
    }),
  )

  it.effect("waits for a mail server that is down", () =>
    Effect.gen(function* () {
      const away = yield* Effect.scoped(Effect.map(smtpServer(), ({ port }) => port))
      const { drain, queue, left } = yield* outboxTo(away)
      yield* queue
      yield* drain
      assert.deepStrictEqual(yield* left, { pending: 1, dead: [] })

      const { received } = yield* smtpServer({}, away)
      yield* TestClock.adjust("1 minute")
      yield* drain
      assert.lengthOf(received, 1)
      assert.deepStrictEqual(yield* left, { pending: 0, dead: [] })
    }),
  )

  it.effect("arrives once, of many, while two processes deliver them at the same time", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      const { drain, drainOther, queue, left } = yield* outboxTo(port)
      yield* Effect.replicateEffect(queue, 40)
      yield* Effect.all([drain, drainOther, drain, drainOther], { concurrency: "unbounded" })
      assert.lengthOf(received, 40)
      assert.strictEqual(new Set(received.map(({ raw }) => /^message-id: .*$/im.exec(raw)?.[0])).size, 40)
      assert.deepStrictEqual(yield* left, { pending: 0, dead: [] })
    }),
  )
})
