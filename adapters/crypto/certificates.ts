import { createHash, X509Certificate } from "node:crypto"
import { DateTime, Effect, Layer, Option } from "effect"
import { type Certificate, type CertificateNames, Certificates } from "../../domain/ports/certificates.ts"

/** The usages of extended key usage that permit TLS clients: `clientAuth` and `anyExtendedKeyUsage`. */
const clientUsages = ["1.3.6.1.5.5.7.3.2", "2.5.29.37.0"]

const noNames: CertificateNames = { dns: [], uri: [], ip: [], email: [] }

/** One name as Node.js prints it: a value with special characters is a JSON text, so that it cannot look like several names. */
const printedName = /(?:^|, )([^:,"]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?=, |$)/gy

const namesOf = (printed: string | undefined): CertificateNames => {
  if (printed === undefined) return noNames
  const found = [...printed.matchAll(printedName)]
  if (found.map(([text]) => text).join("") !== printed) return noNames
  const ofType = (type: string) =>
    found.flatMap(([, own, value = ""]) => (own === type ? [value.startsWith('"') ? String(JSON.parse(value)) : value] : []))
  return { dns: ofType("DNS"), uri: ofType("URI"), ip: ofType("IP Address"), email: ofType("email") }
}

/** Node.js prints one relative name per line, the most significant first; RFC 4514 section 2.1 reverses them. */
const subjectOf = (printed: string | undefined) => (printed ?? "").split("\n").reverse().join(",")

const certificateOf = Option.liftThrowable((bytes: Uint8Array): Certificate => {
  const certificate = new X509Certificate(bytes)
  const { raw, subject, subjectAltName, keyUsage, validFromDate, validToDate } = certificate
  if (!raw.equals(bytes)) throw new TypeError("not exactly one certificate in DER")
  return {
    der: raw.toString("base64"),
    thumbprint: createHash("sha256").update(raw).digest("base64url"),
    not_before: DateTime.makeUnsafe(validFromDate),
    not_after: DateTime.makeUnsafe(validToDate),
    subject: subjectOf(subject),
    names: namesOf(subjectAltName),
    is_for_clients: keyUsage === undefined || keyUsage.some((usage) => clientUsages.includes(usage)),
  }
})

const parsed = ({ der }: Certificate) => new X509Certificate(Buffer.from(der, "base64"))

const isIssued = Option.liftThrowable((certificate: Certificate, authority: Certificate) => {
  const issuer = parsed(authority)
  const issued = parsed(certificate)
  return issuer.ca && issued.checkIssued(issuer) && issued.verify(issuer.publicKey)
})

/** X.509 certificates by `node:crypto`. */
export const layer = Layer.succeed(
  Certificates,
  Certificates.of({
    read: (der) => Effect.sync(() => certificateOf(der)),
    isIssuedBy: (certificate, authority) => Effect.sync(() => Option.getOrElse(isIssued(certificate, authority), () => false)),
  }),
)
