import { Effect, Redacted } from "effect"
import { KeyManagement, type KeyManagementFault, KeyManagementRefused } from "../../domain/ports/key-management.ts"
import { minSecretBytes } from "../../domain/tokens/keys.ts"
import { contextOf, layer, type Selected } from "./layer.ts"
import { isWrapped, prefix } from "./wrapped.ts"

type Secret = Redacted.Redacted<string>

/** The configured secrets, with the wrapped ones unwrapped. Without wrapped secrets, the key management is not used. */
export const openSecrets = (
  secrets: ReadonlyArray<Secret>,
  selected: Selected,
): Effect.Effect<ReadonlyArray<Secret>, KeyManagementFault> => {
  if (!secrets.some(isWrapped)) return Effect.succeed(secrets)
  return Effect.forEach(secrets, (secret, index) =>
    isWrapped(secret) ? Effect.catchTag(unwrapped(secret, selected), "KeyManagementRefused", numbered(index)) : Effect.succeed(secret),
  ).pipe(Effect.provide(layer(selected)))
}

const numbered = (index: number) => (fault: KeyManagementRefused) =>
  new KeyManagementRefused({ reason: `secret ${index + 1} cannot be unwrapped: ${fault.reason}` })

const unwrapped = Effect.fnUntraced(function* unwrapped(secret: Secret, selected: Selected) {
  const { unwrap } = yield* KeyManagement
  const bytes = yield* unwrap(Redacted.value(secret).slice(prefix.length), contextOf(selected) ?? "")
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    catch: () => new KeyManagementRefused({ reason: "it is not a text" }),
  })
  if (bytes.length < minSecretBytes) return yield* new KeyManagementRefused({ reason: `it has fewer than ${minSecretBytes} bytes` })
  return Redacted.make(text)
})

/** A secret as the configuration can have it. Fails if the key management does not unwrap it again. */
export const wrapSecret = Effect.fnUntraced(function* wrapSecret(secret: Secret, selected: Selected) {
  const { wrap } = yield* KeyManagement
  const wrapped = prefix + (yield* wrap(new TextEncoder().encode(Redacted.value(secret)), contextOf(selected) ?? ""))
  const again = yield* unwrapped(Redacted.make(wrapped), selected)
  if (Redacted.value(again) !== Redacted.value(secret))
    return yield* new KeyManagementRefused({ reason: "it does not return the secret that it wrapped" })
  return wrapped
})
