import { Effect, Option, Schema } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { strictBase64Url } from "../../../domain/values/strict-base64-url.ts"
import { strictJsonObject } from "../../../domain/values/strict-json.ts"

/** Lifetime of a challenge, seconds. */
export const lifetime = 300

const Challenge = Schema.Struct({
  hash: Schema.String,
  /** The recipient of the challenge: the id of a session, or the hash of a browser's binding cookie. */
  holder: Schema.String,
  /** The address of the user whose passkeys were requested; null for any user's. */
  email: Schema.NullOr(Schema.String),
  expires_at: Schema.DateTimeUtc,
})

/** Challenges that were issued and not yet used. */
export const PasskeyChallenges = Table.make("passkey_challenge", Challenge, { key: "hash", expires: "expires_at" })

/** The purpose of a challenge. */
type Ceremony = "passkey-registration" | "passkey-authentication"

const challenges = (ceremony: Ceremony) => singleUseToken(PasskeyChallenges, { kind: ceremony })

/** Stores and returns a new challenge. */
export const issueChallenge = Effect.fnUntraced(function* issueChallenge(ceremony: Ceremony, holder: string, email: string | null = null) {
  const { token: challenge, write } = yield* challenges(ceremony).issue({ holder, email }, lifetime)
  yield* Effect.orDie((yield* Store).commit([write]))
  return challenge
})

/** The challenge of a response. Consumes it, even if the response turns out invalid; of concurrent responses, one gets it. */
export const take = Effect.fnUntraced(function* take(ceremony: Ceremony, clientDataJSON: string) {
  const challenge = challengeIn(clientDataJSON)
  if (Option.isNone(challenge)) return Option.none()
  const taken = yield* challenges(ceremony).take(challenge.value)
  return Option.map(taken, ({ holder, email }) => ({ challenge: challenge.value, holder, email }))
})

const challengeIn = (clientDataJSON: string) =>
  strictBase64Url(clientDataJSON).pipe(
    Option.flatMap(strictJsonObject),
    Option.flatMap(({ challenge }) => (typeof challenge === "string" ? Option.some(challenge) : Option.none())),
  )
