import { Data, Effect, Layer, Stream } from "effect"
import { Digest } from "effect/crypto"
import type { HttpClientResponse } from "effect/http"
import { HttpClient, HttpClientRequest } from "effect/http"
import { BreachedPasswords } from "../../domain/ports/breached-passwords.ts"

// The range API of Have I Been Pwned (https://haveibeenpwned.com/API/v3#PwnedPasswords): it is told the first five of the 40 hexadecimal
// digits of a password's SHA-1, and answers the rest of all breached passwords that begin so.

interface Settings {
  /** Where the API is, or a mirror of it. */
  readonly url: string
}

/** Users wait for the answer. */
const timeout = "2 seconds"

/** A padded range has about 40 KB. */
const maxAnswerBytes = 262_144

/** Why there is no answer, in words that hold neither the password nor its hash. */
class Unanswered extends Data.TaggedError("Unanswered")<{ readonly reason: string }> {}

export const layer = (settings: Settings) =>
  Layer.effect(
    BreachedPasswords,
    Effect.gen(function* () {
      const services = yield* Effect.context<HttpClient.HttpClient>()
      const digest = yield* Digest.Digest
      const lookUp = Effect.fnUntraced(function* (password: string) {
        const hash = yield* Effect.orDie(digest.digestHex(Digest.sha1, new TextEncoder().encode(password)))
        const range = yield* rangeOf(settings, hash.slice(0, 5))
        return isListed(range, hash.slice(5))
      }, Effect.provideContext(services))

      return BreachedPasswords.of({
        has: (password) =>
          lookUp(password).pipe(
            Effect.catchTag("Unanswered", ({ reason }) =>
              Effect.as(Effect.logWarning("a password was accepted without a look for breaches", { reason }), false),
            ),
          ),
      })
    }),
  )

/** Fails with the reason when the API cannot be used. */
export const check = (settings: Settings) => Effect.asVoid(rangeOf(settings, "00000"))

/** Lines such as `0018A45C4D1DEF81644B54AB7F969B88D65:3`. */
const line = /^[0-9A-F]{35}:\d+$/i

/** Padding, which hides from onlookers how long a range is, has a count of 0. */
const isListed = (range: ReadonlyArray<string>, rest: string) => {
  const found = range.find((each) => each.slice(0, rest.length).toLowerCase() === rest.toLowerCase())
  return found !== undefined && Number(found.slice(rest.length + 1)) > 0
}

const rangeOf = Effect.fnUntraced(
  function* ({ url }: Settings, prefix: string) {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    const request = HttpClientRequest.get(`${url.replace(/\/+$/, "")}/range/${prefix.toUpperCase()}`).pipe(
      HttpClientRequest.setHeaders({ "add-padding": "true", "user-agent": "sallyport" }),
    )
    return yield* client.execute(request).pipe(
      Effect.catchTag("HttpClientError", ({ reason }) => new Unanswered({ reason: reason._tag })),
      Effect.flatMap(linesOf),
      Effect.scoped,
      Effect.timeoutOrElse({ duration: timeout, orElse: () => new Unanswered({ reason: `no answer after ${timeout}` }) }),
    )
  },
  // A trace would carry the URL, which has a part of the hash.
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
)

const linesOf = Effect.fnUntraced(function* ({ status, stream }: HttpClientResponse.HttpClientResponse) {
  if (status !== 200) return yield* new Unanswered({ reason: `the answer was ${status}` })
  const text = yield* Stream.mapError(stream, () => new Unanswered({ reason: "the answer broke off" })).pipe(
    Stream.limitBytes(maxAnswerBytes, () => Stream.fail(new Unanswered({ reason: "the answer is too long" }))),
    Stream.decodeText,
    Stream.mkString,
  )
  const lines = text.split(/\r?\n/)
  return lines.some((each) => line.test(each)) ? lines : yield* new Unanswered({ reason: "the answer is no range of hashes" })
})
