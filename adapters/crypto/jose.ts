import { createPrivateKey } from "node:crypto"
import { Effect, Layer, Option } from "effect"
import type { JWK } from "jose"
import { Jose } from "../../domain/ports/jose.ts"

const utf8 = new TextEncoder()

/** `jose` on the Web Cryptography API. It is loaded at its first use. */
export const layer = Layer.succeed(
  Jose,
  Jose.of({
    generate: (algorithm) =>
      Effect.promise(async () => {
        const { exportJWK, generateKeyPair } = await import("jose")
        const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
        return { publicKey: { ...(await exportJWK(publicKey)) }, privateKey: { ...(await exportJWK(privateKey)) } }
      }),
    sign: (key, header, payload) =>
      Effect.promise(async () => {
        const { CompactSign } = await import("jose")
        return new CompactSign(utf8.encode(payload)).setProtectedHeader({ ...header }).sign(key as JWK)
      }),
    verify: (key, algorithm, token) =>
      Effect.promise(async () => {
        const { compactVerify } = await import("jose")
        return compactVerify(token, key as JWK, { algorithms: [algorithm] }).then(
          () => true,
          () => false,
        )
      }),
    thumbprint: (key) => Effect.option(Effect.tryPromise(async () => (await import("jose")).calculateJwkThumbprint(key as JWK, "sha256"))),
    privateKey: (pem) => Effect.sync(() => jwkOf(pem)),
  }),
)

const jwkOf = Option.liftThrowable((pem: string) => ({ ...createPrivateKey(pem).export({ format: "jwk" }) }))
