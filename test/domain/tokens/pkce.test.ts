import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TextHashes from "../../../adapters/crypto/text-hashes.ts"
import { challengeOf } from "../../../domain/tokens/pkce.ts"

it.effect("the challenge of RFC 7636 appendix B", () =>
  Effect.gen(function* () {
    const challenge = yield* challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    assert.strictEqual(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }).pipe(Effect.provide(TextHashes.layer)),
)
