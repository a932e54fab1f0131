import { beforeAll, describe, expect, it } from "vitest"
import type { Program } from "./program.ts"
import { install } from "./program.ts"
import type { Upstream } from "./upstream.ts"
import { client, passThrough, startUpstream } from "./upstream.ts"

const at = "http://127.0.0.1"
let upstream: Upstream
let program: Program

beforeAll(async () => {
  upstream = await startUpstream()
  const { issuer } = upstream
  const urls = { authorize_url: `${issuer}/auth`, token_url: `${issuer}/token`, userinfo_url: `${issuer}/me` }
  program = await install((url) => {
    const provider = { ...client, ...urls, redirect_uri: `${url}/api/auth/oauth/callback` }
    const map_user = { account_id: "sub", name: "name" }
    const custom = { ...provider, id: "custom", scopes: ["openid", "profile"], map_user, success_redirect: "/welcome" }
    return { modules: { social: { providers: [{ preset: "idp_one", ...provider, issuer }, custom] } } }
  })
  upstream.open(`http://localhost:${program.port}/api/auth/oauth/callback`)
  program.begin()
  await program.ready()
})

interface Answer {
  readonly status: number
  readonly body: any
  readonly location: string | null
}

/** A browser that calls the service: it keeps cookies and sends the headers of a browser. */
const makeBrowser = () => {
  const cookies = new Map<string, string>()
  const ask = async (path: string, body?: unknown): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const site = path.startsWith("/oauth/callback") ? "cross-site" : "same-origin"
    const headers = { cookie, "content-type": "application/json", "sec-fetch-site": site }
    const response = await fetch(`${at}:${program.port}/api/auth${path}`, { ...init, headers, redirect: "manual" })
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = set.match(/^([^=]+)=([^;]*)/) ?? []
      cookies.set(name, value)
    }
    return { status: response.status, body: await response.json(), location: response.headers.get("location") }
  }
  /** To the provider and back to the callback, which is not called yet. */
  const away = async (path: "/sign-in/social" | "/link-social", login: string | null, provider = "idp_one") => {
    const { body } = await ask(path, { provider })
    return passThrough(upstream.issuer, body.url, login)
  }
  const back = (query: URLSearchParams) => ask(`/oauth/callback?${query}`)
  return { ask, away, back }
}
type Browser = ReturnType<typeof makeBrowser>

const signIn = async (browser: Browser, login: string, provider?: string) =>
  browser.back(await browser.away("/sign-in/social", login, provider))
const waysIn = async (browser: Browser) => {
  const { body } = await browser.ask("/list-accounts")
  return body.accounts.map(({ provider_id, account_id }: any) =>
    provider_id === "credential" ? provider_id : `${provider_id}:${account_id}`,
  )
}
const sessionOf = async (browser: Browser) => (await browser.ask("/get-session")).body

