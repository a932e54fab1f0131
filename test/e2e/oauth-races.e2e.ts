import { createHash } from "node:crypto"
import { createRemoteJWKSet, jwtVerify } from "jose"
import { beforeAll, describe, expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { install, type Program } from "./program.ts"
import { pause, until } from "./waiting.ts"

const callback = "https://app.example.com/callback"
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
const scopes = ["openid", "email", "offline_access"]
const app = { client_id: "app", client_secret: "", redirect_uris: [callback], scopes, refresh_tokens: true }
const careful = { ...app, client_id: "careful", consent: true }
const tv = { client_id: "tv", client_secret: "", grant_types: [deviceGrant], scopes, refresh_tokens: true }

/** Two processes of one issuer, on one database. */
let both: readonly [Program, Program]
let issuer: string
/** The session cookie of the user's browser, an administrator. */
let cookie: string

beforeAll(async () => {
  const store = await freshStore()
  const links = { consent: "https://accounts.example.com/consent?request_uri={request_uri}" }
  const modules = { admin: {}, bearer: { redirects: [callback] }, idp: { clients: [app, careful, tv], open_registration: {} } }
  const first = await install((url) => {
    issuer = url
    return { store, links, modules }
  })
  const second = await install({ store, links, modules, public_url: issuer })
  both = [first, second]
  for (const program of both) program.begin()
  await Promise.all(both.map((program) => program.ready()))

  const user = { email: "ada@example.com", password: "correct horse battery staple" }
  await first.call("/sign-up/email", user)
  await first.command("user", "make-admin", user.email)
  cookie = (await second.call("/sign-in/email", user)).cookie ?? ""
})

interface Tokens {
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
  readonly error?: string
}

interface Reply<Body> {
  readonly status: number
  readonly body: Body
}

const url = ({ port }: Program, path: string) => `http://127.0.0.1:${port}/api/auth${path}`

const post = async <Body = Tokens>(program: Program, path: string, parameters: Record<string, string>): Promise<Reply<Body>> => {
  const response = await fetch(url(program, path), { method: "POST", body: new URLSearchParams(parameters) })
  return { status: response.status, body: (await response.json()) as Body }
}

/** Starts calls at the same time, alternately at the two processes. */
const atOnce = <A>(count: number, call: (program: Program, index: number) => Promise<A>) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(both[index % 2]!, index)))

/** Opens the authorization endpoint in the browser; returns the URL of the redirect. */
const authorized = async (program: Program, client_id: string, more: Record<string, string> = {}) => {
  const code_challenge = createHash("sha256").update(verifier).digest("base64url")
  const fixed = { client_id, redirect_uri: callback, response_type: "code", scope: "openid offline_access", state: "s" }
  const query = new URLSearchParams({ ...fixed, code_challenge, code_challenge_method: "S256", ...more })
  const response = await fetch(url(program, `/oauth2/authorize?${query}`), { redirect: "manual", headers: { cookie } })
  return new URL(response.headers.get("location") ?? "")
}
const codeOf = (to: URL) => to.searchParams.get("code") ?? expect.fail(to.href)

const exchange = (program: Program, client_id: string, code: string) =>
  post(program, "/oauth2/token", { grant_type: "authorization_code", client_id, code, redirect_uri: callback, code_verifier: verifier })
const refresh = (program: Program, client_id: string, refresh_token = "") =>
  post(program, "/oauth2/token", { grant_type: "refresh_token", client_id, refresh_token })

const isLive = async (access_token = "") => {
  const response = await fetch(url(both[0], "/oauth2/userinfo"), { headers: { authorization: `Bearer ${access_token}` } })
  return response.status === 200
}

const started = async (client_id = "app") => (await exchange(both[0], client_id, codeOf(await authorized(both[1], client_id)))).body

/** Allows the request of a client that needs a consent; returns a code. */
const consented = async (program: Program, client_id = "careful") => {
  const page = await authorized(program, client_id, { prompt: "consent" })
  const request_uri = page.searchParams.get("request_uri") ?? expect.fail(page.href)
  await program.call("/oauth2/consent/allow", { request_uri }, { cookie })
  return codeOf(await authorized(program, client_id, { request_uri }))
}
/** Registers an agent without a token; returns its id. */
const registered = async (program: Program, client_name: string) => {
  const metadata = { client_name, redirect_uris: [callback], grant_types: ["authorization_code", "refresh_token"] }
  const headers = { "content-type": "application/json" }
  const response = await fetch(url(program, "/oauth2/register"), { method: "POST", headers, body: JSON.stringify(metadata) })
  expect(response.status).toBe(201)
  return ((await response.json()) as { readonly client_id: string }).client_id
}
const revokeConsent = (program: Program) => program.call("/oauth2/grants/revoke", { client_id: "careful" }, { cookie })

const distinct = (values: ReadonlyArray<unknown>) => [...new Set(values)]
const successes = (replies: ReadonlyArray<Reply<Tokens>>) => replies.filter(({ status }) => status === 200)

