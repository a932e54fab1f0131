import type { FastifyInstance } from "fastify"
import { nodeHandler, sallyport } from "sallyport"
import config from "./sallyport.config.ts"

export const auth = sallyport(config)

/** The endpoints and pages of the service. It reads the bodies itself, so this scope has no parsers. */
export const authRoutes = async (scope: FastifyInstance) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, _body, done) => done(null))
  const handle = nodeHandler(auth)
  for (const path of ["/api/auth/*", "/auth/*"])
    scope.all(path, (request, reply) => {
      reply.hijack()
      handle(request.raw, reply.raw)
    })
}
