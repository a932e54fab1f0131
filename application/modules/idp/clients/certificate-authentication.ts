import { Effect, Option } from "effect"
import type { Certificate } from "../../../../domain/ports/certificates.ts"
import { isSameDistinguishedName } from "../../../../domain/values/distinguished-name.ts"
import { canonicalIp } from "../../../../domain/values/ip-address.ts"
import { lowercased } from "../../../../domain/values/text.ts"
import type { Settings } from "../settings.ts"
import type { AuthMethod, Client } from "./client.ts"
import { certificateOf, isIssued } from "./client-certificate.ts"
import { publicKeysOf } from "./client-keys.ts"

// Authentication of clients by TLS certificates (RFC 8705 section 2).

/** Whether a request proves a client by its certificate. */
export const provesByCertificate = Effect.fnUntraced(function* provesByCertificate(
  { client_certificate_authorities }: Settings,
  client: Client,
  method: AuthMethod,
  field: string | null,
) {
  const certificate = yield* certificateOf(field)
  if (Option.isNone(certificate)) return false
  if (method === "self_signed_tls_client_auth") return yield* isRegistered(client, certificate.value)
  return (yield* isIssued(certificate.value, client_certificate_authorities)) && isNamed(client, certificate.value)
})

/** Whether a certificate is the first of an `x5c` in the client's keys (RFC 8705 section 2.2.2, RFC 7517 section 4.7). */
const isRegistered = Effect.fnUntraced(function* isRegistered(client: Client, { der }: Certificate) {
  const keys = yield* publicKeysOf(client, undefined)
  return keys.some(({ x5c }) => Array.isArray(x5c) && x5c[0] === der)
})

/** Whether a certificate has the registered subject of the client (RFC 8705 section 2.1.2). */
const isNamed = (client: Client, { subject, names }: Certificate): boolean => {
  const { tls_client_auth_subject_dn: dn, tls_client_auth_san_dns: dns, tls_client_auth_san_uri: uri } = client
  const { tls_client_auth_san_ip: ip, tls_client_auth_san_email: email } = client
  if (dn !== null) return isSameDistinguishedName(subject, dn)
  if (dns !== null) return names.dns.some((each) => lowercased(each) === lowercased(dns))
  if (uri !== null) return names.uri.includes(uri)
  if (ip !== null) return names.ip.some((each) => canonicalIp(each) === canonicalIp(ip))
  return email !== null && names.email.includes(email)
}
