import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../../adapters/crypto/text-hashes.ts"
import { TextHashes } from "../../../domain/ports/text-hashes.ts"

const fox = "The quick brown fox jumps over the lazy dog"
const foxTag = "97yD9DBThCSxMpjmqm-xQ-9NWaFJRhdZl0edvC0aPNg"
const bytes = (text: string) => new TextEncoder().encode(text)
const withHashes = (use: (hashes: TextHashes["Service"]) => void) =>
  Effect.provide(
    Effect.map(TextHashes, (hashes) => use(hashes)),
    layer,
  )

describe("hashes of texts", () => {
  it.effect("are SHA-256 of the text in UTF-8, also of text that has none", () =>
    withHashes(({ sha256 }) => {
      assert.strictEqual(sha256("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0")
      for (const text of ["", "é🔑", "\ud800", "a\0b", "x".repeat(100_000)])
        assert.strictEqual(sha256(text), createHash("sha256").update(bytes(text)).digest("base64url"))
    }),
  )

  it.effect("are HMAC-SHA-256, with the same key again and with another one", () =>
    withHashes(({ hmacSha256 }) => {
      const key = bytes("key")
      assert.strictEqual(hmacSha256(key, fox), foxTag)
      assert.strictEqual(hmacSha256(key, fox), foxTag)
      assert.notStrictEqual(hmacSha256(bytes("another key"), fox), foxTag)
    }),
  )

  it.effect("verify only the one spelling of a tag", () =>
    withHashes(({ verifyHmacSha256 }) => {
      const key = bytes("key")
      assert.isTrue(verifyHmacSha256(key, fox, foxTag))
      assert.isFalse(verifyHmacSha256(bytes("another key"), fox, foxTag))
      assert.isFalse(verifyHmacSha256(key, `${fox}.`, foxTag))
      // The last character has two bits that belong to no byte: `h` decodes to the same bytes as `g`.
      for (const tag of ["", foxTag.slice(1), `${foxTag}=`, `${foxTag.slice(0, -1)}h`, foxTag.replace("-", "+"), ` ${foxTag}`, "🔑"])
        assert.isFalse(verifyHmacSha256(key, fox, tag), tag)
    }),
  )
})
