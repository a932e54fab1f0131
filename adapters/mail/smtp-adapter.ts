import { Effect, Layer, Result, Schema } from "effect"
import { about } from "../../domain/settings.ts"
import { hidden } from "../hidden.ts"
import type { Check } from "../kinds/adapter.ts"
import { mailAdapter } from "../kinds/delivery.ts"
import { loaded } from "../loaded.ts"
import { reasonOf } from "../root-cause.ts"
import { type MailSettingsInvalid, type Settings, sender, server } from "./smtp-settings.ts"

/** A mail server. */
export const smtp = mailAdapter({
  kind: "smtp",
  settings: Schema.Struct({
    kind: Schema.Literal("smtp"),
    url: hidden(() => true, "a URL that begins with smtp:// or smtps://").pipe(
      about("`smtp://user:password@host:587` or `smtps://user:password@host:465` ([TLS](docs/configuration.md#mail-and-sms-servers))."),
    ),
    from: Schema.String.pipe(
      Schema.annotateKey({ messageMissingKey: "Expected the sender, such as Example <no-reply@example.com>" }),
      about("The sender of every mail."),
    ),
    dkim_selector: Schema.String.check(Schema.isPattern(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, { expected: "a selector such as s1" })).pipe(
      Schema.optionalKey,
      about("The selector of the DKIM key with which the mail server signs, for the check by `doctor --production`."),
    ),
  }),
  variables: [
    { name: "SMTP_URL", key: "url", selects: () => true },
    { name: "MAIL_FROM", key: "from" },
  ],
  faults: ({ url, from }) => {
    const parts: ReadonlyArray<Effect.Effect<unknown, MailSettingsInvalid>> = [server(url), sender(from)]
    return parts.flatMap((part) => {
      const checked = Effect.runSync(Effect.result(part))
      return Result.isSuccess(checked) ? [] : [{ path: [checked.failure.key], wanted: checked.failure.message }]
    })
  },
  select: (settings) => ({
    label: "SMTP",
    layer: () => loaded(async () => Layer.orDie((await import("./smtp.ts")).layer(settings))),
    check: connectionCheck(settings),
    sender: Effect.runSync(
      Effect.map(sender(settings.from), ({ domain }) => ({ domain: domain.toLowerCase(), dkimSelector: settings.dkim_selector })).pipe(
        Effect.orElseSucceed(() => undefined),
      ),
    ),
  }),
})

const connectionCheck = ({ url }: Settings): Check =>
  Effect.flatMap(server(url), (options) =>
    Effect.acquireUseRelease(
      Effect.map(
        Effect.promise(() => import("nodemailer")),
        ({ createTransport }) => createTransport({ ...options, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }),
      ),
      (transport) => Effect.tryPromise({ try: () => transport.verify(), catch: (error) => error }),
      (transport) => Effect.sync(() => transport.close()),
    ),
  ).pipe(
    Effect.as("the server is reachable and accepts the login"),
    Effect.mapError((fault) => `the server cannot be used (${reasonOf(fault)}); mail.url or SMTP_URL names it`),
  )
