import { Array, Effect, Layer, Redacted, Schema } from "effect"
import { about, orElse } from "../../domain/settings.ts"
import { isPrivateUrl } from "../../domain/values/url.ts"
import { hidden } from "../hidden.ts"
import { smsAdapter } from "../kinds/delivery.ts"
import { derivedFrom, isHeader, keyOf, layer } from "./webhook.ts"

const Secret = hidden((text) => keyOf(text) !== null, "whsec_ and 24 to 64 bytes in base64, with which the receiver verifies signatures")

/** A receiver of the application, which sends the messages. */
export const webhook = smsAdapter({
  kind: "webhook",
  settings: Schema.Struct({
    kind: Schema.Literal("webhook"),
    url: hidden(
      isPrivateUrl,
      "a URL that begins with https://, or http:// on this machine; without user and password, which go to headers",
    ).pipe(about("Receives a POST for each message ([how](docs/configuration.md#mail-and-sms-servers)).")),
    secret: Schema.Union([Secret, Schema.NonEmptyArray(Secret)]).pipe(
      Schema.annotate({ expected: "a text, or a list of texts" }),
      Schema.optionalKey,
      about("The signing secret; derived from the service's secret by default."),
    ),
    headers: Schema.Record(
      Schema.String,
      hidden(() => true, "a text"),
    ).pipe(orElse({}), about("Header fields that are added to every request, such as `authorization`.")),
  }),
  variables: [{ name: "SMS_WEBHOOK_SECRET", key: "secret" }],
  faults: ({ headers }) => {
    const wrong = Object.entries(headers).filter(([field, value]) => !isHeader(field, Redacted.value(value)))
    return wrong.map(([field]) => ({ path: ["headers", field], wanted: "a header field that the request does not set itself" }))
  },
  select: ({ secret, ...settings }) => {
    const signingSecrets = secret === undefined ? undefined : Array.ensure(secret)
    return {
      label: "webhook",
      layer: (secrets) => Layer.orDie(layer({ ...settings, secret: signingSecrets ?? derivedFrom(secrets) })),
      stateOf: () => Effect.succeed("messages are signed and posted; the receiver was not checked"),
      ...(signingSecrets === undefined ? {} : { signingSecrets }),
    }
  },
})
