import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** A new UUID, version 7 (RFC 9562 section 5.7): ids grow with time. */
export const newId = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

/** Whether the text is a UUID, of any version. */
export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Behind every id and every hash in base64url, so that a list by an index goes on after all rows with the same first text. */
export const behindIds = "~"

/** The lowest UUID of version 7 of a millisecond since 1970 (RFC 9562 section 5.7). */
export const firstIdAt = (millis: number) => {
  const hex = Math.max(0, millis).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The millisecond since 1970 at which a UUID of version 7 was made. */
export const millisOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
