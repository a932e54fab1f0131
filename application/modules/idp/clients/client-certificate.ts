import { DateTime, Effect, Option } from "effect"
import { Base64 } from "effect/encoding"
import { type Certificate, Certificates } from "../../../../domain/ports/certificates.ts"

// The certificate of a TLS client (RFC 8705). A proxy terminates TLS and sends the certificate in a header field.

/** One certificate in PEM (RFC 7468 section 5.1). */
export const pemPattern = /^\s*-----BEGIN CERTIFICATE-----([A-Za-z\d+/=\s]+)-----END CERTIFICATE-----\s*$/

/** A byte sequence of structured fields, as in `Client-Cert` (RFC 9440 section 2.2). */
const byteSequence = /^:([A-Za-z\d+/]+=*):$/

const bytesOf = (base64: string) => {
  const decoded = Base64.decode(base64.replace(/\s/g, ""))
  return decoded._tag === "Success" ? Option.some(decoded.success) : Option.none()
}

const derOfPem = (pem: string) => Option.flatMap(Option.fromNullishOr(pemPattern.exec(pem)?.[1]), bytesOf)

const decodedUri = Option.liftThrowable(decodeURIComponent)

/** The certificate in a header field: in the form of RFC 9440, or PEM with percent-encoding as nginx sends it. */
const derOfField = (field: string) => {
  const [, base64] = byteSequence.exec(field) ?? []
  return base64 === undefined ? Option.flatMap(decodedUri(field), derOfPem) : bytesOf(base64)
}

const read = Effect.fnUntraced(function* readCertificate(der: Option.Option<Uint8Array>) {
  const certificate = Option.isNone(der) ? Option.none() : yield* (yield* Certificates).read(der.value)
  const now = yield* DateTime.now
  return Option.filter(
    certificate,
    ({ not_before, not_after }: Certificate) =>
      DateTime.isGreaterThanOrEqualTo(now, not_before) && DateTime.isLessThanOrEqualTo(now, not_after),
  )
})

/** The certificate in a header field; none without one that is valid now (RFC 5280 section 4.1.2.5). */
export const certificateOf = (field: string | null) => read(field === null ? Option.none() : derOfField(field))

/** Whether one of the authorities, in PEM, has issued a certificate for a TLS client itself, and is valid now. */
export const isIssued = Effect.fnUntraced(function* isIssued(certificate: Certificate, authorities: ReadonlyArray<string>) {
  if (!certificate.is_for_clients) return false
  const { isIssuedBy } = yield* Certificates
  for (const pem of authorities) {
    const authority = yield* read(derOfPem(pem))
    if (Option.isSome(authority) && (yield* isIssuedBy(certificate, authority.value))) return true
  }
  return false
})
