import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { proxyCheck } from "./client-address.ts"

/**
 * Reads the certificate of the TLS client from the header field that the endpoint's protocol names; undefined if it names none. Any client can
 * send this field, so it counts only if the peer of the connection is a trusted proxy, which must set or remove it in each request.
 */
export const clientCertificate = (trustedProxies: ReadonlyArray<string>, endpoint: AnyEndpoint | undefined) => {
  const field = endpoint?.protocol?.certificateField?.toLowerCase()
  if (field === undefined) return undefined
  const isProxy = proxyCheck(trustedProxies)
  return (headers: Readonly<Record<string, string | undefined>>, peer: string | null): string | null =>
    isProxy(peer) && headers[field] ? headers[field] : null
}
