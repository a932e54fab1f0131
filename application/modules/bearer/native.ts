import { Effect, Schema } from "effect"
import { InvalidToken } from "../../../domain/errors.ts"
import { Conflict, check, orFail, removeVersioned, retryOnConflict, Store, Taken, type Write } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { handOff } from "../../../domain/sign-in/issuing.ts"
import { readLive } from "../../../domain/storage/live.ts"
import { challengeOf, isVerifier } from "../../../domain/tokens/pkce.ts"
import { consumeProof } from "../../../domain/tokens/single-use.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { User } from "../../../domain/users/user.ts"
import { destinationOf, isSameRedirectUri, redirection } from "../../../domain/values/redirect-uri.ts"
import * as Endpoint from "../../service/endpoint.ts"

// The sign-in of an app through the system's browser (RFC 8252): the page of the browser's session gives the app a code.

const NativeCode = Schema.Struct({
  hash: Schema.String,
  session_id: Schema.String,
  /** The hash of the session's token at that moment. */
  session_token_hash: Schema.String,
  /** The S256 challenge of the app's verifier. */
  challenge: Schema.String,
  expires_at: Schema.DateTimeUtc,
})

/** Codes that no app has exchanged yet. They are removed with the session that made them. */
export const NativeCodes = Table.make("native_code", NativeCode, {
  key: "hash",
  references: { session_id: Sessions },
  expires: "expires_at",
  data: { secret: ["hash", "session_token_hash", "challenge"], other: ["session_id", "expires_at"] },
})

const codes = singleUseToken(NativeCodes, { kind: "native-code" })

/** Seconds in which an app exchanges its code. */
const lifetime = 60

/** What an app requests; decoded only if a code may be sent there. */
const requestOf = (redirects: ReadonlyArray<string>) => {
  const isListed = (uri: string) => redirects.some((listed) => isSameRedirectUri(listed, uri))
  return Schema.Struct({
    redirect_uri: Schema.String.check(Schema.makeFilter(isListed, { expected: "a redirect URI of modules.bearer.redirects" })),
    state: Schema.String.check(Schema.isPattern(/^[\x20-\x7e]{1,512}$/, { expected: "1 to 512 characters of ASCII" })).pipe(
      Schema.optionalKey,
    ),
    code_challenge: Schema.String.check(Schema.isPattern(/^[\w-]{43}$/, { expected: "the SHA-256 hash of the verifier, base64url" })),
    code_challenge_method: Schema.Literal("S256"),
  })
}

const request = (redirects: ReadonlyArray<string>) =>
  Endpoint.make({
    method: "GET",
    path: "/native/request",
    summary: "Checks the request of an app, for the page on which the user continues.",
    access: "public",
    input: requestOf(redirects),
    output: Schema.Struct({
      /** The host of the app's redirect URI, or its scheme. */
      destination: Schema.String,
    }),
    handler: ({ redirect_uri }) => Effect.succeed(Endpoint.reply({ destination: destinationOf(redirect_uri) })),
  })

const issueCode = (redirects: ReadonlyArray<string>) =>
  Endpoint.make({
    method: "POST",
    path: "/native/code",
    summary: "Issues a code that signs the user in to an app, once. The browser then goes to `redirect`.",
    access: "session",
    input: requestOf(redirects),
    output: Endpoint.Redirect,
    handler: Effect.fnUntraced(function* nativeCode({ redirect_uri, state, code_challenge }) {
      const { session } = yield* rereadSession
      const { id, token_hash } = session.row
      const { token, write } = yield* codes.issue({ session_id: id, session_token_hash: token_hash, challenge: code_challenge }, lifetime)
      yield* (yield* Store).commit([check(Sessions, session), write])
      return Endpoint.reply({ redirect: redirection(redirect_uri, { code: token, state }) })
    }, retryOnConflict),
  })

const exchange = Endpoint.make({
  method: "POST",
  path: "/native/exchange",
  summary: "Exchanges the code of an app: starts a new session of the same user, with the sign-in time of the browser's session.",
  access: "public",
  signsIn: "session",
  input: Schema.Struct({ code: Schema.String, code_verifier: Schema.String }),
  output: Schema.Struct({ user: User }),
  invalid: InvalidToken,
  handler: Effect.fnUntraced(function* nativeExchange({ code, code_verifier }) {
    const hash = yield* codes.hashOf(code)
    const challenge = yield* challengeOf(code_verifier)
    const redemption = Effect.gen(function* () {
      const pending = yield* orFail(readLive(NativeCodes, { hash }), () => new InvalidToken())
      const isProven = isVerifier(code_verifier) && pending.row.challenge === challenge
      const opened = (removal: Write) => (isProven ? handOff(pending.row, [removal]) : Effect.fail(new InvalidToken()))
      // A failed exchange consumes the code too: one of two callers may have stolen it.
      return yield* consumeProof(removeVersioned(NativeCodes, pending), new InvalidToken(), (removal) =>
        Effect.mapError(Effect.asSome(opened(removal)), (error) =>
          error instanceof Conflict || error instanceof Taken ? error : new InvalidToken(),
        ),
      )
    })
    const issued = yield* retryOnConflict(redemption)
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})

/** The endpoints for apps with these redirect URIs. */
export const nativeEndpoints = (redirects: ReadonlyArray<string>) => [request(redirects), issueCode(redirects), exchange] as const
