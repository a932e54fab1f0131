import { Effect, Layer } from "effect"
import { Blocklist } from "../../domain/ports/blocklist.ts"

const reversed = (text: string): string => Array.from(text).reverse().join("")

/**
 * The passwords that users choose most, from leaks: 49 thousand, of which 18 thousand have eight characters or more (OWASP ASVS 5.0, 6.2.4,
 * asks for the top 3000 that the length permits). Read when the layer is built.
 */
export const layer = Layer.effect(
  Blocklist,
  Effect.gen(function* () {
    const { dictionary } = yield* Effect.promise(() => import("@zxcvbn-ts/language-common"))
    const common = new Set(dictionary["passwords-common"])
    // The list leaves out what it already holds backwards, such as poiuytrewq.
    return { has: (password: string) => common.has(password) || common.has(reversed(password)) }
  }),
)
