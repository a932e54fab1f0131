import { Schema } from "effect"
import * as SignedCookie from "../../../domain/sessions/signed-cookie.ts"

/** A year, in seconds. */
const maxAge = 31_536_000

/** The way in which this browser signed in last. It names no user. */
export const lastUsedCookie = SignedCookie.hostBound("last_used", (name) =>
  SignedCookie.make(name, Schema.Struct({ method: Schema.String }), maxAge),
)
