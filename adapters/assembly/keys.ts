import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import * as Keys from "../../domain/tokens/keys.ts"
import type { Configuration } from "../config/load.ts"
import * as Certificates from "../crypto/certificates.ts"
import * as Jose from "../crypto/jose.ts"
import * as TextHashes from "../crypto/text-hashes.ts"
import { onReload } from "./reloadable.ts"

type Secrets = Configuration["secrets"]

/** The keys that are derived from configured secrets. */
export const keysOf = (secrets: Secrets) => Effect.flatMap(secrets, (opened) => Effect.orDie(Keys.make(opened)))

/** The keys that are derived from the configured secrets, until a reload replaces these, and the cryptography that they and other keys need. */
export const keys = (secrets: Secrets) =>
  Layer.effect(
    Keys.Keys,
    Effect.gen(function* () {
      const cryptography = yield* Effect.context<Effect.Services<ReturnType<typeof keysOf>>>()
      const current = { ...(yield* keysOf(secrets)) }
      const replace = (keys: Keys.Keys["Service"]) => Effect.sync(() => void Object.assign(current, keys))
      yield* onReload((next) => Effect.map(Effect.provide(keysOf(next.secrets), cryptography), replace))
      return current
    }),
  ).pipe(Layer.provideMerge(Layer.mergeAll(TextHashes.layer, Jose.layer, Certificates.layer)), Layer.provideMerge(NodeCrypto.layer))
