import type { AddressInfo } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { serve } from "@hono/node-server"
import { Effect } from "effect"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { createKeyVerifier, type KeyVerifier } from "../../backend/api-key.ts"
import * as OnExpress from "../../backend/express.ts"
import * as OnFastify from "../../backend/fastify.ts"
import * as OnHono from "../../backend/hono.ts"
import * as OnNext from "../../backend/next.ts"
import { cookieOf, port, post, served } from "../adapters/http/served.ts"
import { keys, modulesWith, root } from "../application/modules/api_key/keys.ts"
import { password } from "../world.ts"

/** An application whose only route, `/reports`, needs a key with `reports:read` and answers its owner. */
interface Application {
  readonly ask: (headers: Record<string, string>) => Promise<Response>
  readonly close: () => Promise<unknown>
}
const at = (port: number, close: Application["close"]): Application => ({
  ask: (headers) => fetch(`http://127.0.0.1:${port}/reports`, { headers }),
  close,
})
const needed = { permissions: ["reports:read"] }

const applications: Readonly<Record<string, (verifier: KeyVerifier) => Promise<Application>>> = {
  express: async (verifier) => {
    const app = express()
    app.get("/reports", OnExpress.requireApiKey(verifier, needed), ({ apiKey }, response) => response.json({ kind: apiKey?.owner.kind }))
    const server = app.listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    return at((server.address() as AddressInfo).port, () => new Promise((resolve) => server.close(resolve)))
  },
  fastify: async (verifier) => {
    const app = fastify()
    app.get("/reports", { preHandler: OnFastify.requireApiKey(verifier, needed) }, ({ apiKey }, reply) =>
      reply.send({ kind: apiKey?.owner.kind }),
    )
    await app.listen({ port: 0, host: "127.0.0.1" })
    return at((app.server.address() as AddressInfo).port, () => app.close())
  },
  hono: async (verifier) => {
    const app = new Hono().get("/reports", OnHono.requireApiKey(verifier, needed), (context) =>
      context.json({ kind: context.get("apiKey").owner.kind }),
    )
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
        resolve(at(port, () => new Promise((done) => server.close(done)))),
      )
    })
  },
  "a route handler of Next.js": async (verifier) => {
    const handler = OnNext.requireApiKey(verifier, needed)((_, { apiKey }) => Response.json({ kind: apiKey.owner.kind }))
    return { ask: (headers) => handler(new Request("http://localhost/reports", { headers }), {}), close: async () => {} }
  },
}

/** An application at a service, and the keys of a user with and without the permission. */
const withKeys = Effect.fnUntraced(function* (start: (verifier: KeyVerifier) => Promise<Application>) {
  const as = { headers: { cookie: cookieOf(yield* post("/sign-up/email", { email: root, password })) } }
  const permissions = ["api_keys:verify"]
  const { service_account } = (yield* post("/admin/service-accounts/create", { name: "Reports", permissions }, as)).json
  const own = yield* post("/admin/api-keys/create", { service_account_id: service_account.id, name: "x", permissions }, as)
  const make = (more: object) => Effect.map(post("/api-key/create", { name: "x", ...more }, as), ({ json }) => json.key as string)
  const url = `http://127.0.0.1:${yield* port}/api/auth`
  const app = yield* Effect.acquireRelease(
    Effect.promise(() => start(createKeyVerifier({ url, key: own.json.key }))),
    ({ close }) => Effect.promise(close),
  )
  const ask = (headers: Record<string, string>) =>
    Effect.promise(async () => {
      const response = await app.ask(headers)
      return [response.status, await response.json()] as const
    })
  return { ask, right: yield* make(needed), wrong: yield* make({}) }
})

describe.each(Object.entries(applications))("requireApiKey on %s", (_, start) => {
  layer(served({ modules: modulesWith(keys) }), { excludeTestServices: true })((it) => {
    it.effect("accepts a key with the permission, and refuses others in the service's envelope", () =>
      Effect.gen(function* () {
        const { ask, right, wrong } = yield* withKeys(start)
        assert.deepStrictEqual(yield* ask({ "x-api-key": right }), [200, { kind: "user" }])
        assert.deepStrictEqual(yield* ask({ authorization: `Bearer ${right}` }), [200, { kind: "user" }])
        const code = (headers: Record<string, string>) => Effect.map(ask(headers), ([status, { error }]) => `${status} ${error.code}`)
        assert.strictEqual(yield* code({ "x-api-key": wrong }), "403 forbidden")
        assert.strictEqual(yield* code({ "x-api-key": "unknown" }), "401 unauthorized")
        assert.strictEqual(yield* code({ "x-api-key": "x".repeat(201) }), "401 unauthorized")
        assert.strictEqual(yield* code({}), "401 unauthorized")
      }),
    )
  })
})

describe("a verifier of keys", () => {
  const request = { headers: { "x-api-key": "some key" } }
  const verdictOf = (answer: () => Response | Promise<Response>) =>
    createKeyVerifier({ url: "http://auth.internal/api/auth", key: "own", fetch: async () => answer() }).verifyKey(request)

  it("is unavailable, and says nothing of the key, when the service does not answer or refuses the backend's own key", async () => {
    for (const answer of [
      () => Response.json({ error: { code: "unauthorized" } }, { status: 401 }),
      () => Response.json({}),
      () => new Response("<html>", { status: 200 }),
      () => Promise.reject(new Error("no route")),
    ])
      assert.strictEqual((await verdictOf(answer)).status, "unavailable")
  })

  it("asks for the permissions and the address of the query, with its own key", async () => {
    const sent: Array<unknown> = []
    const fetch: typeof globalThis.fetch = async (url, { body, headers } = {}) => {
      sent.push([String(url), JSON.parse(String(body)), new Headers(headers).get("x-api-key")])
      return Response.json({ valid: false, code: "budget" })
    }
    const { verifyKey } = createKeyVerifier({ url: "http://auth.internal/api/auth", key: "own", fetch })
    assert.deepStrictEqual(await verifyKey(request, { address: "203.0.113.7", permissions: ["a"] }), {
      status: "anonymous",
      code: "budget",
    })
    assert.deepStrictEqual(await verifyKey({ headers: {} }), { status: "anonymous", code: "none" })
    assert.deepStrictEqual(sent, [
      ["http://auth.internal/api/auth/api-key/verify", { key: "some key", permissions: ["a"], address: "203.0.113.7" }, "own"],
    ])
  })
})
