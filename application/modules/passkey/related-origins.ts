import { Effect, Schema } from "effect"
import * as Endpoint from "../../service/endpoint.ts"

/** Lets browsers use the passkeys at origins of other domains (WebAuthn Level 3 section 5.11). */
export const relatedOrigins = (origins: ReadonlyArray<string>) =>
  Endpoint.make({
    method: "GET",
    path: "/.well-known/webauthn",
    name: "wellKnownWebauthn",
    summary: "The origins of other domains that may use the passkeys of this service.",
    access: "public",
    output: Schema.Struct({ origins: Schema.Array(Schema.String) }),
    protocol: { anyOrigin: true, aliases: ["/.well-known/webauthn"], maxAge: 3600 },
    handler: () => Effect.succeed(Endpoint.reply({ origins })),
  })