describe("on two processes", () => {
  it("twenty exchanges of one code at once give tokens once", async () => {
    for (let round = 0; round < 10; round++) {
      const code = codeOf(await authorized(both[0], "app"))
      const replies = await atOnce(20, (program) => exchange(program, "app", code))
      expect(successes(replies)).toHaveLength(1)
      expect(distinct(replies.map(({ body }) => body.error))).toEqual(expect.arrayContaining(["invalid_grant"]))
      // The other nineteen are replays, which revoke the tokens of the first.
      expect(await isLive(successes(replies)[0]?.body.access_token)).toBe(false)
    }
  })

  it("twenty exchanges of one code of an app at once open one session", async () => {
    const code_challenge = createHash("sha256").update(verifier).digest("base64url")
    const input = { redirect_uri: callback, code_challenge, code_challenge_method: "S256" }
    for (let round = 0; round < 5; round++) {
      const issued = (await both[0].call("/native/code", input, { cookie })).body as { readonly redirect: string }
      const code = codeOf(new URL(issued.redirect))
      const replies = await atOnce(20, (program) => program.call("/native/exchange", { code, code_verifier: verifier }))
      const verdicts = replies.map(({ status, body }) => `${status} ${(body as { error?: { code: string } }).error?.code ?? ""}`)
      expect(verdicts.toSorted()).toEqual(["200 ", ...Array.from({ length: 19 }, () => "400 invalid_token")])
    }
  })

  it("twenty uses of one refresh token at once get one answer, with one live successor", async () => {
    for (let round = 0; round < 10; round++) {
      const first = await started()
      const replies = await atOnce(20, (program) => refresh(program, "app", first.refresh_token))
      expect(distinct(replies.map(({ status }) => status))).toEqual([200])
      const [refresh_tokens, access_tokens] = [
        distinct(replies.map(({ body }) => body.refresh_token)),
        distinct(replies.map(({ body }) => body.access_token)),
      ]
      expect([refresh_tokens.length, access_tokens.length]).toEqual([1, 1])

      const successor = replies[0]?.body.refresh_token
      expect((await refresh(both[1], "app", successor)).status).toBe(200)
      // The successor was used, so the first token is a replay: it revokes the family.
      expect((await refresh(both[0], "app", first.refresh_token)).body.error).toBe("invalid_grant")
      expect((await refresh(both[1], "app", successor)).body.error).toBe("invalid_grant")
      expect(await isLive(replies[0]?.body.access_token)).toBe(false)
    }
  })

  it("twenty polls of one allowed device code at once give tokens once", async () => {
    const device = await post<{ readonly device_code: string; readonly user_code: string }>(both[0], "/oauth2/device-authorization", {
      client_id: "tv",
      scope: "openid",
    })
    const { device_code, user_code } = device.body
    await both[1].call("/oauth2/device/allow", { user_code }, { cookie })
    const replies = await atOnce(20, (program) => post(program, "/oauth2/token", { grant_type: deviceGrant, client_id: "tv", device_code }))
    expect(successes(replies)).toHaveLength(1)
  })

  it("a consent that is revoked during the exchange of its code leaves no valid token", async () => {
    let exchanged = 0
    for (let round = 0; round < 20; round++) {
      const code = await consented(both[round % 2]!)
      await pause(Math.random() * 5)
      const [reply] = await Promise.all([exchange(both[0], "careful", code), pause(Math.random() * 15).then(() => revokeConsent(both[1]))])
      exchanged += successes([reply]).length
      expect(await isLive(reply.body.access_token)).toBe(false)
      expect((await refresh(both[1], "careful", reply.body.refresh_token ?? "none")).body.error).toBe("invalid_grant")
    }
    expect(exchanged).toBeGreaterThan(0)
  })

  it("a consent that is revoked during refreshes leaves no valid token", async () => {
    for (let round = 0; round < 10; round++) {
      const first = (await exchange(both[0], "careful", await consented(both[1]))).body
      const replies: Array<Reply<Tokens>> = []
      const refreshing = async (program: Program) => {
        let next = first.refresh_token
        while (true) {
          const reply = await refresh(program, "careful", next)
          replies.push(reply)
          if (reply.status !== 200) return
          next = reply.body.refresh_token
        }
      }
      const running = refreshing(both[0])
      await until("a refresh", () => replies.length > 0 || undefined)
      await pause(Math.random() * 20)
      await revokeConsent(both[1])
      await running
      for (const { body } of replies) expect(await isLive(body.access_token)).toBe(false)
    }
  })

  it("a rotation of the signing keys during sign-ins adds one key, and every ID token is valid", async () => {
    const keysOf = async (program: Program) => {
      const response = await fetch(url(program, "/oauth2/jwks"))
      return ((await response.json()) as { readonly keys: ReadonlyArray<{ readonly kid: string }> }).keys.map(({ kid }) => kid)
    }
    const before = await keysOf(both[0])
    const signIns = atOnce(20, async (program) => exchange(program, "app", codeOf(await authorized(program, "app"))))
    const rotations = await atOnce(10, (program) => program.call("/oauth2/rotate-keys", {}, { cookie }))
    expect(distinct(rotations.map(({ status }) => status))).toEqual([200])
    const keys = await keysOf(both[0])
    expect(keys).toHaveLength(before.length + 1)
    const published = createRemoteJWKSet(new URL(url(both[1], "/oauth2/jwks")))
    for (const { body } of await signIns) await jwtVerify(body.id_token ?? "", published, { issuer: `${issuer}/api/auth`, audience: "app" })
  })

  it("twenty equal registrations at once are one agent", async () => {
    expect(new Set(await atOnce(20, (program) => registered(program, "The Editor"))).size).toBe(1)
  })

  it("an agent that is blocked at one process is refused at the other at once, while it refreshes and a user allows it", async () => {
    const agent = await registered(both[0], "The Blocked")
    const { refresh_token } = (await exchange(both[1], agent, await consented(both[0], agent))).body
    const [blocked] = await Promise.all([
      both[0].call("/admin/clients/block", { client_id: agent }, { cookie }),
      consented(both[1], agent).catch(() => "refused"),
      refresh(both[1], agent, refresh_token),
    ])
    expect(blocked.status).toBe(200)
    expect((await refresh(both[1], agent, refresh_token)).body.error).toBe("invalid_client")
    await registered(both[1], "The Blocked")
    expect((await refresh(both[1], agent, refresh_token)).body.error).toBe("invalid_client")
  })
})
