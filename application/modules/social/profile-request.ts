import { Effect, Option, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { OauthUserinfoError } from "./errors.ts"
import { mergedProfile } from "./id-token.ts"
import type { Endpoints } from "./metadata.ts"
import { quirksOf } from "./presets.ts"
import { profileOf } from "./profile.ts"
import type { Provider } from "./provider-settings.ts"
import { type Answer, answer, listAnswer, reported, Unusable } from "./requests.ts"
import type { Tokens } from "./token-request.ts"

/**
 * The profile of the user. `claims` are those of the ID token, or none; `sent` is the data that the provider sent with the code. A profile
 * with another `sub` than the ID token is refused (OpenID Connect Core section 5.3.2).
 */
export const profileFrom = Effect.fnUntraced(function* profileFrom(
  provider: Provider,
  endpoints: Endpoints,
  tokens: Tokens,
  claims: Option.Option<Answer>,
  sent: Answer,
  timeout: number,
) {
  return yield* rawProfile(provider, endpoints, tokens, timeout).pipe(
    Effect.flatMap((userinfo) => {
      if (Option.isNone(claims)) return Effect.succeed(userinfo)
      const isOther = endpoints.userinfo_url !== null && userinfo["sub"] !== claims.value["sub"]
      return isOther
        ? Effect.fail(new Unusable({ reason: "the profile is not that of the ID token's user" }))
        : Effect.succeed(mergedProfile(claims.value, { ...sent, ...userinfo }))
    }),
    Effect.flatMap((raw) => profileIn(raw, provider)),
    reported(provider.id, "userinfo_url"),
    Effect.mapError(() => new OauthUserinfoError()),
  )
})

/** The profile in this document. */
export const profileIn = (raw: Answer, { map_user, preset }: Provider) => {
  const { verified_values } = quirksOf(preset)
  return Effect.try({ try: () => profileOf(raw, map_user, verified_values), catch: () => new Unusable({ reason: "map_user threw" }) }).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.fail(new Unusable({ reason: "there is no account_id in the profile" })),
        onSome: Effect.succeed,
      }),
    ),
  )
}

const rawProfile = Effect.fnUntraced(function* rawProfile(
  provider: Provider,
  { userinfo_url }: Endpoints,
  tokens: Tokens,
  timeout: number,
) {
  const { addresses, profile_in_token_answer } = quirksOf(provider.preset)
  if (userinfo_url === null) return profile_in_token_answer ? tokens.answer : {}
  const userinfo = yield* Effect.retry(answer(requestOf(provider, userinfo_url, tokens), timeout), { times: 1 })
  if (addresses === undefined) return userinfo
  return { ...userinfo, ...(yield* primaryAddress(addresses, tokens, timeout)) }
})

const requestOf = ({ preset, userinfo_request }: Provider, url: string, { access_token, answer }: Tokens) => {
  const { userinfo_query } = quirksOf(preset)
  if (userinfo_query !== undefined) {
    const parameters = Object.fromEntries(userinfo_query.map((member) => [member, String(answer[member])]))
    return HttpClientRequest.get(url).pipe(HttpClientRequest.setUrlParams(parameters))
  }
  if (userinfo_request === "form")
    return HttpClientRequest.post(url).pipe(HttpClientRequest.bodyUrlParams({ access_token: Redacted.value(access_token) }))
  const request = userinfo_request === "post" ? HttpClientRequest.post(url) : HttpClientRequest.get(url)
  return HttpClientRequest.bearerToken(request, access_token)
}

type Addresses = NonNullable<ReturnType<typeof quirksOf>["addresses"]>

/**
 * The user's primary address and whether it is verified. The address in the profile is not used: it is the public address, which may
 * differ from the primary one.
 */
const primaryAddress = Effect.fnUntraced(function* primaryAddress(addresses: Addresses, { access_token }: Tokens, timeout: number) {
  const { url, list, primary, verified } = addresses
  const request = HttpClientRequest.get(url).pipe(HttpClientRequest.bearerToken(access_token))
  const listed = list === undefined ? listAnswer(request, timeout) : Effect.map(answer(request, timeout), (found) => found[list])
  const all = yield* Effect.retry(listed, { times: 1 })
  const main: Answer | undefined = Array.isArray(all) ? all.find((each) => Object(each)[primary] === true) : undefined
  return { email: main?.["email"], email_verified: main?.[verified] === true }
})
