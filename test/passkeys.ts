import { createHash, createPrivateKey, sign } from "node:crypto"
import type { AuthenticationResponseJSON, AuthenticatorParameters, RegistrationResponseJSON } from "nid-webauthn-emulator"
import { AuthenticatorEmulator, PasskeysCredentialsMemoryRepository, WebAuthnEmulator } from "nid-webauthn-emulator"

export const origin = "http://localhost:3000"
export const rpId = "localhost"

/** Offsets in authenticator data (WebAuthn section 6.1). */
export const flagsAt = 32
export const counterAt = 33
export const aaguidAt = 37
export const flags = { userPresent: 1, userVerified: 4, backupEligible: 8, backedUp: 16 }

const bytesOf = (text: string) => Buffer.from(text, "base64url")
const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest()

/** Changes to a response before the authenticator signs it. */
export interface Changes {
  /** Members of the client data. */
  readonly clientData?: Record<string, unknown>
  /** Modifies the authenticator data. */
  readonly data?: (bytes: Buffer) => void
}

/** Sets the counter in authenticator data. */
export const counting = (counter: number) => (data: Buffer) => void data.writeUInt32BE(counter, counterAt)

/** Inverts flags. */
export const flipping =
  (...bits: ReadonlyArray<number>) =>
  (data: Buffer) => {
    for (const bit of bits) data[flagsAt] = data[flagsAt]! ^ bit
  }

/** Sets another relying party. */
export const forParty = (id: string) => (data: Buffer) => void sha256(id).copy(data)

const changedClientData = (clientDataJSON: string, { clientData = {} }: Changes) =>
  Buffer.from(JSON.stringify({ ...JSON.parse(bytesOf(clientDataJSON).toString()), ...clientData }))

/** A software authenticator. It keeps one passkey for each user. */
export const authenticator = (parameters: Partial<AuthenticatorParameters> = {}) => {
  const kept = new PasskeysCredentialsMemoryRepository()
  const emulator = new WebAuthnEmulator(new AuthenticatorEmulator({ credentialsRepository: kept, ...parameters }))

  const keyOf = (id: string) => {
    const held = kept
      .loadCredentials()
      .find(({ publicKeyCredentialSource }) => Buffer.from(publicKeyCredentialSource.id).toString("base64url") === id)
    if (held === undefined) throw new Error(`this authenticator has no ${id}`)
    return createPrivateKey({ format: "der", type: "pkcs8", key: Buffer.from(held.publicKeyCredentialSource.privateKey) })
  }

  return {
    create: (options: any, at = origin): RegistrationResponseJSON => emulator.createJSON(at, options),
    get: (options: any, at = origin): AuthenticationResponseJSON => emulator.getJSON(at, options),
    /** The response with these changes, and a valid signature. */
    forged: (answer: AuthenticationResponseJSON, changes: Changes): AuthenticationResponseJSON => {
      const clientData = changedClientData(answer.response.clientDataJSON, changes)
      const data = bytesOf(answer.response.authenticatorData)
      changes.data?.(data)
      const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), keyOf(answer.id))
      const [clientDataJSON, authenticatorData] = [clientData.toString("base64url"), data.toString("base64url")]
      return { ...answer, response: { ...answer.response, clientDataJSON, authenticatorData, signature: signature.toString("base64url") } }
    },
  }
}
export type Authenticator = ReturnType<typeof authenticator>

/** The same for the registration of a passkey, which has no signature. */
export const forgedNew = (answer: RegistrationResponseJSON, changes: Changes): RegistrationResponseJSON => {
  const clientDataJSON = changedClientData(answer.response.clientDataJSON, changes).toString("base64url")
  const attested = bytesOf(answer.response.attestationObject)
  changes.data?.(attested.subarray(attested.indexOf(sha256(rpId))))
  return { ...answer, response: { ...answer.response, clientDataJSON, attestationObject: attested.toString("base64url") } }
}

/** A new passkey with an identifier of this many bytes. */
export const withIdOf = (length: number, answer: RegistrationResponseJSON): RegistrationResponseJSON => {
  const id = Buffer.alloc(length, 7)
  return attestedAnew(answer, id, attestedParts(answer).key)
}

/** A new passkey with a public key of this many bytes, by RSA (RFC 8230 section 4). */
export const withKeyOf = (length: number, answer: RegistrationResponseJSON): RegistrationResponseJSON => {
  const [head, end] = [Buffer.from("a401030339010020", "hex"), Buffer.from("2143010001", "hex")]
  const modulus = (size: number) => byteString(Buffer.alloc(size, 7))
  const room = length - head.length - end.length
  const size = room - (modulus(room).length - room)
  return attestedAnew(answer, attestedParts(answer).id, Buffer.concat([head, modulus(size), end]))
}

const idAt = counterAt + 4 + 16 + 2

const attestedParts = ({ response }: RegistrationResponseJSON) => {
  const attested = bytesOf(response.attestationObject)
  const data = attested.subarray(attested.indexOf(sha256(rpId)))
  const keyAt = idAt + data.readUInt16BE(idAt - 2)
  return { head: data.subarray(0, idAt), id: data.subarray(idAt, keyAt), key: data.subarray(keyAt) }
}

/** The same with another identifier and another key, without a signature. */
const attestedAnew = (answer: RegistrationResponseJSON, id: Buffer, key: Buffer): RegistrationResponseJSON => {
  const head = Buffer.from(attestedParts(answer).head)
  head.writeUInt16BE(id.length, idAt - 2)
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
  const [map, empty] = [Buffer.from([0xa3]), Buffer.from([0xa0])]
  const data = byteString(Buffer.concat([head, id, key]))
  const object = Buffer.concat([map, text("fmt"), text("none"), text("attStmt"), empty, text("authData"), data])
  const [own, attestationObject] = [id.toString("base64url"), object.toString("base64url")]
  return { ...answer, id: own, rawId: own, response: { ...answer.response, attestationObject } }
}

/** Encoded as CBOR (RFC 8949 section 3). */
const byteString = (bytes: Buffer): Buffer => {
  const head = Buffer.from([bytes.length > 0xffff ? 0x5a : 0x59, 0, 0, 0, 0])
  if (bytes.length > 0xffff) head.writeUInt32BE(bytes.length, 1)
  else head.writeUInt16BE(bytes.length, 1)
  return Buffer.concat([head.subarray(0, bytes.length > 0xffff ? 5 : 3), bytes])
}

/** A response with one bit of a member inverted. */
export const bent = <A extends { readonly response: object }>(answer: A, part: keyof A["response"] & string): A => {
  const bytes = bytesOf(Reflect.get(answer.response, part))
  bytes[bytes.length - 1] = bytes.at(-1)! ^ 1
  return { ...answer, response: { ...answer.response, [part]: bytes.toString("base64url") } }
}
