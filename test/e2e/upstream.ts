import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import Provider from "oidc-provider"
import { atEnd } from "./endings.ts"

/** The client credentials of our service at the upstream provider. */
export const client = { client_id: "sallyport", client_secret: "a secret between the two of them" }

/** An OpenID provider by another library, with one client, which has to use PKCE. Every user name can sign in; `nameless` has no address. */
export const startUpstream = async () => {
  let serve: RequestListener = (_, response) => response.end()
  const server = createServer((request, response) => serve(request, response)).listen(0, "127.0.0.1")
  await once(server, "listening")
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = (redirect_uri: string) => {
    const provider = new Provider(issuer, {
      clients: [{ ...client, redirect_uris: [redirect_uri], token_endpoint_auth_method: "client_secret_post" }],
      pkce: { required: () => true },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      cookies: { keys: ["the upstream's own"] },
      findAccount: (_, id) => ({ accountId: id, claims: () => claimsOf(id) }),
    })
    serve = provider.callback()
  }
  return { issuer, open }
}
export type Upstream = Awaited<ReturnType<typeof startUpstream>>

const claimsOf = (sub: string) =>
  sub === "nameless" ? { sub } : { sub, email: `${sub}@upstream.example`, email_verified: sub !== "doubtful", name: `The ${sub}` }

/** A browser that calls a provider. It follows redirects until one leads to another origin. */
const makeTraveller = (issuer: string) => {
  const cookies = new Map<string, string>()
  const go = async (url: string, form?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const init = form === undefined ? {} : { method: "POST", body: form }
    const response = await fetch(url, { ...init, headers: { cookie }, redirect: "manual" })
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = set.match(/^([^=]+)=([^;]*)/) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const readWithReferenced = async (response: Response): Promise<Response> => {
    const location = response.headers.get("location")
    if (location === null) return response
    const next = new URL(location, issuer)
    return next.origin === issuer ? readWithReferenced(await go(next.href)) : response
  }
  return { visit: async (url: string, form?: URLSearchParams) => readWithReferenced(await go(url, form)) }
}

/** Signs in on the provider's pages, or cancels if `login` is null. Returns the query with which the provider redirects the browser back. */
export const passThrough = async (issuer: string, url: string, login: string | null): Promise<URLSearchParams> => {
  const traveller = makeTraveller(issuer)
  let response = await traveller.visit(url)
  for (let pages = 0; response.status === 200 && pages < 3; pages++) {
    const page = await response.text()
    const action = page.match(/<form[^>]* action="([^"]+)"/)?.[1] ?? ""
    const prompt = page.match(/name="prompt" value="(\w+)"/)?.[1] ?? ""
    response =
      login === null
        ? await traveller.visit(`${action}/abort`)
        : await traveller.visit(action, new URLSearchParams({ prompt, login, password: "any" }))
  }
  return new URL(response.headers.get("location") ?? "", issuer).searchParams
}
