import { Duration, Effect, Layer } from "effect"
import { createTransport } from "nodemailer"
import { DeliveryRefused, limits } from "../../application/ports/Delivery.ts"
import { Mailer } from "../../application/ports/Mailer.ts"
import type { Settings } from "./SmtpSettings.ts"
import { isAddress, sender, server } from "./SmtpSettings.ts"

/** How long a mail server may take to accept a connection, to greet, and between any two words. */
export interface Patience {
  readonly connection: Duration.Input
  readonly greeting: Duration.Input
  readonly socket: Duration.Input
}

const patient: Patience = { connection: "10 seconds", greeting: "10 seconds", socket: "20 seconds" }
const closeWithin = Duration.seconds(10)

/** Sends letters through a mail server, over connections that are kept for a while. Fails with `MailSettingsInvalid`. */
export const layer = (settings: Settings, patience: Patience = patient) =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const { domain, ...from } = yield* sender(settings.from)
      const options = {
        ...(yield* server(settings.url)),
        pool: true as const,
        maxConnections: limits.concurrency,
        maxRequeues: 1,
        connectionTimeout: Duration.toMillis(patience.connection),
        greetingTimeout: Duration.toMillis(patience.greeting),
        socketTimeout: Duration.toMillis(patience.socket),
        // A server that hangs does not say goodbye either.
        socketCloseTimeout: 1000,
        idleTimeout: Duration.toMillis(patience.socket) / 2,
        disableFileAccess: true,
        disableUrlAccess: true,
      }
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => createTransport(options)),
        (transport) => Effect.sync(() => transport.close({ force: true })),
      )
      const underWay = new Set<Promise<unknown>>()
      yield* Effect.addFinalizer(() =>
        Effect.promise(() => Promise.allSettled(underWay)).pipe(Effect.interruptible, Effect.timeoutOption(closeWithin)),
      )

      return Mailer.of({
        send: ({ to, messageId, subject, text, html }) => {
          if (!isAddress(to)) return new DeliveryRefused({ permanent: true, reason: "the receiver is not an e-mail address" })
          return Effect.tryPromise({
            try: (signal) => {
              const sending = transport.sendMail({
                from,
                // As an object, so that no text is taken for a list of addresses.
                to: { name: "", address: to },
                subject,
                text,
                html,
                messageId: `<${messageId}@${domain}>`,
                // Keeps out-of-office replies away (RFC 3834 section 5).
                headers: { "Auto-Submitted": "auto-generated" },
                xMailer: false,
                signal,
              })
              underWay.add(sending)
              return sending.finally(() => underWay.delete(sending))
            },
            catch: refusal,
          })
        },
      })
    }),
  )

interface SmtpFault {
  readonly code?: string
  readonly message?: string
  /** The step that failed, such as `RCPT TO`. */
  readonly command?: string
  readonly responseCode?: number
  /** What the server said: it may repeat the receiver, or a link out of the letter, so only its codes are passed on. */
  readonly response?: string
}

const refusal = (error: unknown): DeliveryRefused => {
  const { code = "unknown", message = "", command = "", responseCode, response = "" } = error as SmtpFault
  if (responseCode !== undefined) {
    const [enhanced = ""] = response.match(/(?<=^\d{3}[ -])\d\.\d{1,3}\.\d{1,3}(?= )/) ?? []
    return new DeliveryRefused({
      permanent: responseCode >= 500 && isAboutLetter.has(command),
      reason: [command, responseCode, enhanced].filter(Boolean).join(" "),
    })
  }
  if (isUnsendable.has(code)) return new DeliveryRefused({ permanent: true, reason: `${code} ${command}` })
  return new DeliveryRefused({ permanent: false, reason: `${code}: ${message}` })
}

/** A server that refuses us, our password or our sender is a matter of settings: the letter waits until they are mended. */
const isAboutLetter = new Set(["RCPT TO", "DATA"])
const isUnsendable = new Set(["EENVELOPE", "EMESSAGE"])
