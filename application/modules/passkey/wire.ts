import { Schema } from "effect"

// Requests to and responses from browsers, in the JSON of WebAuthn (Level 3 section 5.1). Members that are not declared here are passed
// through, and shells do not rename fields.

const anythingElse = [Schema.Record(Schema.String, Schema.Unknown)] as const

/** Base64url of limited length. The length is checked before decoding, because CBOR and JSON are parsed before any signature is checked. */
const base64Url = (maxLength: number) =>
  Schema.String.check(Schema.isMaxLength(maxLength), Schema.isPattern(/^[A-Za-z0-9_-]+$/, { expected: "base64url without padding" }))

/** Characters: enough for identifiers of 1023 bytes (section 7.1) and user handles of 64 bytes (section 5.4.3). */
const maxIdLength = 2048
const maxUserHandleLength = 86
/** Characters: client data usually has about 200 bytes, and more with a long origin. */
const maxClientDataLength = 4096
/** Characters: enough for an identifier, a key and a self-attestation signature; attestation certificates are not accepted. */
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
