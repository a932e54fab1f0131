import { Schema } from "effect"
import * as SignedCookie from "../../../domain/sessions/signed-cookie.ts"

// Shortcuts of the keyboard: `scripts/console/shortcuts.ts` has what the keys do.

/** The second keys of the sequences that begin with `g`, by the paths of the screens. */
const letters: Readonly<Record<string, string>> = {
  "/": "o",
  "/users": "u",
  "/organizations": "r",
  "/clients": "c",
  "/machines": "k",
  "/webhooks": "w",
  "/audit": "a",
  "/outbox": "m",
  "/settings": "s",
  "/health": "h",
  "/jobs": "j",
}

/** The second key for a screen; undefined without one. */
export const letterOf = (path: string): string | undefined => (Object.hasOwn(letters, path) ? letters[path] : undefined)

/** A year, in seconds. */
const maxAge = 31_536_000

/** Whether this browser has the shortcuts; by default it has. */
export const keysCookie = SignedCookie.hostBound("console_keys", (name) =>
  SignedCookie.make(name, Schema.Struct({ on: Schema.Boolean }), maxAge),
)
