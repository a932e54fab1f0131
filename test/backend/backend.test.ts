import { assert, describe, it } from "vitest"
import { createBackend } from "../../backend/backend.ts"

const session = { id: "s" }
const user = { id: "u" }

/** A backend whose service gives one answer, and the requests that reached the service. */
const backendOf = (answer: () => Response | Promise<Response>, timeout?: number) => {
  const requests: Array<{ readonly url: string; readonly headers: Headers }> = []
  const fetch: typeof globalThis.fetch = async (url, { headers } = {}) => {
    requests.push({ url: String(url), headers: new Headers(headers) })
    return answer()
  }
  const options = timeout === undefined ? {} : { timeout }
  return { ...createBackend({ url: "http://auth.internal/api/auth", fetch, ...options }), requests }
}
const cookie = { cookie: "session_token=a" }

describe("a backend that checks sessions", () => {
  it("returns the session, and each credential that the service set as a separate field", async () => {
    const headers = new Headers({ "set-auth-token": "t", "x-other": "1" })
    headers.append("set-cookie", "a=1; Path=/")
    headers.append("set-cookie", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT")
    const { getSession } = backendOf(() => Response.json({ session, user }, { headers }))
    const verdict = await getSession({ headers: cookie })
    assert.isTrue(verdict.status === "authenticated")
    if (verdict.status !== "authenticated") return
    assert.deepStrictEqual([verdict.session, verdict.user] as unknown, [session, user])
    assert.deepStrictEqual(verdict.headers.getSetCookie(), ["a=1; Path=/", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT"])
    assert.strictEqual(verdict.headers.get("set-auth-token"), "t")
    assert.isFalse(verdict.headers.has("x-other"))
  })

  it("sends only cookie, bearer token, user agent and addresses; without an address option, none of the request's", async () => {
    const { getSession, requests } = backendOf(() => Response.json({ session: null, user: null }))
    const headers = {
      cookie: "a=1",
      authorization: "Bearer t",
      "user-agent": "UA",
      "x-forwarded-for": "203.0.113.1",
      "x-secret": "s",
      host: "x",
    }
    await getSession({ headers }, { address: "198.51.100.1" })
    await getSession({ headers: new Headers(headers) })
    await getSession({ headers }, { address: null })
    const { "x-forwarded-for": _, ...unproxied } = headers
    await getSession({ headers: unproxied }, { address: "198.51.100.1" })
    const sent = requests.map(({ headers }) => Object.fromEntries(headers))
    const always = { cookie: "a=1", authorization: "Bearer t", "user-agent": "UA" }
    assert.deepStrictEqual(sent, [
      { ...always, "x-forwarded-for": "203.0.113.1, 198.51.100.1" },
      always,
      always,
      { ...always, "x-forwarded-for": "198.51.100.1" },
    ])
  })

  it("sends extend=false if the session must not be extended", async () => {
    const { getSession, requests } = backendOf(() => Response.json({ session: null, user: null }))
    for (const query of [{}, { extend: true }, { extend: false }]) await getSession({ headers: { cookie: "a=1" } }, query)
    const path = "http://auth.internal/api/auth/get-session"
    assert.deepStrictEqual(
      requests.map(({ url }) => url),
      [path, path, `${path}?extend=false`],
    )
  })

  it("is anonymous without credentials, without a request to the service", async () => {
    const { getSession, requests } = backendOf(() => Response.error())
    assert.strictEqual((await getSession({ headers: {} })).status, "anonymous")
    assert.strictEqual(requests.length, 0)
  })

  it("is anonymous with a null session or a banned user, and unavailable in every other case: an outage does not sign users out", async () => {
    const cases: ReadonlyArray<readonly [() => Response | Promise<Response>, string]> = [
      [() => Response.json({ session: null, user: null }), "anonymous"],
      [() => Response.json({ error: { code: "banned", message: "" } }, { status: 403 }), "anonymous"],
      [() => Response.json({ error: { code: "rate_limited", message: "" } }, { status: 429 }), "unavailable"],
      [() => Response.json({}, { status: 503 }), "unavailable"],
      [() => new Response("<html>a proxy's page</html>"), "unavailable"],
      [() => Response.json({}), "unavailable"],
      [() => Response.json([]), "unavailable"],
      [() => Promise.reject(new TypeError("fetch failed")), "unavailable"],
    ]
    for (const [answer, status] of cases) assert.strictEqual((await backendOf(answer).getSession({ headers: cookie })).status, status)
  })

  it("is unavailable when the service does not answer in time", async () => {
    const fetch: typeof globalThis.fetch = (_, { signal } = {}) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
    const { getSession } = createBackend({ url: "http://auth.internal", fetch, timeout: 20 })
    assert.strictEqual((await getSession({ headers: cookie })).status, "unavailable")
  })

  it("caches nothing", async () => {
    const { getSession, requests } = backendOf(() => Response.json({ session, user }))
    await getSession({ headers: cookie })
    await getSession({ headers: cookie })
    assert.strictEqual(requests.length, 2)
  })
})
