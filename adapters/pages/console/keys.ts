import { Schema } from "effect"
import * as SignedCookie from "../../../domain/sessions/signed-cookie.ts"

/** A year, in seconds. */
const maxAge = 31_536_000

/** Whether this browser has the shortcuts; by default it has. */
export const keysCookie = SignedCookie.hostBound("console_keys", (name) =>
  SignedCookie.make(name, Schema.Struct({ on: Schema.Boolean }), maxAge),
)
