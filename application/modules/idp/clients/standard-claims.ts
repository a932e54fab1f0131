/** The standard claims of each scope (OpenID Connect Core section 5.4). */
export const standardClaims = {
  profile: [
    ...["name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture", "website"],
    ...["gender", "birthdate", "zoneinfo", "locale", "updated_at"],
  ],
  email: ["email", "email_verified"],
  address: ["address"],
  phone: ["phone_number", "phone_number_verified"],
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

/** The scope that a standard claim belongs to. */
export const scopeOfClaim = (claim: string): string | undefined =>
  Object.entries<ReadonlyArray<string>>(standardClaims).find(([, claims]) => claims.includes(claim))?.[0]

/** The claims about a token or a sign-in (RFC 7519 section 4.1, OpenID Connect Core section 2). Modules cannot set them. */
export const protocolClaims: ReadonlyArray<string> = [
  ...["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "auth_time", "nonce", "acr", "amr", "azp", "sid", "events", "cnf", "act"],
  ...["at_hash", "c_hash", "s_hash"],
]
