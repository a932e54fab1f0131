import type { VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from "@simplewebauthn/server"
import { Effect, Layer } from "effect"
import { Base64Url } from "effect/encoding"
import { type Assertion, type Credential, type Registration, type RelyingParty, WebAuthn } from "../../domain/ports/web-authn.ts"
import { oneLine, printable } from "../printable.ts"

/** The accepted COSE algorithms: Ed25519, ECDSA with P-256, and RSA (PKCS #1 v1.5) with SHA-256. */
const algorithms = [-8, -7, -257]

/** The AAGUID of an authenticator that says nothing about itself. */
const noAaguid = "00000000-0000-0000-0000-000000000000"

/** The maximum length of a credential id in bytes (WebAuthn section 7.1). */
const maxIdBytes = 1023

/** The maximum size of a public key in bytes; an RSA key of 4096 bits has about 530. */
const maxKeyBytes = 2048

/** The library. It is loaded at the first use, because it is slow to load and services without passkeys do not need it. */
const library = Effect.runSync(
  Effect.cached(Effect.promise(() => Promise.all([import("@simplewebauthn/server"), import("@simplewebauthn/server/helpers")]))),
)
type Library = Effect.Success<typeof library>

class Refused extends Error {}

/** Refuses frames in pages of other origins (clickjacking); the library accepts some of them. */
const assertTopLevel = ([, { decodeClientDataJSON }]: Library, clientDataJSON: string) => {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON)
  if ((crossOrigin !== undefined && crossOrigin !== false) || topOrigin !== undefined) throw new Refused("within a page of another origin")
}

/**
 * Accepts only `none` and self attestation: registration requests no other. The library would fetch revocation lists from URLs in an
 * attacker's certificate.
 */
const assertUnattested = ([, { decodeAttestationObject, isoBase64URL }]: Library, attestationObject: string) => {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attestation.get("fmt")
  if (format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined)) return
  throw new Refused(`attestation of the format ${format}`)
}

/** Runs before the key is used. The stored key is read at every sign-in and whenever passkeys are listed, so its size is limited. */
const assertShortKey = ([, { decodeAttestationObject, isoBase64URL, parseAuthenticatorData }]: Library, attestationObject: string) => {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const { credentialPublicKey } = parseAuthenticatorData(attestation.get("authData"))
  if (credentialPublicKey !== undefined && credentialPublicKey.length > maxKeyBytes) throw new Refused("a public key that is too long")
}

const register =
  (loaded: Library) =>
  async (registration: Registration, challenge: string, party: RelyingParty): Promise<Credential> => {
    assertTopLevel(loaded, registration.response.clientDataJSON)
    assertUnattested(loaded, registration.response.attestationObject)
    assertShortKey(loaded, registration.response.attestationObject)
    const [{ verifyRegistrationResponse }] = loaded
    const { registrationInfo }: VerifiedRegistrationResponse = await verifyRegistrationResponse({
      response: { ...registration, type: registration.type as "public-key", clientExtensionResults: {} },
      ...expected(challenge, party),
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo === undefined) throw new Refused("an invalid self attestation")
    const { aaguid, credential, credentialBackedUp, credentialDeviceType } = registrationInfo
    if (credential.id !== registration.id) throw new Refused("an identifier other than that of the authenticator data")
    if (credential.id.length > Math.ceil((maxIdBytes * 4) / 3)) throw new Refused("an identifier that is too long")
    return {
      credential_id: credential.id,
      public_key: Base64Url.encode(credential.publicKey),
      counter: credential.counter,
      backup_eligible: credentialDeviceType === "multiDevice",
      backed_up: credentialBackedUp,
      aaguid: aaguid === noAaguid ? null : aaguid,
    }
  }

const assert = (loaded: Library) => async (assertion: Assertion, challenge: string, party: RelyingParty, stored: Credential) => {
  assertTopLevel(loaded, assertion.response.clientDataJSON)
  const [{ verifyAuthenticationResponse }, { isoBase64URL }] = loaded
  const { verified, authenticationInfo }: VerifiedAuthenticationResponse = await verifyAuthenticationResponse({
    response: { ...assertion, type: assertion.type as "public-key", clientExtensionResults: {} },
    ...expected(challenge, party),
    credential: { id: stored.credential_id, publicKey: isoBase64URL.toBuffer(stored.public_key), counter: stored.counter },
  })
  if (!verified) throw new Refused("a signature by another key")
  const { newCounter, credentialBackedUp, credentialDeviceType } = authenticationInfo
  if ((credentialDeviceType === "multiDevice") !== stored.backup_eligible) throw new Refused("a passkey whose backup eligibility changed")
  return { counter: newCounter, backed_up: credentialBackedUp }
}

const expected = (challenge: string, { id, origins }: RelyingParty) => ({
  expectedChallenge: challenge,
  expectedOrigin: [...origins],
  expectedRPID: id,
  requireUserVerification: true,
})

/** Turns every failure of the library into a refusal; only the debug log has the reason. */
const verified =
  <Input extends ReadonlyArray<unknown>, A>(ceremony: (loaded: Library) => (...input: Input) => Promise<A>) =>
  (...input: Input) =>
    Effect.flatMap(library, (loaded) =>
      Effect.tryPromise({ try: () => ceremony(loaded)(...input), catch: (error) => oneLine(printable(String(error))).slice(0, 300) }),
    ).pipe(
      Effect.tapError((reason) => Effect.annotateLogs(Effect.logDebug("a passkey was refused"), { reason })),
      Effect.option,
    )

/** Verifies ceremonies with `@simplewebauthn/server` and the checks that it lacks. */
export const layer = Layer.succeed(WebAuthn, WebAuthn.of({ algorithms, registered: verified(register), asserted: verified(assert) }))
