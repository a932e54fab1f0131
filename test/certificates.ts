import "reflect-metadata"
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509"

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const keyPair = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])

type Names = ConstructorParameters<typeof SubjectAlternativeNameExtension>[0]

interface Authority {
  readonly name: string
  readonly keys: CryptoKeyPair
}

interface Options {
  /** A distinguished name. */
  readonly name?: string
  readonly names?: Names
  /** Epoch seconds. */
  readonly from?: number
  readonly to?: number
  /** The extended key usage as object identifiers. */
  readonly usages?: ReadonlyArray<string>
  readonly isAuthority?: boolean
  /** Without it the certificate is self-signed. */
  readonly issuer?: Authority
}

let serial = 1
/** A certificate in PEM and DER, with the keys that can issue others. The default is valid from 1970 to 2100. */
export const certificate = async (options: Options = {}) => {
  const { name = "CN=client", names, from = 0, to = 4_102_444_800, usages, isAuthority = false } = options
  const keys = await keyPair()
  const { issuer = { name, keys } } = options
  const made = await X509CertificateGenerator.create({
    serialNumber: (serial++).toString(16).padStart(4, "0"),
    subject: name,
    issuer: issuer.name,
    notBefore: new Date(from * 1000),
    notAfter: new Date(to * 1000),
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(isAuthority, undefined, true),
      ...(names === undefined ? [] : [new SubjectAlternativeNameExtension(names)]),
      ...(usages === undefined ? [] : [new ExtendedKeyUsageExtension([...usages])]),
    ],
  })
  const pem = made.toString("pem")
  const der = Buffer.from(made.rawData).toString("base64")
  const jwk = { ...(await crypto.subtle.exportKey("jwk", keys.publicKey)), x5c: [der] }
  return { name, keys, pem, der, jwk, escaped: encodeURIComponent(pem), field: `:${der}:` }
}

export const clientAuth = "1.3.6.1.5.5.7.3.2"
export const serverAuth = "1.3.6.1.5.5.7.3.1"
