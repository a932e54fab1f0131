import { Schema } from "effect"

// What browsers are asked and answer, in the words of WebAuthn (Level 3 section 5.1): they are handed on as they are, so their other
// members stay, and no shell has names of its own for them.

const anythingElse = [Schema.Record(Schema.String, Schema.Unknown)] as const

/** Longer texts are refused before they are decoded: CBOR and JSON are parsed before any signature is checked. */
const base64Url = (maxLength: number) =>
  Schema.String.check(Schema.isMaxLength(maxLength), Schema.isPattern(/^[A-Za-z0-9_-]+$/, { expected: "base64url without padding" }))

/** More than the 1023 bytes of an identifier (section 7.1) and the 64 of a user handle (section 5.4.3). */
const maxIdLength = 2048
const maxUserHandleLength = 86
/** Some 200 bytes, unless the origin is very long. */
const maxClientDataLength = 4096
/** An identifier and a key with the signature of an authenticator that attests itself; certificates are not accepted. */
const maxAttestationLength = 16_384
const maxAuthenticatorDataLength = 4096
const maxSignatureLength = 4096

const answer = <const Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.StructWithRest(
    Schema.Struct({ id: base64Url(maxIdLength), rawId: base64Url(maxIdLength), type: Schema.String, response: Schema.Struct(fields) }),
    anythingElse,
  ).annotate({ identifier })

export const RegistrationResponse = answer("RegistrationResponseJSON", {
  clientDataJSON: base64Url(maxClientDataLength),
  attestationObject: base64Url(maxAttestationLength),
  transports: Schema.optionalKey(Schema.Array(Schema.String)),
})

export const AuthenticationResponse = answer("AuthenticationResponseJSON", {
  clientDataJSON: base64Url(maxClientDataLength),
  authenticatorData: base64Url(maxAuthenticatorDataLength),
  signature: base64Url(maxSignatureLength),
  userHandle: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(maxUserHandleLength)))),
})
export type AuthenticationResponse = typeof AuthenticationResponse.Type

const Descriptor = Schema.Struct({ type: Schema.Literal("public-key"), id: Schema.String, transports: Schema.Array(Schema.String) })
export type Descriptor = typeof Descriptor.Type

export const CreationOptions = Schema.StructWithRest(
  Schema.Struct({
    challenge: Schema.String,
    rp: Schema.Struct({ id: Schema.String, name: Schema.String }),
    user: Schema.Struct({ id: Schema.String, name: Schema.String, displayName: Schema.String }),
    pubKeyCredParams: Schema.Array(Schema.Struct({ type: Schema.Literal("public-key"), alg: Schema.Int })),
    timeout: Schema.Int,
    excludeCredentials: Schema.Array(Descriptor),
    authenticatorSelection: Schema.Struct({
      residentKey: Schema.Literal("required"),
      requireResidentKey: Schema.Literal(true),
      userVerification: Schema.Literal("required"),
    }),
    attestation: Schema.Literal("none"),
  }),
  anythingElse,
).annotate({ identifier: "PublicKeyCredentialCreationOptionsJSON" })

export const RequestOptions = Schema.StructWithRest(
  Schema.Struct({
    challenge: Schema.String,
    rpId: Schema.String,
    timeout: Schema.Int,
    allowCredentials: Schema.Array(Descriptor),
    userVerification: Schema.Literal("required"),
  }),
  anythingElse,
).annotate({ identifier: "PublicKeyCredentialRequestOptionsJSON" })
