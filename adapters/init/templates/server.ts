import { ofService, servicePort, type Write } from "./template.ts"

interface Lines {
  readonly mount: string
  readonly guard: string
}

const behindProxy = `Let your proxy send /api/auth/ and /auth/ to http://127.0.0.1:${servicePort}, and all other paths to your application.`

/** The files of a server: one, beside the configuration. */
const serverFiles =
  (mounted: (config: string, isTyped: boolean) => string, { mount, guard }: Lines): Write =>
  ({ base, extension, importEnding }, { layout }) => {
    const isMounted = layout === "mount"
    const text = isMounted ? mounted(`./sallyport.config${importEnding}`, extension === "ts") : ofService
    const line = (code: string) => `Your server: ${code.replace(`"./auth"`, `"./auth${importEnding}"`)}`
    return {
      files: [{ path: `${base}auth.${extension}`, text }],
      steps: [...(isMounted ? [line(mount)] : [behindProxy]), line(guard)],
    }
  }

const inExpress = (config: string) => `import { Router } from "express"
import { nodeHandler, sallyport } from "sallyport"
import config from "${config}"

export const auth = sallyport(config)

/** The endpoints and pages of the service. */
export const authRoutes = Router().all([/^\\/api\\/auth\\//, /^\\/auth\\//], nodeHandler(auth))
`

export const express: Write = serverFiles(inExpress, {
  mount: `import { authRoutes } from "./auth"; app.use(authRoutes)`,
  guard: `import { requireSession } from "sallyport/backend/express"; app.get("/me", requireSession(auth), …)`,
})

const inFastify = (
  config: string,
  isTyped: boolean,
) => `${isTyped ? `import type { FastifyInstance } from "fastify"\n` : ""}import { nodeHandler, sallyport } from "sallyport"
import config from "${config}"

export const auth = sallyport(config)

/** The endpoints and pages of the service. It reads the bodies itself, so this scope has no parsers. */
export const authRoutes = async (scope${isTyped ? ": FastifyInstance" : ""}) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, _body, done) => done(null))
  const handle = nodeHandler(auth)
  for (const path of ["/api/auth/*", "/auth/*"])
    scope.all(path, (request, reply) => {
      reply.hijack()
      handle(request.raw, reply.raw)
    })
}
`

export const fastify: Write = serverFiles(inFastify, {
  mount: `import { authRoutes } from "./auth"; app.register(authRoutes)`,
  guard: `import { requireSession } from "sallyport/backend/fastify"; app.get("/me", { preHandler: requireSession(auth) }, …)`,
})

const inHono = (config: string) => `import { getConnInfo } from "@hono/node-server/conninfo"
import { Hono } from "hono"
import { sallyport } from "sallyport"
import config from "${config}"

export const auth = sallyport(config)

/** The endpoints and pages of the service. */
export const authRoutes = new Hono()
for (const path of ["/api/auth/*", "/auth/*"])
  authRoutes.all(path, (context) => auth.fetch(context.req.raw, { address: getConnInfo(context).remote.address ?? null }))
`

export const hono: Write = serverFiles(inHono, {
  mount: `import { authRoutes } from "./auth"; app.route("/", authRoutes)`,
  guard: `import { requireSession } from "sallyport/backend/hono"; app.get("/me", requireSession(auth), …)`,
})

/** An application that is in no framework of these: the service alone. */
export const separate: Write = () => ({ files: [], steps: [behindProxy] })
