import type { Redacted } from "effect"
import { Effect, flow, Layer } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { DeliveryRefused } from "../../domain/ports/delivery.ts"
import type { Sms } from "../../domain/ports/sms-sender.ts"
import { SmsSender } from "../../domain/ports/sms-sender.ts"
import type { Explain } from "./gateway.ts"
import { handOver } from "./gateway.ts"

interface Settings {
  readonly account_sid: string
  readonly auth_token: Redacted.Redacted<string>
  /** A number, a sender's name, or the SID of a messaging service. */
  readonly from: string
}

/** What is dialled. Twilio also takes addresses of other channels, such as `whatsapp:…`: nobody shall choose one by typing it. */
const isNumber = (to: string) => /^\+?[\d\s()./-]{3,40}$/.test(to)

const api = "https://api.twilio.com"

/** Sends short messages through Twilio's REST API. */
export const layer = (settings: Settings, origin = api) =>
  Layer.effect(
    SmsSender,
    Effect.map(HttpClient.HttpClient, (client) => {
      const { account_sid, from } = settings
      const sender = /^MG[0-9a-f]{32}$/.test(from) ? { MessagingServiceSid: from } : { From: from }
      const messages = HttpClientRequest.post(`${origin}/2010-04-01/Accounts/${account_sid}/Messages.json`).pipe(asAccount(settings))
      const send = ({ to, text }: Sms): Effect.Effect<void, DeliveryRefused> => {
        if (!isNumber(to)) return new DeliveryRefused({ permanent: true, reason: "the receiver is not a telephone number" })
        return handOver(client, HttpClientRequest.bodyUrlParams(messages, { ...sender, To: to, Body: text }), explain)
      }
      return SmsSender.of({ send })
    }),
  )

/** Fails with what Twilio holds against our account; nothing is sent. */
export const check = Effect.fnUntraced(function* (settings: Settings, origin = api) {
  const account = HttpClientRequest.get(`${origin}/2010-04-01/Accounts/${settings.account_sid}.json`)
  yield* handOver(yield* HttpClient.HttpClient, account.pipe(asAccount(settings)), explain)
})

const asAccount = ({ account_sid, auth_token }: Settings) =>
  flow(HttpClientRequest.basicAuth(account_sid, auth_token), HttpClientRequest.acceptJson)

/** The number of Twilio's error, which its documentation explains; its message repeats the receiver. */
const explain: Explain = (answer) => {
  const [, code] = answer.match(/"code"\s*:\s*(\d{1,9})\b/) ?? []
  return code === undefined ? "" : `Twilio error ${code}`
}
