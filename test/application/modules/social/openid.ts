import { randomUUID } from "node:crypto"
import { Effect, type Scope } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import * as Jose from "jose"
import { rulesOf } from "../../../rule.ts"
import { browser, type WorldServices } from "../../../world.ts"
import { callback, including, type ProviderRequest, requestOf } from "./provider.ts"

// A simulated OpenID provider: metadata, keys, tokens and userinfo, each of which a test can replace.

export const issuer = "https://op.example"

/** The provider's settings in a configuration file: the issuer alone. */
export const discovered = (more: Record<string, unknown> = {}) => ({
  id: "op",
  issuer,
  client_id: "our client",
  client_secret: "hunter2&= and thirty-two bytes long",
  redirect_uri: callback,
  ...more,
})

type Json = Record<string, unknown>

export const newKey = async (kid: string | undefined, alg = "RS256") => {
  const { publicKey, privateKey } = await Jose.generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await Jose.exportJWK(publicKey)), alg, use: "sig", ...(kid === undefined ? {} : { kid }) }
  return { alg, kid, jwk, privateKey }
}
export type Key = Awaited<ReturnType<typeof newKey>>

const first = await newKey("first")

export const makeOpenId = () => {
  const requests: Array<ProviderRequest> = []
  /** What a test replaces. */
  const op = {
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
    } as Json,
    keys: [first.jwk] as ReadonlyArray<Json>,
    key: first,
    /** Changes to the claims of the ID token. */
    claims: (claims: Json): Json => claims,
    /** Signs the ID token. */
    sign: (claims: Json, { alg, kid, privateKey }: Key): Promise<string> =>
      new Jose.SignJWT(claims).setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) }).sign(privateKey),
    token: (answer: Json): Json | Promise<Json> => answer,
    userinfo: { sub: "ada" } as Json,
  }
  const codes = new Map<string, { readonly nonce: string | null }>()

  const token = async ({ form }: ProviderRequest) => {
    const { nonce } = codes.get(form.get("code") ?? "") ?? { nonce: null }
    const claims = op.claims({ iss: issuer, sub: "ada", aud: "our client", exp: 600, iat: 0, nonce })
    const id_token = await op.sign(claims, op.key)
    return Response.json(await op.token({ access_token: randomUUID(), token_type: "Bearer", id_token }))
  }
  const answer = async (call: ProviderRequest) => {
    const { pathname } = new URL(call.url)
    if (pathname.endsWith("/.well-known/openid-configuration")) return Response.json(op.metadata)
    if (pathname === "/jwks") return Response.json({ keys: op.keys })
    return pathname === "/token" ? token(call) : Response.json(op.userinfo)
  }
  const client = HttpClient.make((request, url) => {
    const call = requestOf(request, url)
    requests.push(call)
    return Effect.map(
      Effect.promise(() => answer(call)),
      (response) => HttpClientResponse.fromWeb(request, response),
    )
  })
  const visit = (page: string) => {
    const { searchParams } = new URL(page)
    const code = randomUUID()
    codes.set(code, { nonce: searchParams.get("nonce") })
    return { code, state: searchParams.get("state") ?? "" }
  }
  /** The paths that were requested so far. */
  const paths = () => requests.map(({ url }) => new URL(url).pathname)
  return { op, requests, client, visit, paths }
}

/** A simulated provider, and a service that has read nothing of it yet. */
export const begin = (settings: Json = {}) => ({ ...makeOpenId(), ...including({ providers: [discovered(settings)] }) })
export type World = ReturnType<typeof begin>

export const rule = (
  name: string,
  shown: (world: World) => Generator<Effect.Effect<any, any, WorldServices | Scope.Scope>, unknown, never>,
  settings: Json = {},
) => {
  const world = begin(settings)
  rulesOf(world.modules)(name, function* () {
    yield* Effect.gen(() => shown(world)).pipe(Effect.provideService(HttpClient.HttpClient, world.client))
  })
}

/** The result of a sign-in: a code, or `ok`. */
export const outcome = Effect.fnUntraced(function* ({ visit, auth, signInSocial, oauthCallback }: World, more: Json = {}) {
  const their = browser(auth)
  const signIn = Effect.gen(function* () {
    const { url } = yield* their.body(signInSocial, { provider: "op" })
    return yield* their.call(oauthCallback, { ...visit(url), ...more })
  })
  return yield* Effect.match(signIn, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
})