describe("social sign-in with the provider of another library", () => {
  it("signs in, and finds the same user the second time", async () => {
    const first = makeBrowser()
    const { status, body } = await signIn(first, "ada")
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ email: "ada@upstream.example", email_verified: true, name: "The ada" })
    expect((await sessionOf(first)).user).toEqual(body.user)
    expect(await waysIn(first)).toEqual(["idp_one:ada"])

    const second = makeBrowser()
    expect((await signIn(second, "ada")).body).toEqual(body)
    expect((await sessionOf(second)).session.id).not.toBe((await sessionOf(first)).session.id)
  })

  it("redirects to success_redirect with a session, for users without an address, too", async () => {
    const browser = makeBrowser()
    const { status, body, location } = await signIn(browser, "nameless", "custom")
    expect([status, body, location]).toEqual([302, { redirect: "/welcome" }, "/welcome"])
    expect((await sessionOf(browser)).user).toMatchObject({ email: "custom:nameless", email_verified: false, name: null })
  })

  it("does not trust an address that the provider has not verified", async () => {
    const { body } = await signIn(makeBrowser(), "doubtful")
    expect(body.user).toMatchObject({ email: "idp_one:doubtful", email_verified: false, name: "The doubtful" })
  })

  it("links, signs in with what was linked, and unlinks", async () => {
    const browser = makeBrowser()
    const signedUp = await browser.ask("/sign-up/email", { email: "bob@example.com", password: "correct horse battery staple" })
    const linked = await browser.back(await browser.away("/link-social", "bob"))
    expect([linked.status, linked.body]).toEqual([200, { success: true }])
    expect((await waysIn(browser)).toSorted()).toEqual(["credential", "idp_one:bob"])
    expect((await signIn(makeBrowser(), "bob")).body.user.id).toBe(signedUp.body.user.id)

    const other = makeBrowser()
    await signIn(other, "eve")
    const taken = await other.back(await other.away("/link-social", "bob"))
    expect([taken.status, taken.body.error.code]).toEqual([409, "account_linked"])

    expect((await browser.ask("/unlink-account", { provider_id: "idp_one" })).body).toEqual({ success: true })
    expect(await waysIn(browser)).toEqual(["credential"])
    const { body } = await signIn(makeBrowser(), "bob")
    expect(body.user.id).not.toBe(signedUp.body.user.id)
    expect(body.user.email).toBe("bob@upstream.example")
  })

  it("a user who refuses at the provider returns to invalid_request, and the flow has ended", async () => {
    const browser = makeBrowser()
    const query = await browser.away("/sign-in/social", null)
    expect(query.get("error")).toBe("access_denied")
    const refused = await browser.back(query)
    expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_request"])
    expect(refused.body.error.message).toContain("access_denied")
    const again = await browser.back(new URLSearchParams({ state: query.get("state") ?? "", code: "x" }))
    expect([again.status, again.body.error.code]).toEqual([400, "invalid_state"])
    expect((await sessionOf(browser)).user).toBeNull()
  })

  it("refuses a second use of a state or a code, and a code of another flow", async () => {
    const browser = makeBrowser()
    const query = await browser.away("/sign-in/social", "ada")
    expect((await browser.back(query)).status).toBe(200)
    const replayed = await browser.back(query)
    expect([replayed.status, replayed.body.error.code]).toEqual([400, "invalid_state"])

    for (const login of ["ada", "mallory"]) {
      const fresh = await browser.away("/sign-in/social", "ada")
      const stolen = login === "ada" ? query : await makeBrowser().away("/sign-in/social", login)
      fresh.set("code", stolen.get("code") ?? "")
      const answer = await browser.back(fresh)
      expect([answer.status, answer.body.error.code]).toEqual([502, "oauth_token_error"])
    }
  })

  it("an attacker's link to the callback does not sign its reader in", async () => {
    const query = await makeBrowser().away("/sign-in/social", "mallory")
    const answer = await makeBrowser().back(query)
    expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_state"])
  })

  it("a code with the wrong issuer, or without an issuer although the metadata declares it, is refused", async () => {
    for (const iss of ["https://evil.example", null]) {
      const browser = makeBrowser()
      const query = await browser.away("/sign-in/social", "ada")
      expect(query.get("iss")).toBe(upstream.issuer)
      if (iss === null) query.delete("iss")
      else query.set("iss", iss)
      const answer = await browser.back(query)
      expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_state"])
    }
  })

  it("the provider requires the PKCE challenge", async () => {
    const { body } = await makeBrowser().ask("/sign-in/social", { provider: "idp_one" })
    const url = new URL(body.url)
    expect(url.searchParams.get("code_challenge_method")).toBe("S256")
    url.searchParams.delete("code_challenge")
    url.searchParams.delete("code_challenge_method")
    expect((await passThrough(upstream.issuer, url.href, "ada")).get("error")).toBe("invalid_request")
  })

  it("the log has the provider's error code, and no secret", () => {
    expect(program.logs()).toContain("invalid_grant")
    expect(program.logs()).not.toContain(client.client_secret)
    expect(program.logs()).not.toContain("upstream.example")
  })
})
