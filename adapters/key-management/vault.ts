import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { KeyManagement, KeyManagementRefused } from "../../domain/ports/key-management.ts"
import { exchange, type Refusal } from "./exchange.ts"
import type { VaultSettings } from "./settings.ts"

const Wrapped = Schema.Struct({ data: Schema.Struct({ ciphertext: Schema.String.check(Schema.isPattern(/^vault:v\d+:[\w+/=-]+$/)) }) })
const Unwrapped = Schema.Struct({ data: Schema.Struct({ plaintext: Schema.Uint8ArrayFromBase64 }) })
const Key = Schema.Struct({ data: Schema.Struct({ latest_version: Schema.Number }) })

/** The transit engine of HashiCorp Vault (1.13 or later) or OpenBao, by its HTTP API. */
export const layer = (settings: VaultSettings) =>
  Layer.effect(
    KeyManagement,
    Effect.map(HttpClient.HttpClient, (client) => {
      const { url, token, namespace, mount, key } = settings
      const at = (operation: string) => `${url.replace(/\/+$/, "")}/v1/${mount}/${operation}/${key}`
      const authorized = HttpClientRequest.setHeaders({
        "x-vault-token": Redacted.value(token),
        "x-vault-request": "true",
        ...(namespace === undefined ? {} : { "x-vault-namespace": namespace }),
      })
      const post = (operation: string, body: object) =>
        HttpClientRequest.post(at(operation)).pipe(authorized, HttpClientRequest.bodyText(JSON.stringify(body), "application/json"))

      return KeyManagement.of({
        wrap: (secret, context) => {
          const request = post("encrypt", { plaintext: base64(secret), associated_data: base64(context) })
          return Effect.map(exchange(client, request, refusal, Wrapped), ({ data }) => data.ciphertext)
        },
        unwrap: (wrapped, context) => {
          if (!wrapped.startsWith("vault:")) return new KeyManagementRefused({ reason: "Vault did not wrap this secret" })
          const request = post("decrypt", { ciphertext: wrapped, associated_data: base64(context) })
          return Effect.map(exchange(client, request, refusal, Unwrapped), ({ data }) => data.plaintext)
        },
        health: HttpClientRequest.get(at("keys")).pipe(authorized, (request) =>
          Effect.map(
            exchange(client, request, refusal, Key),
            ({ data }) => `Vault answers, and the newest version of the key ${key} is ${data.latest_version}`,
          ),
        ),
      })
    }),
  )

const base64 = (data: Uint8Array | string): string => Buffer.from(data as string).toString("base64")

const refusals: Readonly<Record<number, string>> = {
  400: "the key, the wrapped secret or key_management.context is wrong",
  403: "the token is wrong or has expired, or its policy does not allow this",
  404: "there is no such key; key_management.mount and .key name it",
}

const refusal: Refusal = ({ status }) => {
  const hint = refusals[status]
  return `Vault answered ${status}${hint === undefined ? "" : `: ${hint}`}`
}
