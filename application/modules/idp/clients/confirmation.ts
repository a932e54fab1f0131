import { Effect, Option } from "effect"
import { InvalidRequest } from "../../../../domain/errors.ts"
import { Caller } from "../../../../domain/sessions/caller.ts"
import type { Settings } from "../settings.ts"
import type { Client } from "./client.ts"
import { certificateOf } from "./client-certificate.ts"
import { requestKey } from "./dpop.ts"

/** What uses of a token must prove (RFC 7800): a key by DPoP, a certificate by TLS, both, or nothing. */
export interface Confirmation {
  /** The thumbprint of the key (RFC 9449). */
  readonly jkt: string | null
  /** The thumbprint of the certificate (RFC 8705 section 3.1). */
  readonly x5t: string | null
}

/** What a token request proves, to which its tokens are bound. Fails if the client must prove more. */
export const requestConfirmation = Effect.fnUntraced(function* requestConfirmation(settings: Settings, client: Client, path: string) {
  return { jkt: yield* requestKey(settings, client, path), x5t: yield* requestCertificate(client) } satisfies Confirmation
})

/** The thumbprint of the request's certificate; null for a client whose tokens are not bound to it (RFC 8705 section 3.4). */
const requestCertificate = Effect.fnUntraced(function* requestCertificate({ tls_client_certificate_bound_access_tokens }: Client) {
  if (!tls_client_certificate_bound_access_tokens) return null
  const certificate = yield* certificateOf((yield* Caller).client_certificate)
  if (Option.isNone(certificate)) return yield* new InvalidRequest({ message: "This client needs a TLS certificate." })
  return certificate.value.thumbprint
})

/** Whether a request proves the certificate that a token is bound to, if it is bound to one (RFC 8705 section 3). */
export const hasCertificate = Effect.fnUntraced(function* hasCertificate(x5t: string | null) {
  if (x5t === null) return true
  const certificate = yield* certificateOf((yield* Caller).client_certificate)
  return Option.isSome(certificate) && certificate.value.thumbprint === x5t
})

/** The claim `cnf` of a token (RFC 9449 section 6.1, RFC 8705 section 3.1); none if it is bound to nothing. */
export const confirmationClaim = ({ jkt, x5t }: Confirmation) => {
  if (jkt === null && x5t === null) return {}
  return { cnf: { ...(jkt === null ? {} : { jkt }), ...(x5t === null ? {} : { "x5t#S256": x5t }) } }
}
