import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import type { AddressInfo, Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Context, Effect, Layer, Redacted } from "effect"
import type { SMTPServerOptions } from "smtp-server"
import { SMTPServer } from "smtp-server"
import * as Smtp from "../../../adapters/mail/smtp.ts"
import type { Mail } from "../../../domain/ports/mailer.ts"
import { Mailer } from "../../../domain/ports/mailer.ts"

export const mail: Mail = { to: "ada@example.com", subject: "Hello", text: "Hello", html: "<p>Hello</p>", messageId: "id-1" }
export const from = "Sallyport <no-reply@example.org>"

/** The error with which a mail server refuses. */
export const no = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** A mail server on this machine that runs until the end of the test, and the mails that it received. */
export const smtpServer = Effect.fnUntraced(function* (options: SMTPServerOptions = {}, port = 0) {
  const received: Array<{ readonly raw: string; readonly to: ReadonlyArray<string>; readonly secure: boolean }> = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    ...certificate(),
    onData: async (stream, { envelope, secure }, done) => {
      const raw = await text(stream)
      received.push({ raw, to: envelope.rcptTo.map(({ address }) => address), secure })
      done()
    },
    ...options,
  })
  // Some tests have a client that disconnects.
  server.on("error", () => undefined)
  const listening = yield* listen(server.server, (close) => server.close(close), port)
  return { received, server, port: listening }
})

/** Listens on this machine until the end of the test. */
export const listen = (server: Server, close: (done: () => void) => void, port = 0) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    }),
    () => Effect.callback<void>((resume) => close(() => resume(Effect.void))),
  )

/** Time limits that suffice on a busy machine. */
const long: Smtp.Timeouts = { connection: "8 seconds", greeting: "8 seconds", socket: "8 seconds" }
/** Time limits for servers that never answer. */
export const short: Smtp.Timeouts = { connection: "300 millis", greeting: "300 millis", socket: "300 millis" }

/** A mailer for the mail server at this URL. */
export const mailer = (url: string, timeouts = long) =>
  Effect.map(Layer.build(Layer.fresh(Smtp.layer({ url: Redacted.make(url), from }, timeouts))), Context.get(Mailer))

/** A self-signed certificate, generated for each run. */
export const certificate = () => {
  made ??= selfSigned()
  return made
}
let made: { readonly key: string; readonly cert: string } | undefined

const selfSigned = () => {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"))
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", cert, ...subject], {
    stdio: "ignore",
  })
  const pair = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  rmSync(folder, { recursive: true })
  return pair
}
