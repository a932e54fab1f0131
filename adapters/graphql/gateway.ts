import { createHash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Settings } from "./settings.ts"

/** The header field with which a gateway of Apollo Federation identifies itself. */
const gatewayField = "sallyport-gateway-secret"

/** Whether a request has the credential of the gateway; undefined without a gateway. The secrets are compared in constant time. */
export const makeGatewayCheck = ({ federation, gateway_secret }: Pick<Settings, "federation" | "gateway_secret">) => {
  if (!federation || gateway_secret === undefined) return undefined
  const expected = digest(Redacted.value(gateway_secret))
  return ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
    const sent = headers[gatewayField]
    return sent !== undefined && timingSafeEqual(digest(sent), expected)
  }
}

/** A comparison in constant time needs inputs of equal length, so it compares digests. */
const digest = (text: string) => createHash("sha256").update(text).digest()
