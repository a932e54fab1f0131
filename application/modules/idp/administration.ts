import { Effect, Schema } from "effect"
import * as Endpoint from "../../service/endpoint.ts"
import { rotateKeys } from "./keys/signing-keys.ts"
import type { Settings } from "./settings.ts"

/** Begins a rotation of the signing keys before it is due. */
export const rotate = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/rotate-keys",
    summary: "Publishes the next signing keys, which sign after a day. Adds none while such keys are published already.",
    access: { permission: "keys:rotate" },
    output: Schema.Struct({ added: Schema.Int }),
    takesReason: true,
    handler: Effect.fnUntraced(function* identityProviderRotateKeys() {
      return Endpoint.reply({ added: yield* rotateKeys(settings) })
    }),
  })
