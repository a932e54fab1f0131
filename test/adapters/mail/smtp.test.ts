import type { Socket } from "node:net"
import { createServer } from "node:net"
import * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import PostalMime from "postal-mime"
import { limits } from "../../../domain/ports/delivery.ts"
import { certificate, listen, mail, mailer, no, short, smtpServer } from "./server.ts"

const parse = (raw: string) => Effect.promise(() => PostalMime.parse(raw))

/** A server that accepts connections, sends this greeting, and then never answers. */
const mute = Effect.fnUntraced(function* (greeting: string) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
    socket.resume().write(greeting)
  })
  const port = yield* listen(server, (done) => {
    for (const socket of sockets) socket.destroy()
    server.close(done)
  })
  return { port, sockets }
})

const until = (condition: () => boolean) => Effect.repeat(Effect.sleep("5 millis"), { until: condition }).pipe(Effect.timeout("5 seconds"))

describe("a mail", () => {
  it.live("arrives with both parts, in UTF-8, under its headers", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`)
      const text = "Grüße, Ωmega 🚪\n.\n..\nhttps://example.com/?token=a=b&c=d\n"
      const html = `<p>Grüße, Ωmega 🚪</p>${"<p>a long line</p>".repeat(100)}`
      yield* send({ ...mail, subject: "Bestätigung 🚪 für Ada", text, html, language: "de" })

      assert.deepStrictEqual(
        received.map(({ to }) => to),
        [[mail.to]],
      )
      const message = yield* parse(received[0]!.raw)
      assert.strictEqual(message.subject, "Bestätigung 🚪 für Ada")
      assert.strictEqual(message.text?.trimEnd(), text.trimEnd())
      assert.strictEqual(message.html?.trim(), html)
      assert.deepStrictEqual(message.from, { name: "Sallyport", address: "no-reply@example.org" })
      assert.deepStrictEqual(message.to, [{ name: "", address: mail.to }])
      assert.strictEqual(message.messageId, "<id-1@example.org>")
      const headers = new Map(message.headers.map(({ key, value }) => [key, value]))
      assert.strictEqual(headers.get("auto-submitted"), "auto-generated")
      assert.strictEqual(headers.get("content-language"), "de")
      assert.isTrue(headers.has("date"))
      assert.isFalse(headers.has("x-mailer"))
    }),
  )

  it.live("of an earlier version has no language", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      yield* Effect.flatMap(mailer(`smtp://127.0.0.1:${port}`), ({ send }) => send(mail))
      assert.notMatch(received[0]!.raw, /content-language/i)
    }),
  )

  it.live("cannot contain an additional header", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`)
      yield* send({ ...mail, subject: "Hello\r\nBcc: eve@example.com\r\n\r\nbody", messageId: "id\r\nX-Evil: yes" })
      assert.deepStrictEqual(received[0]?.to, [mail.to])
      assert.notMatch(received[0]!.raw, /^(bcc|x-evil):/im)
    }),
  )

  it.live.each([
    "",
    "ada",
    "ada@example.com, eve@example.com",
    "ada@example.com\r\nDATA",
    "Ada <ada@example.com>",
    "ada@example.com> SIZE=1",
    "ada@example.com\0",
  ])("to %j is refused for good, unheard by the server", (to) =>
    Effect.gen(function* () {
      const { port, sockets } = yield* mute("220 hello\r\n")
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`)
      assert.isTrue((yield* Effect.flip(send({ ...mail, to }))).permanent)
      assert.strictEqual(sockets.size, 0)
    }),
  )
})

