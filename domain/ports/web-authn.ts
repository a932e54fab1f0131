import { Context, type Effect, type Option } from "effect"

/** The relying party of passkeys: a domain, and the origins that may use them. */
export interface RelyingParty {
  readonly id: string
  readonly origins: ReadonlyArray<string>
}

/** A browser's response; all text is base64url. */
interface Ceremony<Response extends string> {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: { readonly [Member in Response]: string }
}

/** The response to the creation of a passkey. */
export interface Registration extends Ceremony<"clientDataJSON" | "attestationObject"> {}

/** The response to a sign-in with a passkey. */
export interface Assertion extends Ceremony<"clientDataJSON" | "authenticatorData" | "signature"> {}

/** The stored data of a passkey, which verifies its assertions. */
export interface Credential {
  /** Base64url. */
  readonly credential_id: string
  /** A COSE key (RFC 9052), base64url. */
  readonly public_key: string
  /** The signature counter; 0 from authenticators without one. */
  readonly counter: number
  /** Whether the passkey can be synchronised between devices; this never changes. */
  readonly backup_eligible: boolean
  readonly backed_up: boolean
  /** The AAGUID of its authenticator, as the authenticator claims; null if it says nothing, and in rows of earlier versions. */
  readonly aaguid: string | null
}

/**
 * The ceremonies of WebAuthn Level 3, without their look-ups of stored users. In section 7.1, the caller checks that the credential is not
 * registered yet; in section 7.2, the caller identifies the user. User verification is required. The page must belong to the relying party
 * and must not be embedded in a page of another origin.
 */
export class WebAuthn extends Context.Service<
  WebAuthn,
  {
    /** The accepted COSE algorithms, the preferred one first. */
    readonly algorithms: ReadonlyArray<number>
    /** The new passkey. None if the response does not answer this challenge, or has an attestation, which is never requested. */
    registered(response: Registration, challenge: string, party: RelyingParty): Effect.Effect<Option.Option<Credential>>
    /** The changed fields of a passkey after its use. None if the response does not verify, or the counter did not grow. */
    asserted(
      response: Assertion,
      challenge: string,
      party: RelyingParty,
      credential: Credential,
    ): Effect.Effect<Option.Option<Pick<Credential, "counter" | "backed_up">>>
  }
>()("sallyport/WebAuthn") {}
