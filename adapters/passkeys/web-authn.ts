import type { VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from "@simplewebauthn/server"
import { Effect, Layer } from "effect"
import { Base64Url } from "effect/encoding"
import type { Assertion, Credential, Registration, RelyingParty } from "../../domain/ports/web-authn.ts"
import { WebAuthn } from "../../domain/ports/web-authn.ts"
import { oneLine, printable } from "../printable.ts"

/** Ed25519, ECDSA with P-256, RSA (PKCS #1 v1.5) with SHA-256. */
const algorithms = [-8, -7, -257]

/** The longest identifier of a credential, bytes (WebAuthn section 7.1). */
const longestId = 1023

/** The longest public key, bytes; one of RSA with 4096 bits has some 530. */
const longestKey = 2048

/** It takes a while to load, which nobody has to wait for who uses no passkeys. */
const library = Effect.runSync(
  Effect.cached(Effect.promise(() => Promise.all([import("@simplewebauthn/server"), import("@simplewebauthn/server/helpers")]))),
)
type Library = Effect.Success<typeof library>

class Refused extends Error {}

/** A page of ours within somebody else's is not ours: whoever frames it leads the user's hand. The library lets some of these pass. */
const assertOnOwnPage = ([, { decodeClientDataJSON }]: Library, clientDataJSON: string) => {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON)
  if ((crossOrigin !== undefined && crossOrigin !== false) || topOrigin !== undefined) throw new Refused("within a page of another origin")
}

/**
 * Nobody asked for attestation, so there is none to be believed, but for what a key says of itself. Certificates are not even
 * read: those of strangers name addresses from which the library would fetch lists of revoked ones.
 */
const assertUnattested = ([, { decodeAttestationObject, isoBase64URL }]: Library, attestationObject: string) => {
  const attested = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attested.get("fmt")
  if (format === "none" || (format === "packed" && attested.get("attStmt").get("x5c") === undefined)) return
  throw new Refused(`attestation of the format ${format}`)
}

/** Asked before anything is verified by the key. What is kept is read again at every sign-in and whenever passkeys are listed. */
const assertShortKey = ([, { decodeAttestationObject, isoBase64URL, parseAuthenticatorData }]: Library, attestationObject: string) => {
  const attested = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const { credentialPublicKey } = parseAuthenticatorData(attested.get("authData"))
  if (credentialPublicKey !== undefined && credentialPublicKey.length > longestKey) throw new Refused("a public key that is too long")
}

const register =
  (loaded: Library) =>
  async (given: Registration, challenge: string, party: RelyingParty): Promise<Credential> => {
    assertOnOwnPage(loaded, given.response.clientDataJSON)
    assertUnattested(loaded, given.response.attestationObject)
    assertShortKey(loaded, given.response.attestationObject)
    const [{ verifyRegistrationResponse }] = loaded
    const { registrationInfo }: VerifiedRegistrationResponse = await verifyRegistrationResponse({
      response: { ...given, type: given.type as "public-key", clientExtensionResults: {} },
      ...expected(challenge, party),
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo === undefined) throw new Refused("attestation of itself that does not hold")
    const { credential, credentialBackedUp, credentialDeviceType } = registrationInfo
    if (credential.id !== given.id) throw new Refused("another identifier than the authenticator's")
    if (credential.id.length > Math.ceil((longestId * 4) / 3)) throw new Refused("an identifier that is too long")
    return {
      credential_id: credential.id,
      public_key: Base64Url.encode(credential.publicKey),
      counter: credential.counter,
      backup_eligible: credentialDeviceType === "multiDevice",
      backed_up: credentialBackedUp,
    }
  }

const assert = (loaded: Library) => async (given: Assertion, challenge: string, party: RelyingParty, held: Credential) => {
  assertOnOwnPage(loaded, given.response.clientDataJSON)
  const [{ verifyAuthenticationResponse }, { isoBase64URL }] = loaded
  const { verified, authenticationInfo }: VerifiedAuthenticationResponse = await verifyAuthenticationResponse({
    response: { ...given, type: given.type as "public-key", clientExtensionResults: {} },
    ...expected(challenge, party),
    credential: { id: held.credential_id, publicKey: isoBase64URL.toBuffer(held.public_key), counter: held.counter },
  })
  if (!verified) throw new Refused("a signature that is not this passkey's")
  const { newCounter, credentialBackedUp, credentialDeviceType } = authenticationInfo
  if ((credentialDeviceType === "multiDevice") !== held.backup_eligible) throw new Refused("another kind of passkey than was registered")
  return { counter: newCounter, backed_up: credentialBackedUp }
}

const expected = (challenge: string, { id, origins }: RelyingParty) => ({
  expectedChallenge: challenge,
  expectedOrigin: [...origins],
  expectedRPID: id,
  requireUserVerification: true,
})

/** Whatever the library cannot read or verify is refused; why is of use to whoever sets the service up, and tells others nothing. */
const judged =
  <Given extends ReadonlyArray<unknown>, A>(ceremony: (loaded: Library) => (...given: Given) => Promise<A>) =>
  (...given: Given) =>
    Effect.flatMap(library, (loaded) =>
      Effect.tryPromise({ try: () => ceremony(loaded)(...given), catch: (error) => oneLine(printable(String(error))).slice(0, 300) }),
    ).pipe(
      Effect.tapError((reason) => Effect.logDebug("a passkey was refused", { reason })),
      Effect.option,
    )

/** The judgement of `@simplewebauthn/server`, and what it leaves to others. */
export const layer = Layer.succeed(WebAuthn, WebAuthn.of({ algorithms, registered: judged(register), asserted: judged(assert) }))
