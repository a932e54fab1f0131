import { createHash, randomUUID } from "node:crypto"
import { Effect, Schema, type Scope } from "effect"
import type { HttpClientRequest } from "effect/http"
import { HttpClient, HttpClientResponse } from "effect/http"
import { social } from "../../../../application/modules/social/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Module from "../../../../application/service/module.ts"
import { define } from "../../../../domain/errors.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, endpoints, password, type WorldServices } from "../../../world.ts"

export const callback = "http://localhost:3000/api/auth/oauth/callback"

/** The provider's settings in a configuration file. */
export const configured = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  client_id: "our client",
  client_secret: "hunter2&=",
  redirect_uri: callback,
  authorize_url: `https://${id}.example/authorize`,
  token_url: `https://${id}.example/token`,
  userinfo_url: `https://${id}.example/userinfo`,
  scopes: ["profile", "mail"],
  map_user: { account_id: "uid", email: "mail", email_verified: "confirmed", name: ["nick", "login"] },
  ...more,
})

const preset = (name: string) => {
  const { id, scopes, map_user, ...rest } = configured(name)
  return { preset: name, ...rest }
}

const providers = [
  configured("acme"),
  preset("idp_one"),
  preset("idp_two"),
  configured("mapped", {
    map_user: ({ person }: any) => ({ account_id: person.number, email: person.address, name: person.names.join(" ") }),
  }),
]

export const settingsOf = Schema.decodeUnknownSync(social.settings)

const Closed = define("closed", 403, "Closed.")
/** A gate that refuses users with the name Mallory. */
const gate = Module.define({
  name: "gate",
  settings: Module.NoSettings,
  parts: () => ({ gates: [({ name }) => (name === "Mallory" ? Effect.fail(new Closed()) : Effect.void)], gateErrors: [Closed] }),
}).build({})

/** The service with these settings of the module. */
export const including = (settings: Record<string, unknown> = {}) => {
  const built = social.build(settingsOf({ providers, ...settings }))
  const modules = [...core, built, gate]
  return { ...endpoints, ...built.endpoints, modules, auth: AuthOf.make(modules) }
}
export const service = including()

export interface ProviderRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly form: URLSearchParams
}
type Answering = (request: ProviderRequest) => Effect.Effect<Response>
type Profile = Readonly<Record<string, unknown>>

/** A simulated provider. It accepts each code once, with its verifier and the client's secret. */
export const makeProvider = () => {
  const codes = new Map<string, { readonly challenge: string | null; readonly profile: Profile }>()
  const tokens = new Map<string, Profile>()
  const requests: Array<ProviderRequest> = []

  const token = ({ form }: ProviderRequest) => {
    const code = form.get("code") ?? ""
    const grant = codes.get(code)
    codes.delete(code)
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    const isRight =
      form.get("grant_type") === "authorization_code" &&
      form.get("client_id") === "our client" &&
      form.get("client_secret") === "hunter2&=" &&
      form.get("redirect_uri") === callback
    if (!isRight || grant?.challenge !== challenge) return Response.json({ error: "invalid_grant" }, { status: 400 })
    const access_token = randomUUID()
    tokens.set(access_token, grant.profile)
    return Response.json({ access_token, token_type: "Bearer" })
  }
  const userinfo = ({ headers }: ProviderRequest) => {
    const profile = tokens.get(headers["authorization"]?.replace(/^Bearer /, "") ?? "")
    return profile === undefined ? new Response("", { status: 401 }) : Response.json(profile)
  }

  /** The provider's responses; tests replace them. */
  const answers: Record<"token" | "userinfo" | "metadata", Answering> = {
    token: (request) => Effect.sync(() => token(request)),
    userinfo: (request) => Effect.sync(() => userinfo(request)),
    metadata: () => Effect.sync(() => new Response("", { status: 404 })),
  }
  const client = HttpClient.make((request, url) => {
    const call = requestOf(request, url)
    requests.push(call)
    return Effect.map(answers[kindOf(url)](call), (answer) => HttpClientResponse.fromWeb(request, answer))
  })

  /** Signs in on the provider's page: the parameters of the callback. */
  const visit = (page: string, profile: Profile) => {
    const { searchParams } = new URL(page)
    const code = randomUUID()
    codes.set(code, { challenge: searchParams.get("code_challenge"), profile })
    return { code, state: searchParams.get("state") ?? "" }
  }
  return { requests, answers, client, visit }
}
export type Provider = ReturnType<typeof makeProvider>

const kindOf = ({ pathname }: URL) => {
  if (pathname.endsWith("/.well-known/openid-configuration")) return "metadata"
  return pathname === "/token" ? "token" : "userinfo"
}

export const requestOf = ({ method, headers, body }: HttpClientRequest.HttpClientRequest, url: URL): ProviderRequest => ({
  method,
  url: url.href,
  headers: { ...headers },
  form: new URLSearchParams(body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""),
})

/** A rule that runs with a simulated provider. */
export const rule = (
  name: string,
  shown: (provider: Provider) => Generator<Effect.Effect<any, any, WorldServices | Scope.Scope>, unknown, never>,
  settings: Record<string, unknown> = {},
) =>
  rulesOf(service.modules)(
    name,
    function* () {
      const provider = makeProvider()
      return yield* Effect.gen(() => shown(provider)).pipe(Effect.provideService(HttpClient.HttpClient, provider.client))
    },
    settings,
  )

export const guest = () => browser()
export type Guest = ReturnType<typeof guest>

/** A new user with a password. */
export const signedUp = Effect.fnUntraced(function* (email: string) {
  const their = guest()
  const { user } = yield* their.body(endpoints.signUpEmail, { email, password })
  return { ...their, user }
})

/** Starts a flow and visits the provider's page; returns the callback's parameters. */
export const began = Effect.fnUntraced(function* (their: Guest, provider: Provider, profile: Profile, id = "acme") {
  const { url } = yield* their.body(service.signInSocial, { provider: id })
  return provider.visit(url, profile)
})

export const beganLink = Effect.fnUntraced(function* (their: Guest, provider: Provider, profile: Profile, id = "acme") {
  const { url } = yield* their.body(service.linkSocial, { provider: id })
  return provider.visit(url, profile)
})

/** Signs in with a profile of the provider. */
export const signedIn = Effect.fnUntraced(function* (provider: Provider, profile: Profile, id = "acme", at?: Guest) {
  const their = at ?? guest()
  const back = yield* began(their, provider, profile, id)
  const { session } = yield* their.call(service.oauthCallback, back)
  if (typeof session === "string") return yield* Effect.die(session)
  return { ...their, user: session.user }
})

/** Links the provider's account to the user. */
export const linked = Effect.fnUntraced(function* (their: Guest, provider: Provider, profile: Profile, id = "acme") {
  return yield* their.body(service.oauthCallback, yield* beganLink(their, provider, profile, id))
})

/** The user's linked accounts, as `provider:account`. */
export const waysIn = (their: Guest) =>
  Effect.map(their.body(endpoints.listAccounts), ({ accounts }) =>
    accounts.map(({ provider_id, account_id }) => (provider_id === "credential" ? provider_id : `${provider_id}:${account_id}`)),
  )
