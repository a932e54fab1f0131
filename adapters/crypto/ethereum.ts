import { Effect, Layer } from "effect"
import { Ethereum } from "../../domain/ports/ethereum.ts"
import { retainedOnSuccess } from "../retained.ts"

/** Loads the `@noble` packages at the first use: services without wallets do not need them. */
export const layer = Layer.effect(
  Ethereum,
  Effect.gen(function* makeEthereum() {
    const loaded = yield* retainedOnSuccess(Effect.promise(() => import("./ethereum-signatures.ts")))
    return Ethereum.of({
      checksummed: (address) => Effect.map(loaded, ({ checksummed }) => checksummed(address)),
      signer: (text, signature) => Effect.map(loaded, ({ signer }) => signer(text, signature)),
    })
  }),
)
