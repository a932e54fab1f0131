import type { TwoFactorSentMethod } from "../../../client/operations.ts"

export type SentMethod = TwoFactorSentMethod

const all: Readonly<Record<SentMethod, true>> = { email: true, sms: true }
/** The ways to send a code that is a second factor, in the order in which pages show them. */
export const sentMethods = Object.keys(all) as ReadonlyArray<SentMethod>

export const sentMethodIn = (text: string | null) => sentMethods.find((method) => method === text)
