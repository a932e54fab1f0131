import { Console, Effect, Redacted } from "effect"
import { newSecret } from "../config/kept-secret.ts"
import type { Configuration } from "../config/load.ts"
import { layer, type Selected } from "../key-management/layer.ts"
import { wrapSecret } from "../key-management/secrets.ts"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"

/** Prints a new secret in its wrapped form only. */
export const printNewWrapped = (selected: Selected) =>
  wrapSecret(Redacted.make(newSecret()), selected).pipe(Effect.flatMap(Console.log), Effect.provide(layer(selected)))

/** Prints the configured secrets, each wrapped under the newest version of the key, in their order. */
export const printRewrapped = Effect.fnUntraced(function* printRewrapped(configuration: Configuration) {
  const lines = yield* Effect.forEach(yield* configuration.secrets, (secret) => wrapSecret(secret, configuration)).pipe(
    Effect.provide(layer(configuration)),
  )
  yield* Console.log(lines.join("\n"))
})

/** Prints the configured secrets without the protection of the key management, in their order. */
export const printUnwrapped = Effect.fnUntraced(function* printUnwrapped({ secrets }: Configuration) {
  if (process.stdout.isTTY) return yield* stop("The secrets are not shown on a terminal: redirect the output.", codes.usage)
  yield* Console.log((yield* secrets).map(Redacted.value).join("\n"))
})
