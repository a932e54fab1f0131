import { Context, Layer } from "effect"

/** Passwords that users may not choose. */
export class Blocklist extends Context.Service<
  Blocklist,
  {
    /** Whether a password, lowercased, is on the list. */
    has(password: string): boolean
  }
>()("sallyport/Blocklist") {}

/** Allows every password. */
export const layerNone = Layer.succeed(Blocklist, new Set<string>())
