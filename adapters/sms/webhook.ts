import { createHmac, hkdfSync } from "node:crypto"
import { Array, Clock, Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { type Sms, SmsSender } from "../../domain/ports/sms-sender.ts"
import { deliver } from "./gateway.ts"

type Hidden = Redacted.Redacted<string>

export interface Settings {
  readonly url: Hidden
  /** `whsec_…`; every secret signs, so that the receiver can rotate them. */
  readonly secret: Hidden | ReadonlyArray<Hidden>
  readonly headers: Readonly<Record<string, Hidden>>
}

/** The key of a Standard Webhooks secret: 24 to 64 bytes in base64. Null for any other text. */
export const keyOf = (secret: string): Buffer | null => {
  const [, text = ""] = secret.match(/^whsec_([A-Za-z0-9+/]+=*)$/) ?? []
  const key = Buffer.from(text, "base64")
  return key.toString("base64") === text && key.length >= 24 && key.length <= 64 ? key : null
}

/** Default webhook secrets: one derived from each of the service's secrets by HKDF (RFC 5869), the newest first. */
export const derivedFrom = (secrets: ReadonlyArray<Hidden>): ReadonlyArray<Hidden> =>
  secrets.map((secret) => {
    const bytes = hkdfSync("sha256", Redacted.value(secret), "", "sallyport/sms/webhook", 32)
    return Redacted.make(`whsec_${Buffer.from(bytes).toString("base64")}`)
  })

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const reserved = /^(webhook-.*|content-.*|host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive)$/i

/** Whether a header field may be configured: fields that frame or sign the request are reserved. */
export const isHeader = (field: string, value: string): boolean =>
  fieldName.test(field) && !reserved.test(field) && /^[\t\x20-\x7e]*$/.test(value)

/** Posts text messages as JSON with a signature of Standard Webhooks (https://www.standardwebhooks.com). */
export const layer = ({ url, secret, headers }: Settings) =>
  Layer.effect(
    SmsSender,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const keys = yield* Effect.forEach(Array.ensure(secret), (each) => Effect.fromNullishOr(keyOf(Redacted.value(each))))
      const endpoint = HttpClientRequest.post(Redacted.value(url)).pipe(
        HttpClientRequest.setHeaders(Object.fromEntries(Object.entries(headers).map(([field, value]) => [field, Redacted.value(value)]))),
      )
      const send = Effect.fnUntraced(function* sendWebhook({ to, text, id }: Sms) {
        const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const body = JSON.stringify({ to, body: text })
        const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`)
        const signed = endpoint.pipe(
          HttpClientRequest.bodyText(body, "application/json"),
          HttpClientRequest.setHeaders({
            "webhook-id": id,
            "webhook-timestamp": String(timestamp),
            "webhook-signature": signatures.join(" "),
          }),
        )
        yield* deliver(client, signed)
      })
      return SmsSender.of({ send })
    }),
  )
