import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { layer } from "../../../adapters/passkeys/web-authn.ts"
import type { Credential } from "../../../domain/ports/web-authn.ts"
import { WebAuthn } from "../../../domain/ports/web-authn.ts"
import { aaguidAt, counterAt, flags, flagsAt } from "../../passkeys.ts"
import { vectorText } from "../../vectors.ts"

// The ceremonies of WebAuthn Level 3, section "Test Vectors".

const party = { id: "example.org", origins: ["https://example.org"] }
const idHash = createHash("sha256").update(party.id).digest()
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url")

/** The sections of test vectors: the title, and the byte strings of each of the two ceremonies by name. */
const sections = (source: string) =>
  source
    .split(/^## /m)
    .filter((section) => section.includes("attestationObject = "))
    .map((section) => {
      const title = section.slice(0, section.indexOf(" ##"))
      const [made = "", used = ""] = section.split("[=authentication ceremony|Authentication=]")
      return { title, registration: valuesIn(made), authentication: valuesIn(used) }
    })

const valuesIn = (ceremony: string) => {
  const values = new Map(
    [...ceremony.matchAll(/^(\w+) = h'([0-9a-f]+)'/gm)].map(([, name = "", hex = ""]) => [name, Buffer.from(hex, "hex")]),
  )
  return (name: string) => values.get(name) ?? assert.fail(`no ${name}`)
}
type Values = ReturnType<typeof valuesIn>

const attestedData = (registration: Values) => {
  const object = registration("attestationObject")
  return object.subarray(object.indexOf(idHash))
}

const registrationOf = (registration: Values, attestationObject = registration("attestationObject")) => {
  const id = text(registration("credential_id"))
  const response = { clientDataJSON: text(registration("clientDataJSON")), attestationObject: text(attestationObject) }
  return { id, rawId: id, type: "public-key", response }
}

const assertionOf = (registration: Values, authentication: Values, bent?: string) => {
  const id = text(registration("credential_id"))
  const part = (name: string) => {
    const bytes = Buffer.from(authentication(name))
    if (name === bent) bytes[bytes.length - 1] = bytes.at(-1)! ^ 1
    return text(bytes)
  }
  const response = { clientDataJSON: part("clientDataJSON"), authenticatorData: part("authenticatorData"), signature: part("signature") }
  return { id, rawId: id, type: "public-key", response }
}

/** The credential as the service would store it, read without a library: the key is everything after the credential id. */
const credentialOf = (registration: Values): Credential => {
  const data = attestedData(registration)
  const id = registration("credential_id")
  const key = data.subarray(data.indexOf(id) + id.length)
  return {
    credential_id: text(id),
    public_key: text(key),
    counter: data.readUInt32BE(counterAt),
    backup_eligible: (data[flagsAt]! & flags.backupEligible) !== 0,
    backed_up: false,
    aaguid: aaguidIn(data.subarray(aaguidAt, aaguidAt + 16).toString("hex")),
  }
}

const aaguidIn = (hex: string) => (/^0+$/.test(hex) ? null : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"))

const isVerified = (data: Buffer) => (data[flagsAt]! & flags.userVerified) !== 0
const isOwnPage = (title: string) => !/crossOrigin|topOrigin/.test(title)
const isOffered = (title: string) => !/ES384|ES512|Ed448/.test(title)
const isUnattested = (title: string) => !/ Attestation with /.test(title) || /No Attestation|Self Attestation/.test(title)

describe("the ceremonies of WebAuthn Level 3", () => {
  const all = sections(vectorText("webauthn/webauthn-l3-section-test-vectors.bs.txt"))

  it("are fifteen pairs", () => assert.lengthOf(all, 15))

  it.effect("register only what was requested: with user verification, on a page of the relying party, without attestation", () =>
    Effect.gen(function* () {
      const { registered } = yield* WebAuthn
      for (const { title, registration } of all) {
        const credential = yield* registered(registrationOf(registration), text(registration("challenge")), party)
        const isWanted = isVerified(attestedData(registration)) && isOwnPage(title) && isOffered(title) && isUnattested(title)
        assert.strictEqual(Option.isSome(credential), isWanted, title)
        if (Option.isSome(credential)) assert.strictEqual(credential.value.public_key, credentialOf(registration).public_key)
      }
    }).pipe(Effect.provide(layer)),
  )

  it.effect("register no user without verification; registrations without a signature have no other fault", () =>
    Effect.gen(function* () {
      const { registered } = yield* WebAuthn
      const titles = ["ES256 Credential with No Attestation", "ES256 Credential with very long credential ID"]
      for (const { registration } of all.filter(({ title }) => titles.includes(title))) {
        const object = Buffer.from(registration("attestationObject"))
        const at = object.indexOf(idHash) + flagsAt
        object[at] = object[at]! | flags.userVerified
        const challenge = text(registration("challenge"))
        assert.isTrue(Option.isNone(yield* registered(registrationOf(registration), challenge, party)))
        const credential = Option.getOrThrow(yield* registered(registrationOf(registration, object), challenge, party))
        assert.strictEqual(credential.credential_id, text(registration("credential_id")))
      }
    }).pipe(Effect.provide(layer)),
  )

  it.effect("verify for their own passkey, and neither for another one nor with a flipped bit", () =>
    Effect.gen(function* () {
      const { asserted } = yield* WebAuthn
      let signedIn = 0
      for (const { title, registration, authentication } of all.filter(({ title }) => isOffered(title))) {
        const judged = (bent?: string) =>
          asserted(assertionOf(registration, authentication, bent), text(authentication("challenge")), party, credentialOf(registration))
        const isWanted = isVerified(authentication("authenticatorData")) && isOwnPage(title)
        assert.strictEqual(Option.isSome(yield* judged()), isWanted, title)
        if (isWanted) signedIn++
        for (const part of ["clientDataJSON", "authenticatorData", "signature"])
          assert.isTrue(Option.isNone(yield* judged(part)), `${title}: ${part}`)
      }
      assert.strictEqual(signedIn, 3)
    }).pipe(Effect.provide(layer)),
  )
})
