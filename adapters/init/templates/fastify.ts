import { serverFiles, type Write } from "./server.ts"

const mounted = (
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

export const fastify: Write = serverFiles(mounted, {
  mount: `import { authRoutes } from "./auth"; app.register(authRoutes)`,
  guard: `import { requireSession } from "sallyport/backend/fastify"; app.get("/me", { preHandler: requireSession(auth) }, …)`,
})