describe("a server that refuses", () => {
  const refusal = Effect.fnUntraced(function* (
    options: Parameters<typeof smtpServer>[0],
    url = (port: number) => `smtp://127.0.0.1:${port}`,
  ) {
    const { port } = yield* smtpServer(options)
    const { send } = yield* mailer(url(port))
    const { permanent, ofMessage, reason } = yield* Effect.flip(send(mail))
    return { permanent, ofMessage, reason }
  })

  it.live("the recipient with 5xx refuses permanently; its text is not passed on", () =>
    Effect.gen(function* () {
      const refused = yield* refusal({ onRcptTo: (_address, _session, done) => done(no(550, `5.1.1 no ${mail.to} here`)) })
      assert.deepStrictEqual(refused, { permanent: true, ofMessage: true, reason: "RCPT TO 550 5.1.1" })
    }),
  )

  it.live("the content with 5xx refuses permanently; a link that it quotes is not passed on", () =>
    Effect.gen(function* () {
      const refused = yield* refusal({
        onData: (stream, _session, done) => {
          stream.resume().on("end", () => done(no(554, "blocked because of https://example.com/?token=secret")))
        },
      })
      assert.deepStrictEqual(refused, { permanent: true, ofMessage: true, reason: "DATA 554" })
    }),
  )

  it.live("the recipient with 4xx refuses temporarily", () =>
    Effect.gen(function* () {
      let asked = 0
      const { port, received } = yield* smtpServer({
        onRcptTo: (_address, _session, done) => done(++asked === 1 ? no(451, "4.7.1 greylisted") : null),
      })
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`)
      const { permanent, ofMessage, reason } = yield* Effect.flip(send(mail))
      assert.deepStrictEqual({ permanent, ofMessage, reason }, { permanent: false, ofMessage: true, reason: "RCPT TO 451 4.7.1" })
      yield* send(mail)
      assert.lengthOf(received, 1)
    }),
  )

  it.live("the sender indicates wrong settings, so the refusal is temporary", () =>
    Effect.gen(function* () {
      const refused = yield* refusal({ onMailFrom: (_address, _session, done) => done(no(550, "5.7.1 not from you")) })
      assert.deepStrictEqual(refused, { permanent: false, ofMessage: false, reason: "MAIL FROM 550 5.7.1" })
    }),
  )

  it.live("the password indicates wrong settings, so the refusal is temporary", () =>
    Effect.gen(function* () {
      const refused = yield* refusal(
        { authOptional: false, allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(no(535, "5.7.8 no")) },
        (port: number) => `smtp://user:p%40ss@127.0.0.1:${port}`,
      )
      assert.isFalse(refused.permanent)
      assert.match(refused.reason, /^AUTH \w+ 535/)
    }),
  )

  it.live("no client with the right password", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username, password }, _session, done) =>
          username === "us:er" && password === "p@ss" ? done(null, { user: username }) : done(no(535, "no")),
      })
      const { send } = yield* mailer(`smtp://us%3Aer:p%40ss@127.0.0.1:${port}`)
      yield* send(mail)
      assert.lengthOf(received, 1)
    }),
  )
})

