import { Duration, Effect, Layer, Scope } from "effect"
import { DeliveryRefused, limits } from "../../domain/ports/delivery.ts"
import { type Mail, Mailer } from "../../domain/ports/mailer.ts"
import { retainedOnSuccess } from "../retained.ts"
import { isAddress, type Settings, sender, server } from "./smtp-settings.ts"

/** How long a mail server may take to accept a connection, to greet, and between two packets. */
export interface Timeouts {
  readonly connection: Duration.Input
  readonly greeting: Duration.Input
  readonly socket: Duration.Input
}

const defaultTimeouts: Timeouts = { connection: "10 seconds", greeting: "10 seconds", socket: "20 seconds" }
const closeWithin = Duration.seconds(10)

/** nodemailer is large, so it is loaded with the first mail. */
const openTransport = (options: Effect.Success<ReturnType<typeof server>> & ReturnType<typeof pooled>) =>
  Effect.acquireRelease(
    Effect.promise(() => import("nodemailer")).pipe(Effect.map(({ createTransport }) => createTransport(options))),
    (transport) => Effect.sync(() => transport.close({ force: true })),
  )
type Transport = Effect.Success<ReturnType<typeof openTransport>>

/** Sends mail over pooled SMTP connections. Fails with `MailSettingsInvalid`. */
export const layer = (settings: Settings, timeouts: Timeouts = defaultTimeouts) =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const { domain, ...from } = yield* sender(settings.from)
      const options = { ...(yield* server(settings.url)), ...pooled(timeouts) }
      // Its finalizer is added first, so that the connections are closed after the mails in flight.
      const connections = yield* Effect.flatMap(Effect.scope, Scope.fork)
      const transport = yield* retainedOnSuccess(Scope.provide(openTransport(options), connections))
      const inFlight = new Set<Promise<unknown>>()
      yield* Effect.addFinalizer(() =>
        Effect.promise(() => Promise.allSettled(inFlight)).pipe(Effect.interruptible, Effect.timeoutOption(closeWithin)),
      )
      const sending = (transport: Transport, mail: Mail, signal: AbortSignal) => {
        const sent = transport.sendMail({ from, messageId: `<${mail.messageId}@${domain}>`, ...messageOf(mail), signal })
        inFlight.add(sent)
        return sent.finally(() => inFlight.delete(sent))
      }

      return Mailer.of({
        send: (mail) =>
          isAddress(mail.to)
            ? Effect.flatMap(transport, (opened) => Effect.tryPromise({ try: (signal) => sending(opened, mail, signal), catch: refusal }))
            : new DeliveryRefused({ permanent: true, reason: "the recipient is not an email address" }),
      })
    }),
  )

const pooled = ({ connection, greeting, socket }: Timeouts) => ({
  pool: true as const,
  maxConnections: limits.concurrency,
  maxRequeues: 1,
  connectionTimeout: Duration.toMillis(connection),
  greetingTimeout: Duration.toMillis(greeting),
  socketTimeout: Duration.toMillis(socket),
  // A short limit, because a server that hangs does not answer QUIT either.
  socketCloseTimeout: 1000,
  idleTimeout: Duration.toMillis(socket) / 2,
  disableFileAccess: true,
  disableUrlAccess: true,
})

const messageOf = ({ to, subject, text, html, language }: Mail) => ({
  // A string would be parsed as a list of addresses.
  to: { name: "", address: to },
  subject,
  text,
  html,
  // The first suppresses automatic replies (RFC 3834 section 5); by the second, readers choose a voice (RFC 3282).
  headers: { "Auto-Submitted": "auto-generated", ...(language === undefined ? {} : { "Content-Language": language }) },
  xMailer: false as const,
})

interface SmtpFault {
  readonly code?: string
  readonly message?: string
  /** The step that failed, such as `RCPT TO`. */
  readonly command?: string
  readonly responseCode?: number
  /** The answer of the server may quote the recipient or a link of the mail, so only its codes go into logs and rows. */
  readonly response?: string
}

const refusal = (error: unknown): DeliveryRefused => {
  const { code = "unknown", message = "", command = "", responseCode, response = "" } = error as SmtpFault
  if (responseCode !== undefined) {
    const [enhanced = ""] = response.match(/(?<=^\d{3}[ -])\d\.\d{1,3}\.\d{1,3}(?= )/) ?? []
    return new DeliveryRefused({
      permanent: responseCode >= 500 && isAboutMessage.has(command),
      ofMessage: responseCode !== 421 && isAboutMessage.has(command),
      reason: [command, responseCode, enhanced].filter(Boolean).join(" "),
    })
  }
  if (isUnsendable.has(code)) return new DeliveryRefused({ permanent: true, reason: `${code} ${command}` })
  return new DeliveryRefused({ permanent: false, reason: `${code}: ${message}` })
}

/**
 * The commands whose refusal is about one message. A refusal of the client, its password or its sender means wrong settings: the mail waits
 * until they are corrected.
 */
const isAboutMessage = new Set(["RCPT TO", "DATA"])
const isUnsendable = new Set(["EENVELOPE", "EMESSAGE"])
