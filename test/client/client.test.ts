import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer } from "../../application/modules/bearer/index.ts"
import { multiSession } from "../../application/modules/multi_session/index.ts"
import type { TokenStore } from "../../client/index.ts"
import { createClient } from "../../client/index.ts"
import { port, served } from "../adapters/http/served.ts"
import { core, password } from "../world.ts"

const run = <A>(use: (url: string) => Promise<A>) =>
  Effect.flatMap(port, (number) => Effect.promise(() => use(`http://127.0.0.1:${number}`)))

/** A `fetch` that keeps cookies as a browser does, and records what was sent. */
const browser = () => {
  const cookies = new Map<string, string>()
  const requests: Array<string> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(`${init?.method} ${new URL(String(input)).pathname}${new URL(String(input)).search}`)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await globalThis.fetch(input, { ...init, headers: { ...init?.headers, cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split("=")
      cookies.set(name, value)
    }
    return response
  }
  return { fetch, requests }
}

const memory = (): TokenStore & { readonly held: () => string | null } => {
  let token: string | null = null
  return {
    get: () => token,
    set: (next) => {
      token = next
    },
    held: () => token,
  }
}

describe("the typed client", () => {
  layer(served({ modules: [...core, bearer.build({ redirects: [] }), multiSession.build({ max_sessions: 5 })] }), {
    excludeTestServices: true,
  })((it) => {
    it.effect("signs up, reads the session, changes the user and signs out", () =>
      run(async (baseUrl) => {
        const { fetch, requests } = browser()
        const client = createClient({ baseUrl, fetch })
        const email = "client@example.com"
        const { data, error } = await client.signUp.email({ email, password, name: "Ada" })
        assert.isNull(error)
        assert.strictEqual(data?.user.email, email)
        assert.strictEqual((await client.getSession()).data?.user?.name, "Ada")
        assert.strictEqual((await client.updateUser({ name: "Ada L." })).data?.user.name, "Ada L.")
        assert.strictEqual((await client.$session.refresh()).status, "authenticated")
        assert.isNull((await client.signOut()).error)
        assert.isNull((await client.getSession()).data?.session)
        assert.strictEqual((await client.$session.refresh()).status, "anonymous")
        assert.deepStrictEqual(
          [...new Set(requests)],
          ["/sign-up/email", "/get-session", "/update-user", "/sign-out"].map(
            (path) => `${path === "/get-session" ? "GET" : "POST"} /api/auth${path}`,
          ),
        )
      }),
    )

    it.effect("returns the codes of the service, with the status", () =>
      run(async (baseUrl) => {
        const client = createClient({ baseUrl, fetch: browser().fetch })
        const { data, error } = await client.signIn.email({ email: "unknown@example.com", password })
        assert.isNull(data)
        const code: "invalid_credentials" | undefined = error?.code === "invalid_credentials" ? error.code : undefined
        assert.deepStrictEqual([code, error?.status], ["invalid_credentials", 401])
        const unknown = await createClient({ baseUrl, basePath: "/elsewhere" }).getSession()
        assert.deepStrictEqual([unknown.error?.code, unknown.error?.status], ["not_found", 404])
      }),
    )

    it.effect("keeps a token where there are no cookies", () =>
      run(async (baseUrl) => {
        const token = memory()
        const client = createClient({ baseUrl, token })
        await client.signUp.email({ email: "native@example.com", password })
        assert.isString(token.held())
        assert.strictEqual((await client.getSession()).data?.user?.email, "native@example.com")
        await client.signOut()
        assert.isNull(token.held())
        assert.isNull((await client.getSession()).data?.session)
      }),
    )

    it.effect("never throws: an unreachable service, a cancelled call and another server's answer are errors", () =>
      run(async (baseUrl) => {
        const unreachable = await createClient({ baseUrl: "http://127.0.0.1:1" }).getSession()
        assert.deepStrictEqual([unreachable.error?.code, unreachable.error?.status, unreachable.response], ["network_error", 0, null])
        const cancelled = await createClient({ baseUrl }).getSession({}, { signal: AbortSignal.abort() })
        assert.strictEqual(cancelled.error?.code, "aborted")
        const page = async () => new Response("<html>", { status: 502 })
        const other = await createClient({ baseUrl, fetch: page }).getSession()
        assert.deepStrictEqual([other.error?.code, other.error?.status], ["unexpected_response", 502])
        const limited = async () =>
          Response.json({ error: { code: "rate_limited", message: "" } }, { status: 429, headers: { "retry-after": "7" } })
        assert.strictEqual((await createClient({ baseUrl, fetch: limited }).getSession()).error?.retryAfter, 7)
      }),
    )

    it.effect("can be awaited, printed and written as JSON without a request", () =>
      run(async (baseUrl) => {
        const { fetch, requests } = browser()
        const client = await createClient({ baseUrl, fetch })
        assert.isString(String(client.signIn))
        assert.isUndefined(JSON.stringify(client.signIn))
        assert.strictEqual(typeof client.signIn.email, "function")
        assert.deepStrictEqual(requests, [])
      }),
    )

    it.effect("gets Session-Changed for calls that change the session, and for no others", () =>
      run(async (baseUrl) => {
        const { fetch } = browser()
        const client = createClient({ baseUrl, fetch })
        const changes = async (call: Promise<{ readonly response: Response | null }>) =>
          (await call).response?.headers.get("session-changed")
        const email = "changes@example.com"
        assert.strictEqual(await changes(client.signUp.email({ email, password })), "?1")
        assert.isNull(await changes(client.getSession()))
        assert.isNull(await changes(client.listSessions()))
        assert.isNull(await changes(client.requestPasswordReset({ email })))
        assert.strictEqual(await changes(client.updateUser({ name: "A" })), "?1")
        assert.isNull(await changes(client.signIn.email({ email, password: "wrong password" })))
        assert.strictEqual(await changes(client.signOut()), "?1")
      }),
    )
  })
})
