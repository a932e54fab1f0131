/** The ways to send a code that is a second factor, in the order in which pages show them. */
export const sentMethods = ["email", "sms"] as const
export type SentMethod = (typeof sentMethods)[number]

export const sentMethodIn = (text: string | null) => sentMethods.find((method) => method === text)
