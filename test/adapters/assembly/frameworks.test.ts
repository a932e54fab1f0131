import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { describe, expect, it } from "vitest"
import { nodeHandler, type Sallyport, sallyport } from "../../../index.ts"
import { configured, cookieOf, password, request } from "./configured.ts"

type Auth = Pick<Sallyport<unknown>, "fetch">
interface Mounted {
  readonly url: string
  readonly stop: () => Promise<unknown>
}

const listening = async (server: Server): Promise<Mounted> => {
  if (!server.listening) await once(server, "listening")
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

const mounts: Readonly<Record<string, (auth: Auth) => Promise<Mounted>>> = {
  Hono: (auth) => {
    const app = new Hono()
    app.all("/api/auth/*", (c) => auth.fetch(c.req.raw, { address: getConnInfo(c).remote.address ?? null }))
    return listening(serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server)
  },
  "Express 5": (auth) => {
    const app = express()
    app.all("/api/auth/*path", nodeHandler(auth))
    return listening(app.listen(0, "127.0.0.1"))
  },
  "Express 5 with use, after a body parser": (auth) => {
    const app = express()
    app.use(express.json())
    app.use("/api/auth", nodeHandler(auth))
    return listening(app.listen(0, "127.0.0.1"))
  },
  Fastify: async (auth) => {
    const app = fastify()
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser("*", (_request, _body, done) => done(null))
      const handle = nodeHandler(auth)
      scope.all("/api/auth/*", (request, reply) => {
        reply.hijack()
        handle(request.raw, reply.raw)
      })
    })
    await app.listen({ port: 0, host: "127.0.0.1" })
    return { ...(await listening(app.server)), stop: () => app.close() }
  },
  "node:http": (auth) => listening(createServer(nodeHandler(auth)).listen(0, "127.0.0.1")),
}

describe.each(Object.entries(mounts))("in %s", (_, mount) => {
  it("signs up, reads the session, counts by the socket's address and signs out", async () => {
    const { configuration } = configured()
    const auth = await sallyport({ ...configuration, rate_limit: { requests: { limit: 3, window: 60 } } })
    const { url: base, stop } = await mount(auth)
    const signUp = await fetch(request("/sign-up/email", { base, body: { email: "ada@example.com", password } }))
    expect([signUp.status, await signUp.json()]).toMatchObject([200, { user: { email: "ada@example.com" } }])
    const cookie = cookieOf(signUp.headers)
    const session = await fetch(request("/get-session", { base, cookie }))
    expect(await session.json()).toMatchObject({ user: { email: "ada@example.com" } })
    const { data } = await auth.call.listSessions({ headers: { cookie } })
    expect(data?.sessions).toMatchObject([{ ip_address: "127.0.0.1" }])
    const signOut = await fetch(request("/sign-out", { base, cookie, body: {} }))
    expect(signOut.headers.getSetCookie()[0]).toMatch(/Max-Age=0/i)

    const statuses = [
      await fetch(request("/sign-in/email", { base, body: {} })),
      await fetch(request("/sign-in/email", { base, body: {} })),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([400, 400])
    expect((await fetch(request("/sign-in/email", { base, body: {} }))).status).toBe(429)
    await stop()
    await auth.close()
  })
})
