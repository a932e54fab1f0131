import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { mount } from "../../../backend/fastify.ts"
import { nodeHandler, type Sallyport } from "../../../index.ts"

type Auth = Pick<Sallyport<unknown>, "fetch">
export interface Mounted {
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

/** Servers of an application, each with the service at `/api/auth`. */
export const mounts: Readonly<Record<string, (auth: Auth) => Promise<Mounted>>> = {
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
    await app.register(mount(nodeHandler(auth)))
    await app.listen({ port: 0, host: "127.0.0.1" })
    return { ...(await listening(app.server)), stop: () => app.close() }
  },
  "node:http": (auth) => listening(createServer(nodeHandler(auth)).listen(0, "127.0.0.1")),
}
