import { Schema } from "effect"
import * as SignedCookie from "../../../domain/sessions/signed-cookie.ts"

/** A year, in seconds. */
const maxAge = 31_536_000

const LastUsed = Schema.Struct({
  method: Schema.String,
  /** When a passkey was offered last, in seconds since 1970. */
  offered_at: Schema.optionalKey(Schema.Int),
})
export type LastUsed = typeof LastUsed.Type

/** The way in which this browser signed in last. It names no user. */
export const lastUsedCookie = SignedCookie.hostBound("last_used", (name) => SignedCookie.make(name, LastUsed, maxAge))
