import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { proxyCheck } from "./client-address.ts"

/**
 * Finds the certificate of the TLS client in the header field that the endpoint's protocol names. Any client can send this field, so it counts
 * only if the peer of the connection is a trusted proxy, which must set or remove it in each request.
 */
export const clientCertificate = (trustedProxies: ReadonlyArray<string>) => {
  const isProxy = proxyCheck(trustedProxies)

  return (endpoint: AnyEndpoint | undefined, headers: Readonly<Record<string, string | undefined>>, peer: string | null): string | null => {
    const field = endpoint?.protocol?.certificateField ?? null
    const value = field === null ? undefined : headers[field.toLowerCase()]
    return value !== undefined && value !== "" && isProxy(peer) ? value : null
  }
}
