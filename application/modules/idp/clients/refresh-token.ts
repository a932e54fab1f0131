import { Effect, Option } from "effect"
import { Mac } from "effect/crypto"
import { Keys, randomToken, tokenHash } from "../../../../domain/tokens/keys.ts"

const purpose = "refresh_token"

/** A refresh token: the id of its family, 256 random bits, and a MAC of both. */
interface RefreshToken {
  readonly family_id: string
  readonly hash: string
}

/** A new token of a family, and its stored hash. */
export const newRefreshToken = Effect.fnUntraced(function* newRefreshToken(family_id: string) {
  const secret = yield* randomToken
  const text = `${family_id}.${secret}`
  return { token: `${text}.${yield* (yield* Keys).sign(purpose, text)}`, hash: yield* tokenHash(purpose, secret) }
})

/**
 * The family and the hash of a token that this service issued; none for any other text. Ids of families are not secret, so without the MAC
 * an attacker could make a family look stolen, which revokes it.
 */
export const parsedRefreshToken = Effect.fnUntraced(function* parsedRefreshToken(token: string) {
  const [, text, family_id, secret, tag] = /^(([\da-f-]{36})\.([\w-]{43}))\.([\w-]{43})$/.exec(token) ?? []
  if (text === undefined || family_id === undefined || secret === undefined || tag === undefined) return Option.none<RefreshToken>()
  if (!(yield* (yield* Keys).verify(purpose, text, tag))) return Option.none<RefreshToken>()
  return Option.some<RefreshToken>({ family_id, hash: yield* tokenHash(purpose, secret) })
})

const utf8 = new TextEncoder()

/** Compares hashes in constant time. */
export const isSameHash = (one: string, other: string | null): boolean =>
  other !== null && Mac.timingSafeEqual(utf8.encode(one), utf8.encode(other))
