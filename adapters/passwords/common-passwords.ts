import { Effect, Layer } from "effect"
import { Blocklist } from "../../domain/ports/blocklist.ts"

const reversed = (text: string): string => Array.from(text).reverse().join("")

/**
 * The most common passwords of leaks: 49,000, of which 18,000 have eight characters or more (OWASP ASVS 5.0, 6.2.4, requires the top
 * 3000 of the permitted length).
 */
export const layer = Layer.effect(
  Blocklist,
  Effect.gen(function* () {
    const { dictionary } = yield* Effect.promise(() => import("@zxcvbn-ts/language-common"))
    const common = new Set(dictionary["passwords-common"])
    // The list omits a password if it contains the reversed password: poiuytrewq is missing because qwertyuiop is there.
    return { has: (password: string) => common.has(password) || common.has(reversed(password)) }
  }),
)
