import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { SessionOf } from "../client/session.ts"
import { type KeyQuery, type KeyVerifier, keyRefusalOf, type VerifiedKey } from "./api-key.ts"
import { type Backend, refusalOf } from "./backend.ts"

declare module "fastify" {
  interface FastifyRequest {
    auth?: SessionOf
    apiKey?: VerifiedKey
  }
}

/**
 * A `preHandler` that lets requests with a session through, with the session and its user as `request.auth`. Answers others 401, or 503 if
 * the service does not answer.
 */
export const requireSession =
  ({ getSession }: Backend) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const verdict = await getSession(request, { address: request.ip })
    if (verdict.status !== "unavailable") for (const [name, value] of verdict.headers) reply.header(name, value)
    if (verdict.status === "authenticated") {
      request.auth = { session: verdict.session, user: verdict.user }
      return
    }
    const { status, body } = refusalOf(verdict)
    await reply.code(status).send(body)
  }

/** A `preHandler` that lets requests with a valid key and these permissions through, with the key as `request.apiKey`. */
export const requireApiKey =
  ({ verifyKey }: KeyVerifier, query: Omit<KeyQuery, "address"> = {}) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const verdict = await verifyKey(request, { ...query, address: request.ip })
    if (verdict.status === "authenticated") {
      request.apiKey = verdict.apiKey
      return
    }
    const { status, body } = keyRefusalOf(verdict)
    await reply.code(status).send(body)
  }

type NodeHandler = (request: FastifyRequest["raw"], response: FastifyReply["raw"]) => void

/**
 * A plugin that mounts a service: `app.register(mount(nodeHandler(auth)))`. The service reads bodies itself, so the plugin's scope has no
 * parsers.
 */
export const mount =
  (handle: NodeHandler, path = "/api/auth") =>
  async (scope: FastifyInstance): Promise<void> => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser("*", (_request, _body, done) => done(null))
    scope.all(`${path}/*`, (request, reply) => {
      reply.hijack()
      handle(request.raw, reply.raw)
    })
  }
