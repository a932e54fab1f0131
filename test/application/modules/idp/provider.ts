import { createHash } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { identityProvider } from "../../../../application/modules/idp/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { Endpoint, Reply } from "../../../../application/service/endpoint.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import { Caller } from "../../../../domain/sessions/caller.ts"
import { rulesOf } from "../../../rule.ts"
import { type browser, core, signedUp as signedUpTo, type WorldServices } from "../../../world.ts"

/** A public client, a confidential client, and a client with the scope `openid` only. */
export const spa = { client_id: "spa", client_secret: "", redirect_uris: ["https://spa.example.com/callback", "http://127.0.0.1/callback"] }
export const web = {
  client_id: "web: the site",
  client_secret: "a secret of 100% + a colon: &=é".replace("é", "e"),
  redirect_uris: ["https://web.example.com/callback?tenant=a%20b"],
}
export const narrow = {
  client_id: "narrow",
  client_secret: "another secret",
  redirect_uris: ["https://narrow.example.com/"],
  scopes: ["openid", "read:all"],
}

export const settingsOf = Schema.decodeUnknownSync(identityProvider.settings)
export const builtWith = (settings: unknown) => identityProvider.build(settingsOf(settings))
export const built = builtWith({ clients: [spa, web, narrow] })
export const { oauth2Authorize, oauth2AuthorizeForm, oauth2Token, oauth2Userinfo, oauth2UserinfoForm } = built.endpoints

export const root = "root@example.com"
export const administrators = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root] }))
export const { adminBanUser, adminRemoveUser } = administrators.endpoints
export const modules = [...core, administrators, built]
export const auth = AuthOf.make(modules)
export const rule = rulesOf(modules)

export const email = "ada@example.com"
export const signedUp = (address = email) => signedUpTo(address, auth)
type Browser = ReturnType<typeof browser>

export const issuer = "http://localhost:3000/api/auth"
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
export const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url")
export const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: "S256" }

/** Authorization requests of the clients. */
export const requests = {
  spa: {
    client_id: "spa",
    redirect_uri: "https://spa.example.com/callback",
    response_type: "code",
    scope: "openid",
    state: "xyz",
    ...pkce,
  },
  web: { client_id: web.client_id, redirect_uri: web.redirect_uris[0]!, response_type: "code", scope: "openid", state: "xyz" },
  narrow: { client_id: "narrow", redirect_uri: narrow.redirect_uris[0]!, response_type: "code", state: "xyz" },
} as const

/** The target of a redirect: the page, and its response parameters. */
export const sentTo = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { body, location } = yield* their.call(oauth2Authorize, input)
  assert.strictEqual(location, body.redirect)
  const url = new URL(body.redirect)
  return { url, received: Object.fromEntries(url.searchParams) as Record<string, string>, reply: body }
})

export const codeFor = Effect.fnUntraced(function* (their: Browser, input: object = requests.spa) {
  const { received } = yield* sentTo(their, input)
  assert.isString(received["code"], JSON.stringify(received))
  return received["code"] ?? ""
})

/** The error in the redirect. */
export const errorFor = (their: Browser, input: object) => Effect.map(sentTo(their, input), ({ received }) => received["error"])

/** A call of a client, with its `Authorization`. */
export const answer = <I, O>(
  endpoint: Endpoint<I, O, any>,
  input: unknown,
  authorization: string | null = null,
  service: AuthOf.Auth<any> = auth,
  headers: { readonly accept?: string; readonly api_key?: string; readonly dpop?: string; readonly client_certificate?: string } = {},
): Effect.Effect<Reply<O>, AuthError, WorldServices> =>
  service.call(endpoint, input).pipe(
    Effect.provideService(Caller, {
      credential: null,
      cookies: {},
      authorization,
      api_key: headers.api_key ?? null,
      accept: headers.accept ?? null,
      dpop: headers.dpop ?? null,
      client_certificate: headers.client_certificate ?? null,
      from_browser: false,
      ip_address: "192.0.2.2",
      user_agent: "their server",
      accept_language: null,
      origin: null,
    }),
  ) as Effect.Effect<Reply<O>, AuthError, WorldServices>

/** The body of an answer. */
export const call = <I, O>(endpoint: Endpoint<I, O, any>, input: unknown, authorization: string | null = null, service = auth) =>
  Effect.map(answer(endpoint, input, authorization, service), ({ body }) => body)

/** Token requests of the clients. */
export const presented = {
  spa: (code: string) => ({
    grant_type: "authorization_code",
    code,
    redirect_uri: requests.spa.redirect_uri,
    client_id: "spa",
    code_verifier: verifier,
  }),
  web: (code: string) => ({
    grant_type: "authorization_code",
    code,
    redirect_uri: requests.web.redirect_uri,
    client_id: web.client_id,
    client_secret: web.client_secret,
  }),
}

export const exchanged = (code: string, changes: object = {}) => call(oauth2Token, { ...presented.spa(code), ...changes })
export const exchangeRefused = (code: string, changes: object = {}) => Effect.map(Effect.flip(exchanged(code, changes)), ({ _tag }) => _tag)

/** The subject of an access token, or the code with which it is refused. */
export const subjectOf = (access_token: string) =>
  Effect.match(call(oauth2Userinfo, {}, `Bearer ${access_token}`), { onSuccess: ({ sub }) => sub, onFailure: ({ _tag }) => _tag })