describe("a server that does not answer", () => {
  it.live("is given up when it does not greet", () =>
    Effect.gen(function* () {
      const { port } = yield* mute("")
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`, short)
      const refused = yield* Effect.flip(send(mail))
      assert.isFalse(refused.permanent)
      assert.match(refused.reason, /^ETIMEDOUT/)
    }),
  )

  it.live("is given up when it stops answering later", () =>
    Effect.gen(function* () {
      const { port } = yield* mute("220 hello\r\n")
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`, short)
      const refused = yield* Effect.flip(send(mail))
      assert.isFalse(refused.permanent)
      assert.match(refused.reason, /^ETIMEDOUT/)
    }),
  )

  it.live("is disconnected when the outbox interrupts the attempt", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* mute("220 hello\r\n")
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`, { connection: "1 minute", greeting: "1 minute", socket: "1 minute" })
      const sending = yield* Effect.forkChild(send(mail))
      yield* until(() => sockets.size === 1)
      yield* Fiber.interrupt(sending)
      yield* until(() => sockets.size === 0)
    }),
  )

  it.live("is used again when it has recovered", () =>
    Effect.gen(function* () {
      const away = yield* Effect.scoped(Effect.map(smtpServer(), ({ port }) => port))
      const { send } = yield* mailer(`smtp://127.0.0.1:${away}`)
      const refused = yield* Effect.flip(send(mail))
      assert.isFalse(refused.permanent)
      assert.match(refused.reason, /ECONNREFUSED/)

      const { received } = yield* smtpServer({}, away)
      yield* send(mail)
      assert.lengthOf(received, 1)
    }),
  )

  it.live("is used again after it has closed an idle connection", () =>
    Effect.gen(function* () {
      const { port, received, server } = yield* smtpServer()
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`, { connection: "8 seconds", greeting: "8 seconds", socket: "2 seconds" })
      yield* send(mail)
      for (const connection of server.connections as Set<{ readonly _socket: Socket }>) connection._socket.destroy()
      yield* send(mail)
      assert.lengthOf(received, 2)
      // Longer than an idle connection stays open: closing it is not a fault either.
      yield* Effect.sleep("1500 millis")
      yield* send(mail)
      assert.lengthOf(received, 3)
    }),
  )
})

describe("connections", () => {
  it.live("are no more than the outbox needs", () =>
    Effect.gen(function* () {
      let connections = 0
      const { port, received } = yield* smtpServer({
        onConnect: (_session, done) => {
          connections++
          done()
        },
      })
      const { send } = yield* mailer(`smtp://127.0.0.1:${port}`)
      yield* Effect.forEach(Array.from({ length: 50 }), () => send(mail), { concurrency: "unbounded" })
      assert.lengthOf(received, 50)
      assert.isAtMost(connections, limits.concurrency)
    }),
  )

  it.live("are closed when the mails in flight have been sent", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const { port, received } = yield* smtpServer({
        onRcptTo: (_address, _session, done) => {
          Deferred.doneUnsafe(begun, Effect.void)
          setTimeout(done, 100)
        },
      })
      const scope = yield* Scope.make()
      const { send } = yield* Scope.provide(mailer(`smtp://127.0.0.1:${port}`), scope)
      const sending = yield* Effect.forkChild(send(mail))
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      assert.lengthOf(received, 1)
      yield* Fiber.join(sending)
    }),
  )
})

describe("encryption", () => {
  it.live.each([
    ["smtps", { secure: true, ...certificate() }, (port: number) => `smtps://localhost:${port}`],
    ["STARTTLS", certificate(), (port: number) => `smtp://localhost:${port}?tls=required`],
  ] as const)("over %s requires a trusted certificate", ([_name, options, url]) =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer(options)
      const { send } = yield* mailer(url(port))
      const refused = yield* Effect.flip(send(mail))
      assert.isFalse(refused.permanent)
      assert.match(refused.reason, /self-signed certificate/)
      assert.lengthOf(received, 0)

      const trusted = tls.getCACertificates("default")
      yield* Effect.acquireRelease(
        Effect.sync(() => tls.setDefaultCACertificates([...trusted, certificate().cert])),
        () => Effect.sync(() => tls.setDefaultCACertificates(trusted)),
      )
      yield* send(mail)
      assert.deepStrictEqual(
        received.map(({ secure }) => secure),
        [true],
      )
    }),
  )

  it.live("that is required and not offered stops the mail", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer({ disabledCommands: ["STARTTLS"] })
      const { send } = yield* mailer(`smtp://localhost:${port}?tls=required`)
      assert.isFalse((yield* Effect.flip(send(mail))).permanent)
      assert.lengthOf(received, 0)
    }),
  )

  it.live("is not needed on this machine", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer(certificate())
      const { send } = yield* mailer(`smtp://localhost:${port}`)
      yield* send(mail)
      assert.deepStrictEqual(
        received.map(({ secure }) => secure),
        [false],
      )
    }),
  )
})
