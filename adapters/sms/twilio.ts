import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, flow, Layer, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { DeliveryRefused } from "../../domain/ports/delivery.ts"
import { type Sms, SmsSender } from "../../domain/ports/sms-sender.ts"
import { about } from "../../domain/settings.ts"
import { hidden } from "../hidden.ts"
import type { Check } from "../kinds/adapter.ts"
import { smsAdapter } from "../kinds/delivery.ts"
import { deliver, type Explain } from "./gateway.ts"

const Settings = Schema.Struct({
  kind: Schema.Literal("twilio"),
  account_sid: Schema.String.check(Schema.isPattern(/^AC[0-9a-f]{32}$/, { expected: "AC and 32 hexadecimal digits" })).pipe(
    about("The SID of the account."),
  ),
  auth_token: hidden((text) => text !== "", "the account's auth token").pipe(about("The auth token of the account.")),
  from: Schema.String.check(Schema.isNonEmpty({ expected: "a number, a sender's name, or the SID of a messaging service" })).pipe(
    about("A telephone number, an alphanumeric sender, or the SID of a messaging service."),
  ),
})
type Settings = Omit<typeof Settings.Type, "kind">

/** Twilio also accepts addresses of other channels, such as `whatsapp:…`; a user must not be able to choose the channel. */
const isNumber = (to: string) => /^\+?[\d\s()./-]{3,40}$/.test(to)

const api = "https://api.twilio.com"

/** Sends text messages through Twilio's REST API. */
export const layer = (settings: Settings, origin = api) =>
  Layer.effect(
    SmsSender,
    Effect.map(HttpClient.HttpClient, (client) => {
      const { account_sid, from } = settings
      const sender = /^MG[0-9a-f]{32}$/.test(from) ? { MessagingServiceSid: from } : { From: from }
      const messages = HttpClientRequest.post(`${origin}/2010-04-01/Accounts/${account_sid}/Messages.json`).pipe(asAccount(settings))
      const send = ({ to, text }: Sms): Effect.Effect<void, DeliveryRefused> => {
        if (!isNumber(to)) return new DeliveryRefused({ permanent: true, reason: "the recipient is not a telephone number" })
        return deliver(client, HttpClientRequest.bodyUrlParams(messages, { ...sender, To: to, Body: text }), explain)
      }
      return SmsSender.of({ send })
    }),
  )

/** Verifies the credentials without sending a message; fails with Twilio's refusal. */
export const check = Effect.fnUntraced(function* checkTwilio(settings: Settings, origin = api) {
  const account = HttpClientRequest.get(`${origin}/2010-04-01/Accounts/${settings.account_sid}.json`)
  yield* deliver(yield* HttpClient.HttpClient, account.pipe(asAccount(settings)), explain)
})

const asAccount = ({ account_sid, auth_token }: Settings) =>
  flow(HttpClientRequest.basicAuth(account_sid, auth_token), HttpClientRequest.acceptJson)

/** Twilio's error number; the message of the error quotes the recipient. */
const explain: Explain = (answer) => {
  const [, code] = answer.match(/"code"\s*:\s*(\d{1,9})\b/) ?? []
  return code === undefined ? "" : `Twilio error ${code}`
}

/** Twilio, by its REST API. */
export const twilio = smsAdapter({
  kind: "twilio",
  settings: Settings,
  variables: [{ name: "TWILIO_AUTH_TOKEN", key: "auth_token" }],
  select: (settings) => ({ label: "Twilio", layer: () => layer(settings), check: credentialsCheck(settings) }),
})

const credentialsCheck = (settings: Settings): Check =>
  check(settings).pipe(
    Effect.provide(NodeHttpClient.layerUndici),
    Effect.as("Twilio accepts the credentials"),
    Effect.mapError(({ reason }) => `Twilio cannot be used (${reason})`),
    Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.fail("Twilio does not answer") }),
  )
