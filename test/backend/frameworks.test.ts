import type { AddressInfo } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { serve } from "@hono/node-server"
import { Effect } from "effect"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import type { Backend, SessionQuery, SessionVerdict } from "../../backend/backend.ts"
import { createBackend } from "../../backend/backend.ts"
import * as OnExpress from "../../backend/express.ts"
import * as OnFastify from "../../backend/fastify.ts"
import * as OnHono from "../../backend/hono.ts"
import * as OnNext from "../../backend/next.ts"
import { cookieOf, port, post, served } from "../adapters/http/served.ts"
import { password } from "../world.ts"

/** An application whose only route, `/me`, answers the address of the signed-in user. */
interface Application {
  readonly ask: (headers: Record<string, string>) => Promise<Response>
  readonly close: () => Promise<unknown>
}
const at = (port: number, close: Application["close"]): Application => ({
  ask: (headers) => fetch(`http://127.0.0.1:${port}/me`, { headers }),
  close,
})

const applications: Readonly<Record<string, (backend: Backend) => Promise<Application>>> = {
  express: async (backend) => {
    const app = express()
    app.get("/me", OnExpress.requireSession(backend), ({ auth }, response) => response.json({ email: auth?.user.email }))
    const server = app.listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    return at((server.address() as AddressInfo).port, () => new Promise((resolve) => server.close(resolve)))
  },
  fastify: async (backend) => {
    const app = fastify()
    app.get("/me", { preHandler: OnFastify.requireSession(backend) }, ({ auth }) => ({ email: auth?.user.email }))
    await app.listen({ port: 0, host: "127.0.0.1" })
    return at((app.server.address() as AddressInfo).port, () => app.close())
  },
  hono: async (backend) => {
    const app = new Hono().get("/me", OnHono.requireSession(backend), (context) => context.json({ email: context.get("auth").user.email }))
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
        resolve(at(port, () => new Promise((done) => server.close(done)))),
      )
    })
  },
  "a route handler of Next.js": async (backend) => {
    const handler = OnNext.requireSession(backend)((_, { auth }) => Response.json({ email: auth.user.email }))
    return { ask: (headers) => handler(new Request("http://localhost/me", { headers }), {}), close: async () => {} }
  },
}

const updateAge = 1
describe.each(Object.entries(applications))("requireSession on %s", (_, start) => {
  layer(served({ settings: { trusted_proxies: ["127.0.0.0/8"], session: { update_age: updateAge } } }), { excludeTestServices: true })(
    (it) => {
      it.effect("accepts requests with a session, forwards its extension, and refuses others in the service's envelope", () =>
        Effect.gen(function* () {
          const app = yield* Effect.acquireRelease(
            Effect.andThen(port, (number) => Effect.promise(() => start(createBackend({ url: `http://127.0.0.1:${number}/api/auth` })))),
            ({ close }) => Effect.promise(close),
          )
          const ask = (headers: Record<string, string>) =>
            Effect.promise(async () => {
              const response = await app.ask(headers)
              return { status: response.status, cookies: response.headers.getSetCookie(), body: await response.json() }
            })
          const email = "backend@example.com"
          const cookie = cookieOf(yield* post("/sign-up/email", { email, password }))

          assert.deepStrictEqual(yield* ask({ cookie }), { status: 200, cookies: [], body: { email } })
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, updateAge * 1000 + 100)))
          const extended = yield* ask({ cookie })
          assert.deepStrictEqual([extended.status, extended.cookies.length], [200, 1])

          const refused = yield* ask({})
          assert.deepStrictEqual([refused.status, refused.body.error.code], [401, "unauthorized"])
          yield* post("/sign-out", {}, { headers: { cookie } })
          assert.strictEqual((yield* ask({ cookie })).status, 401)
        }),
      )

      it.effect("answers 503 while the service is down", () =>
        Effect.gen(function* () {
          const app = yield* Effect.acquireRelease(
            Effect.promise(() => start(createBackend({ url: "http://127.0.0.1:1/api/auth" }))),
            ({ close }) => Effect.promise(close),
          )
          const response = yield* Effect.promise(() => app.ask({ cookie: "session_token=a" }))
          assert.strictEqual(response.status, 503)
        }),
      )
    },
  )
})

/** A backend with one extended session, and the options of its calls. */
const extending = () => {
  const asked: Array<SessionQuery | undefined> = []
  const backend: Backend = {
    getSession: async (_, given) => {
      asked.push(given)
      const headers = new Headers({ "set-cookie": "session=1" })
      return { status: "authenticated", session: {}, user: { email: "a@example.com" }, headers } as SessionVerdict
    },
  }
  return { backend, asked }
}

describe("requireSession on Hono", () => {
  it("forwards an extension with a response of fetch, whose headers are immutable", async () => {
    const { backend } = extending()
    const app = new Hono().get("/me", OnHono.requireSession(backend), () => fetch("data:text/plain,proxied"))
    const response = await app.request("/me")
    assert.deepStrictEqual([response.status, await response.text()], [200, "proxied"])
    assert.deepStrictEqual(response.headers.getSetCookie(), ["session=1"])
  })
})

describe("the address of the user", () => {
  const request = new Request("http://localhost/me", { headers: { "x-forwarded-for": "203.0.113.1", "x-real-ip": "198.51.100.1" } })

  it("is unknown to Hono and Next.js", async () => {
    const { backend, asked } = extending()
    await new Hono().get("/me", OnHono.requireSession(backend), (context) => context.text("")).fetch(request)
    await OnNext.requireSession(backend)(() => new Response())(request, {})
    await OnNext.serverSession(backend, request.headers)
    assert.deepStrictEqual(
      asked.map((each) => each?.address),
      [undefined, undefined, undefined],
    )
  })

  it("is the one that the application names", async () => {
    const { backend, asked } = extending()
    const address = ({ headers }: Request) => headers.get("x-real-ip")
    const onHono = OnHono.requireSession(backend, { address: ({ req }) => address(req.raw) })
    await new Hono().get("/me", onHono, (context) => context.text("")).fetch(request)
    await OnNext.requireSession(backend, { address })(() => new Response())(request, {})
    await OnNext.serverSession(backend, request.headers, { address: address(request) })
    const asAddressed = { address: "198.51.100.1" }
    assert.deepStrictEqual(asked, [asAddressed, asAddressed, { ...asAddressed, extend: false }])
  })
})
