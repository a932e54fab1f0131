import { Effect, Schema } from "effect"
import { identityProvider } from "../../../../application/modules/idp/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { PublicFetch } from "../../../../domain/ports/public-fetch.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, signedUp as signedUpTo } from "../../../world.ts"
import { keyServer, responding } from "./client-keys.ts"
import { administrators, call, pkce, verifier } from "./provider.ts"

/** The document of an agent that runs on the user's machine. */
export const documentUrl = "https://agent.example.com/oauth/client-metadata"
export const document = {
  client_id: documentUrl,
  client_name: "The Agent",
  redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback", "https://agent.example.com/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
}

export const files = {
  resource: "https://files.example.com/mcp",
  name: "Files",
  aliases: ["https://files.example.com/mcp/"],
  scopes: ["files:read", "files:write"],
}
export const mail = { resource: "https://mail.example.com", name: "Mail", scopes: ["mail:read"] }

/** A service that accepts agents, and its pages. */
export const agentService = (settings: object = { metadata_clients: { allow: ["any"] } }) => {
  const module = identityProvider.build(Schema.decodeUnknownSync(identityProvider.settings)({ resources: [files, mail], ...settings }))
  const modules = [...core, administrators, module]
  const auth = AuthOf.make(modules)
  const ruleOf = rulesOf(modules)
  const rule = (name: string, shown: Parameters<typeof ruleOf>[1], further: object = {}) => ruleOf(name, shown, { links, ...further })
  return { module, auth, rule, signedUp: (address = "ada@example.com") => signedUpTo(address, auth), visitor: () => browser(auth) }
}
export type AgentService = ReturnType<typeof agentService>

const links = {
  sign_in: "https://app.example.com/login?to={return_to}",
  consent: "https://app.example.com/consent?request_uri={request_uri}",
}

/** The header fields of a document's server. */
export const json = (content: unknown, headers: Record<string, string> = {}) => ({
  ...responding(200, typeof content === "string" ? content : JSON.stringify(content)),
  headers: { "content-type": "application/json", ...headers },
})

/** A server that answers with the document, and counts the requests. */
export const documentServer = (content: unknown = document) => {
  const { server, client } = keyServer()
  server.answer = () => json(content)
  return { server, served: Effect.provideService(PublicFetch, client) }
}

export const request = {
  client_id: documentUrl,
  redirect_uri: "http://localhost:51234/callback",
  response_type: "code",
  resource: files.resource,
  scope: "files:read",
  state: "xyz",
  ...pkce,
}

type Browser = ReturnType<AgentService["visitor"]>

/** Where the browser is sent, with the parameters. */
export const sent = Effect.fnUntraced(function* ({ module }: AgentService, their: Browser, input: object) {
  const { redirect } = yield* their.body(module.endpoints.oauth2Authorize, input)
  const url = new URL(redirect)
  return { at: `${url.origin}${url.pathname}`, query: Object.fromEntries(url.searchParams) as Record<string, string> }
})

/** The request of the page to which the browser is sent. */
export const asked = Effect.fnUntraced(function* (service: AgentService, their: Browser, input: object = request) {
  const { at, query } = yield* sent(service, their, input)
  return { at, request_uri: query["request_uri"] ?? "", query }
})

/** The code that an agent gets once the user has allowed its request. */
export const allowed = Effect.fnUntraced(function* (service: AgentService, their: Browser, input: object = request) {
  const { request_uri, query } = yield* asked(service, their, input)
  if (request_uri === "") return yield* Effect.die(new Error(JSON.stringify(query)))
  const { redirect } = yield* their.body(service.module.endpoints.oauth2ConsentAllow, { request_uri })
  const back = Object.fromEntries(new URL(redirect, "http://localhost:3000").searchParams)
  const answer = yield* sent(service, their, back)
  return answer.query["code"] ?? (yield* Effect.die(new Error(JSON.stringify(answer))))
})

/** A token request of an agent. */
export const tokens = ({ module, auth }: AgentService, input: object) => call(module.endpoints.oauth2Token, input, null, auth)

/** The exchange of a code. */
export const exchange = (code: string, { client_id, redirect_uri }: Pick<typeof request, "client_id" | "redirect_uri"> = request) => ({
  grant_type: "authorization_code",
  code,
  client_id,
  redirect_uri,
  code_verifier: verifier,
})

/** The code of the error with which something is refused. */
export const refusal = <A, R>(effect: Effect.Effect<A, { readonly _tag: string }, R>) => Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
