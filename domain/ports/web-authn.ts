import type { Effect, Option } from "effect"
import { Context } from "effect"

/** Whom passkeys are for (a domain), and the origins of those who may ask for them. */
export interface RelyingParty {
  readonly id: string
  readonly origins: ReadonlyArray<string>
}

/** What a browser made when it was asked for a new passkey; all text is base64url. */
export interface Registration {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string }
}

/** What a browser made when it was asked for the proof of having a passkey. */
export interface Assertion {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: { readonly clientDataJSON: string; readonly authenticatorData: string; readonly signature: string }
}

/** What is known of a passkey, so that its holder can be recognised. */
export interface Credential {
  /** Base64url. */
  readonly credential_id: string
  /** A COSE key (RFC 9052), base64url. */
  readonly public_key: string
  /** How often it has signed; 0 from authenticators that do not count. */
  readonly counter: number
  /** Whether it can be on several devices; that never changes. */
  readonly backup_eligible: boolean
  readonly backed_up: boolean
}

/**
 * The ceremonies of WebAuthn Level 3, as far as they can be judged without knowing anybody: section 7.1 but for whether the credential is
 * known, section 7.2 but for whose it is. The user has to have been verified, and to have been on a page of ours that is not within somebody
 * else's.
 */
export class WebAuthn extends Context.Service<
  WebAuthn,
  {
    /** The kinds of keys that are taken (COSE algorithms), the best first. */
    readonly algorithms: ReadonlyArray<number>
    /** The new passkey. None where it is not an answer to this challenge, or attested to: nobody asked for that. */
    registered(response: Registration, challenge: string, party: RelyingParty): Effect.Effect<Option.Option<Credential>>
    /** What has changed of a passkey by its use. None where it is not its answer to this challenge, or the counter did not grow. */
    asserted(
      response: Assertion,
      challenge: string,
      party: RelyingParty,
      credential: Credential,
    ): Effect.Effect<Option.Option<Pick<Credential, "counter" | "backed_up">>>
  }
>()("sallyport/WebAuthn") {}
