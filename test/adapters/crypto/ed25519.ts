import { Effect } from "effect"
import { layer } from "../../../adapters/crypto/ed25519.ts"
import { Ed25519 } from "../../../domain/ports/ed25519.ts"

export const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"))
export const hex = (data: Uint8Array) => Buffer.from(data).toString("hex")

/** Whether a signature is valid. All values are in hexadecimal. */
export const verify = (publicKey: string, signature: string, data: string) =>
  Effect.flatMap(Ed25519, (ed25519) => ed25519.verify(bytes(publicKey), bytes(signature), bytes(data))).pipe(Effect.provide(layer))
