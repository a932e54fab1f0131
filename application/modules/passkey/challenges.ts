import { DateTime, Effect, Option, Schema } from "effect"
import { insert, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/storage/table.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import { strictBase64Url } from "../../../domain/values/strict-base64-url.ts"
import { strictJsonObject } from "../../../domain/values/strict-json.ts"

/** How long somebody may take to answer, seconds. */
export const lifetime = 300

const Challenge = Schema.Struct({
  hash: Schema.String,
  /** Who was asked: the id of a session, or the hash of what a browser keeps. */
  holder: Schema.String,
  /** Whose passkeys were asked for; null where anybody's will do. */
  email: Schema.NullOr(Schema.String),
  expires_at: Schema.DateTimeUtc,
})

/** Challenges that were handed out and not yet presented. */
export const PasskeyChallenges = Table.make("passkey_challenge", Challenge, { key: "hash", expires: "expires_at" })

/** What a challenge is good for. */
type Ceremony = "passkey-registration" | "passkey-authentication"

/** A new challenge for whoever is asked now. */
export const pose = Effect.fnUntraced(function* pose(ceremony: Ceremony, holder: string, email: string | null = null) {
  const challenge = yield* randomToken
  const hash = yield* tokenHash(ceremony, challenge)
  const expires_at = DateTime.add(yield* DateTime.now, { seconds: lifetime })
  yield* Effect.orDie((yield* Store).commit([insert(PasskeyChallenges, { hash, holder, email, expires_at })]))
  return challenge
})

/** The challenge that an answer presents. It is used up by that, whatever is wrong with the rest; of many at once one presents it. */
export const take = Effect.fnUntraced(function* take(ceremony: Ceremony, clientDataJSON: string) {
  const challenge = challengeIn(clientDataJSON)
  if (Option.isNone(challenge)) return Option.none()
  const taken = yield* (yield* Store).take(PasskeyChallenges, { hash: yield* tokenHash(ceremony, challenge.value) })
  const now = yield* DateTime.now
  return Option.filter(taken, ({ expires_at }) => DateTime.isLessThan(now, expires_at)).pipe(
    Option.map(({ holder, email }) => ({ challenge: challenge.value, holder, email })),
  )
})

const challengeIn = (clientDataJSON: string) =>
  strictBase64Url(clientDataJSON).pipe(
    Option.flatMap(strictJsonObject),
    Option.flatMap(({ challenge }) => (typeof challenge === "string" ? Option.some(challenge) : Option.none())),
  )
