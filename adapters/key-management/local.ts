import { Effect, Layer, Schema } from "effect"
import { KeyManagement, KeyManagementRefused } from "../../domain/ports/key-management.ts"
import { keyAdapter } from "../kinds/key-management.ts"

const refused = Effect.fail(new KeyManagementRefused({ reason: 'found the kind "local", wanted "vault" or "aws", which wrap secrets' }))

/** The secrets are in the configuration as they are, and nothing is wrapped. */
export const local = keyAdapter({
  kind: "local",
  settings: Schema.Struct({ kind: Schema.Literal("local") }),
  select: () => ({
    layer: Layer.succeed(KeyManagement, {
      wrap: () => refused,
      unwrap: () => refused,
      health: Effect.succeed("the secrets are not wrapped"),
    }),
    context: null,
  }),
})
