import { Context } from "effect"

/**
 * Hashes of texts in UTF-8, as base64url without padding. Almost every request needs some, so they are plain functions without conversions
 * to bytes.
 */
export class TextHashes extends Context.Service<
  TextHashes,
  {
    /** SHA-256 (FIPS 180-4). */
    sha256(text: string): string
    /** HMAC-SHA-256 (RFC 2104). */
    hmacSha256(key: Uint8Array, text: string): string
    /** Whether `tag` is what `hmacSha256` returns; compared in constant time. */
    verifyHmacSha256(key: Uint8Array, text: string, tag: string): boolean
  }
>()("sallyport/TextHashes") {}
