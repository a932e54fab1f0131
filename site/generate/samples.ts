import { type JsonSchema, type Operation, resolved } from "./openapi.ts"

// Values for examples. `test/site/blocks.test.ts` sends those of inputs to a service, which must be able to read them.

const texts: Readonly<Record<string, string>> = {
  q: "ada",
  email: "ada@example.com",
  new_email: "ada.lovelace@example.com",
  password: "correct horse battery staple",
  current_password: "correct horse battery staple",
  new_password: "a horse that staples batteries",
  name: "Ada",
  username: "ada_99",
  phone: "+15550100",
  code: "123456",
  otp: "123456",
  flow: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  provider: "google",
  provider_id: "google",
  role: "admin",
  slug: "acme",
  image: "https://example.com/ada.png",
  message: "localhost:3000 wants you to sign in with your Ethereum account: …",
  reason: "spam",
  redirect_uri: "https://wiki.example.com/callback",
  client_id: "wiki",
  response_type: "code",
  scope: "openid email",
  grant_type: "authorization_code",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
  type: "public-key",
  rawId: "AQIDBA",
  clientDataJSON: "AQIDBA",
  attestationObject: "AQIDBA",
  authenticatorData: "AQIDBA",
  into: "01a21a7f-4b7e-7117-be6a-6c48be1a5ab5",
}

/** Optional members that an example needs to make sense. */
const further: Readonly<Record<string, ReadonlyArray<string>>> = {
  stepUp: ["password"],
  deleteUser: ["password"],
  organizationGetFull: ["organization_id"],
  updateUser: ["name"],
  adminUsersShow: ["email"],
  adminJobsCreate: ["user_ids"],
  organizationUpdate: ["name"],
  twoFactorTotpChallenge: ["code"],
  twoFactorCodesSend: ["challenge_token"],
  twoFactorTotpEnable: ["password"],
  twoFactorTotpDisable: ["password"],
  oauth2Authorize: ["client_id", "redirect_uri", "response_type", "scope", "code_challenge", "code_challenge_method"],
  oauth2AuthorizeForm: ["client_id", "redirect_uri", "response_type", "scope", "code_challenge", "code_challenge_method"],
  oauth2Token: ["grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier"],
  oauthCallback: ["state", "code"],
}

const webAuthnBytes = ["id", "signature"]
const isOfPasskey = (properties: object) => "rawId" in properties || "authenticatorData" in properties

/** A value of a schema; `…` represents a value of the service or the browser. */
export const sampleOf = (schema: JsonSchema, name = "", given: ReadonlyArray<string> = []): unknown => {
  const {
    type,
    enum: values,
    properties,
    required = [],
    items,
    additionalProperties,
    oneOf,
    anyOf,
    minimum,
    maximum,
    ...rest
  } = resolved(schema)
  if (rest.const !== undefined) return rest.const
  if (values !== undefined) return values[0]
  const [first] = oneOf ?? anyOf ?? []
  if (first !== undefined) return sampleOf(first, name)
  if (properties !== undefined) {
    const members = Object.entries(properties).filter(([member]) => required.includes(member) || given.includes(member))
    return Object.fromEntries(
      members.map(([member, inner]) => [
        member,
        sampleOf(inner, isOfPasskey(properties) && webAuthnBytes.includes(member) ? "rawId" : member),
      ]),
    )
  }
  if (typeof additionalProperties === "object") return { member: sampleOf(additionalProperties, "member") }
  return scalarOf(Array.isArray(type) ? type[0] : type, name, { items, minimum, maximum, format: rest.format })
}

interface Scalar {
  readonly items: JsonSchema | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly format: string | undefined
}

const scalarOf = (type: unknown, name: string, { items, minimum, maximum, format }: Scalar): unknown => {
  if (type === "array") return items === undefined ? [] : [sampleOf(items, name === "member" ? "update" : name)]
  if (type === "boolean") return true
  if (type === "integer" || type === "number") return Math.min(maximum ?? 600, Math.max(minimum ?? 0, 600))
  if (type === "null") return null
  if (format === "date-time") return "2026-11-22T10:00:00.000Z"
  return texts[name] ?? (name === "update" ? "update" : "…")
}

/** The input of an operation's example. */
export const inputOf = (operation: Operation): Readonly<Record<string, unknown>> => {
  const { properties = {}, required = [] } = operation.input
  const given = Object.keys(properties).filter((name) => required.includes(name) || further[operation.id]?.includes(name))
  return Object.fromEntries(given.map((name) => [name, sampleOf(properties[name]!, name)]))
}
