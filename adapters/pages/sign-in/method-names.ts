/** The ways to sign in that send the entered name. Their buttons belong to one form. */
export const named = ["password", "email_code", "magic_link", "phone_code"] as const
export type Named = (typeof named)[number]
export const isNamed = (method: string): method is Named => named.some((each) => each === method)

/** The ways with a fixed name; the others are providers and own pages. */
export const fixed = [...named, "passkey", "wallet"] as const
