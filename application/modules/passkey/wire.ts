import { Schema } from "effect"

// What browsers are asked and answer, in the words of WebAuthn (Level 3 section 5.1): they are handed on as they are, so their other
// members stay, and no shell has names of its own for them.

const anythingElse = [Schema.Record(Schema.String, Schema.Unknown)] as const

const Base64Url = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]+$/, { expected: "base64url without padding" }))

const answer = <const Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.StructWithRest(
    Schema.Struct({ id: Base64Url, rawId: Base64Url, type: Schema.String, response: Schema.Struct(fields) }),
    anythingElse,
  ).annotate({ identifier })

export const RegistrationResponse = answer("RegistrationResponseJSON", {
  clientDataJSON: Base64Url,
  attestationObject: Base64Url,
  transports: Schema.optionalKey(Schema.Array(Schema.String)),
})

export const AuthenticationResponse = answer("AuthenticationResponseJSON", {
  clientDataJSON: Base64Url,
  authenticatorData: Base64Url,
  signature: Base64Url,
  userHandle: Schema.optionalKey(Schema.NullOr(Schema.String)),
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
