import { createHmac, hkdfSync } from "node:crypto"
import { Array, Clock, Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Sms } from "../../domain/ports/sms-sender.ts"
import { SmsSender } from "../../domain/ports/sms-sender.ts"
import { handOver } from "./gateway.ts"

type Hidden = Redacted.Redacted<string>

export interface Settings {
  readonly url: Hidden
  /** `whsec_…`; with several, each signs, so that the receiver can go from one to the next. */
  readonly secret: Hidden | ReadonlyArray<Hidden>
  readonly headers: Readonly<Record<string, Hidden>>
}

/** A key as Standard Webhooks writes it: 24 to 64 bytes in base64. Null for anything else. */
export const keyOf = (secret: string): Buffer | null => {
  const [, text = ""] = secret.match(/^whsec_([A-Za-z0-9+/]+=*)$/) ?? []
  const key = Buffer.from(text, "base64")
  return key.toString("base64") === text && key.length >= 24 && key.length <= 64 ? key : null
}

/** Keys for a receiver that was given none: one from each of the service's secrets by HKDF (RFC 5869), the newest first. */
export const derivedFrom = (secrets: ReadonlyArray<Hidden>): ReadonlyArray<Hidden> =>
  secrets.map((secret) => {
    const bytes = hkdfSync("sha256", Redacted.value(secret), "", "sallyport/sms/webhook", 32)
    return Redacted.make(`whsec_${Buffer.from(bytes).toString("base64")}`)
  })

const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const own = /^(webhook-.*|content-.*|host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive)$/i

/** Whether a header field can stand beside those that make the request what it is. */
export const isHeader = (field: string, value: string): boolean => name.test(field) && !own.test(field) && /^[\t\x20-\x7e]*$/.test(value)

/** Posts short messages as JSON, signed after Standard Webhooks (https://www.standardwebhooks.com), to whoever delivers them. */
export const layer = ({ url, secret, headers }: Settings) =>
  Layer.effect(
    SmsSender,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const keys = yield* Effect.forEach(Array.ensure(secret), (each) => Effect.fromNullishOr(keyOf(Redacted.value(each))))
      const endpoint = HttpClientRequest.post(Redacted.value(url)).pipe(
        HttpClientRequest.setHeaders(Object.fromEntries(Object.entries(headers).map(([field, value]) => [field, Redacted.value(value)]))),
      )
      const send = Effect.fnUntraced(function* ({ to, text, id }: Sms) {
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
        yield* handOver(client, signed)
      })
      return SmsSender.of({ send })
    }),
  )
