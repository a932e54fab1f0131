import { Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"
import { InvalidNonce, InvalidToken, notAdmitted } from "../../../domain/errors.ts"
import { Store } from "../../../domain/ports/store.ts"
import { hashTable, singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { Name, User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"
import type { Directory } from "./code-exchange.ts"
import { OauthTokenError, UnknownProvider } from "./errors.ts"
import { claimsOf, maxIdTokenLength } from "./id-token.ts"
import { profileIn } from "./profile-request.ts"
import type { Provider } from "./provider-settings.ts"
import type { SocialSettings } from "./settings.ts"
import { signIn } from "./sign-in.ts"

// Sign-in with an ID token that an app got from the provider, such as by Google One Tap or Sign in with Apple on iOS.

/** Lifetime of a nonce, seconds. */
const lifetime = 600

/** Nonces that were issued and not yet used. */
export const IdTokenNonces = hashTable("id_token_nonce")

const nonces = singleUseToken(IdTokenNonces, { kind: "id-token-nonce" })

/** Whether any provider accepts ID tokens of apps. */
export const acceptsIdTokens = ({ providers }: SocialSettings): boolean => providers.some(({ app_client_ids }) => app_client_ids.length > 0)

export const signInIdTokenNonce = Endpoint.make({
  method: "POST",
  path: "/sign-in/id-token/nonce",
  summary: "Issues a nonce for an ID token that an app requests from a provider.",
  access: "public",
  output: Schema.Struct({ nonce: Schema.String, expires_in: Schema.Int }),
  handler: Effect.fnUntraced(function* socialSignInIdTokenNonce() {
    const { token, write } = yield* nonces.issue({}, lifetime)
    yield* Effect.orDie((yield* Store).commit([write]))
    return Endpoint.reply({ nonce: token, expires_in: lifetime })
  }),
})

const Input = Schema.Struct({
  provider: Schema.String,
  id_token: Schema.String.check(Schema.isMaxLength(maxIdTokenLength)),
  nonce: Schema.String,
  name: Schema.optionalKey(Name).pipe(
    Schema.annotateKey({ description: "The name that the provider returned to the app outside of the token, as Apple does." }),
  ),
})

export const signInIdToken = (settings: SocialSettings, directory: Directory) =>
  Endpoint.make({
    method: "POST",
    path: "/sign-in/id-token",
    summary: "Signs in with an ID token that an app got from a provider, and signs up new users.",
    access: "public",
    signsIn: "federated",
    input: Input,
    output: Schema.Struct({ user: User }),
    errors: [UnknownProvider, InvalidNonce, InvalidToken, OauthTokenError, ...notAdmitted],
    handler: Effect.fnUntraced(function* socialSignInIdToken({ provider: id, id_token, nonce, name }) {
      const provider = settings.providers.find((each) => each.id === id && each.app_client_ids.length > 0)
      if (provider === undefined) return yield* new UnknownProvider()
      // The nonce is consumed even if the token is refused: a refused token cannot be used again.
      if (Option.isNone(yield* nonces.take(nonce))) return yield* new InvalidNonce()
      const claims = yield* validClaims(directory, provider, id_token, nonce)
      const profile = yield* Effect.mapError(profileIn({ ...named(name), ...claims }, provider), () => new InvalidToken())
      const issued = yield* signIn({ provider_id: provider.id, account_id: profile.account_id }, profile, provider.trust_email)
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

const named = (name: string | null | undefined) => (name === undefined || name === null ? {} : { name })

/** The claims of the token. Apps may pass the SHA-256 of the nonce to the provider; the claim is then this hash. */
const validClaims = Effect.fnUntraced(function* validClaims(directory: Directory, provider: Provider, token: string, nonce: string) {
  const { jwks_url } = yield* directory.metadata.endpointsOf(provider)
  if (jwks_url === null) return yield* new UnknownProvider()
  const hash = yield* Effect.orDie((yield* Digest.Digest).digest(Digest.sha256, new TextEncoder().encode(nonce)))
  const expected = {
    clients: provider.app_client_ids,
    // Apps do not have the secret of a client, so no token of an app is signed with it.
    algorithms: provider.id_token_algorithms.filter((algorithm) => algorithm !== "HS256"),
    nonces: [nonce, Hex.encode(hash)],
  }
  return yield* claimsOf(directory.keySets, provider, jwks_url, token, expected).pipe(
    Effect.catchTag("Unusable", () => Effect.fail(new InvalidToken())),
  )
})
