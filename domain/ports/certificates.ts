import { Context, type DateTime, type Effect, type Option } from "effect"

/** An X.509 certificate (RFC 5280). Neither its times nor its issuer are checked. */
export interface Certificate {
  /** The certificate in DER, base64. */
  readonly der: string
  /** The SHA-256 hash of the DER form, base64url (`x5t#S256`, RFC 8705 section 3.1). */
  readonly thumbprint: string
  readonly not_before: DateTime.Utc
  readonly not_after: DateTime.Utc
  /** The subject's distinguished name as text (RFC 4514); empty without one. */
  readonly subject: string
  /** The subject alternative names by type (RFC 5280 section 4.2.1.6). All are empty if one cannot be read. */
  readonly names: CertificateNames
  /** Whether its extended key usage permits TLS clients (RFC 5280 section 4.2.1.12). */
  readonly is_for_clients: boolean
}

export interface CertificateNames {
  readonly dns: ReadonlyArray<string>
  readonly uri: ReadonlyArray<string>
  readonly ip: ReadonlyArray<string>
  readonly email: ReadonlyArray<string>
}

/** Reads certificates and checks their signatures. */
export class Certificates extends Context.Service<
  Certificates,
  {
    /** The certificate in DER; none if the bytes are not exactly one. */
    read(der: Uint8Array): Effect.Effect<Option.Option<Certificate>>
    /** Whether an authority has signed a certificate itself, and is a certificate authority (RFC 5280 section 4.2.1.9). */
    isIssuedBy(certificate: Certificate, authority: Certificate): Effect.Effect<boolean>
  }
>()("sallyport/Certificates") {}
