import { Data, Effect, Layer, Stream } from "effect"
import { Digest } from "effect/crypto"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { BreachedPasswords } from "../../domain/ports/breached-passwords.ts"

// The range API of Have I Been Pwned (https://haveibeenpwned.com/API/v3#PwnedPasswords): the request contains the first five of the 40
// hexadecimal digits of a password's SHA-1. The answer lists the remaining digits of all breached passwords with this prefix.

interface Settings {
  /** The base URL of the API or of a mirror. */
  readonly url: string
}

/** Short, because users wait for the answer. */
const timeout = "2 seconds"

/** A padded range has about 40 KB. */
const maxAnswerBytes = 262_144

/** The API did not answer. The reason contains neither the password nor its hash. */
class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly reason: string }> {}

export const layer = (settings: Settings) =>
  Layer.effect(
    BreachedPasswords,
    Effect.gen(function* () {
      const services = yield* Effect.context<HttpClient.HttpClient>()
      const digest = yield* Digest.Digest
      const lookUp = Effect.fnUntraced(function* lookUpBreaches(password: string) {
        const hash = yield* Effect.orDie(digest.digestHex(Digest.sha1, new TextEncoder().encode(password)))
        const range = yield* rangeOf(settings, hash.slice(0, 5))
        return isListed(range, hash.slice(5))
      }, Effect.provideContext(services))

      return BreachedPasswords.of({
        has: (password) =>
          lookUp(password).pipe(
            Effect.catchTag("NoAnswer", ({ reason }) =>
              Effect.as(Effect.annotateLogs(Effect.logWarning("a password was accepted without a check for breaches"), { reason }), false),
            ),
          ),
      })
    }),
  )

/** Fails with the reason when the API does not work. */
export const check = (settings: Settings) => Effect.asVoid(rangeOf(settings, "00000"))

/** Lines such as `0018A45C4D1DEF81644B54AB7F969B88D65:3`. */
const line = /^[0-9A-F]{35}:\d+$/i

/** Entries with a count of 0 are padding, which hides the length of the range from a network observer. */
const isListed = (range: ReadonlyArray<string>, rest: string) => {
  const entry = range.find((each) => each.slice(0, rest.length).toLowerCase() === rest.toLowerCase())
  return entry !== undefined && Number(entry.slice(rest.length + 1)) > 0
}

const rangeOf = Effect.fnUntraced(
  function* rangeOf({ url }: Settings, prefix: string) {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    const request = HttpClientRequest.get(`${url.replace(/\/+$/, "")}/range/${prefix.toUpperCase()}`).pipe(
      HttpClientRequest.setHeaders({ "add-padding": "true", "user-agent": "sallyport" }),
    )
    return yield* client.execute(request).pipe(
      Effect.catchTag("HttpClientError", ({ reason }) => new NoAnswer({ reason: reason._tag })),
      Effect.flatMap(linesOf),
      Effect.scoped,
      Effect.timeoutOrElse({ duration: timeout, orElse: () => new NoAnswer({ reason: `no answer after ${timeout}` }) }),
    )
  },
  // A trace would contain the URL, and so a part of the hash.
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
)

const linesOf = Effect.fnUntraced(function* linesOf({ status, stream }: HttpClientResponse.HttpClientResponse) {
  if (status !== 200) return yield* new NoAnswer({ reason: `the answer was ${status}` })
  const text = yield* Stream.mapError(stream, () => new NoAnswer({ reason: "the answer broke off" })).pipe(
    Stream.limitBytes(maxAnswerBytes, () => Stream.fail(new NoAnswer({ reason: "the answer is too long" }))),
    Stream.decodeText,
    Stream.mkString,
  )
  const lines = text.split(/\r?\n/)
  return lines.some((each) => line.test(each)) ? lines : yield* new NoAnswer({ reason: "the answer is not a range of hashes" })
})
