import type { Context, MiddlewareHandler } from "hono"
import type { SessionOf } from "../client/session.ts"
import { type KeyQuery, type KeyVerifier, keyRefusalOf, type VerifiedKey } from "./api-key.ts"
import { type Backend, refusalOf, type SessionQuery } from "./backend.ts"

interface Options {
  /** The address of the request's sender (`SessionQuery`). Each runtime of Hono has its own function for it (`getConnInfo`). */
  readonly address?: (context: Context) => SessionQuery["address"]
}

/**
 * Lets requests with a session through, with the session and its user as `context.get("auth")`. Answers others 401, or 503 if the service
 * does not answer.
 */
export const requireSession =
  ({ getSession }: Backend, { address }: Options = {}): MiddlewareHandler<{ Variables: { auth: SessionOf } }> =>
  async (context, next) => {
    const verdict = await getSession(context.req.raw, { address: address?.(context) })
    if (verdict.status === "authenticated") {
      context.set("auth", { session: verdict.session, user: verdict.user })
      await next()
    } else {
      const { status, body } = refusalOf(verdict)
      context.res = context.json(body, status)
    }
    if (verdict.status !== "unavailable") for (const [name, value] of verdict.headers) context.header(name, value, { append: true })
  }

/** Lets requests with a valid key and these permissions through, with the key as `context.get("apiKey")`. */
export const requireApiKey =
  (
    { verifyKey }: KeyVerifier,
    { address, ...query }: Options & Omit<KeyQuery, "address"> = {},
  ): MiddlewareHandler<{
    Variables: { apiKey: VerifiedKey }
  }> =>
  async (context, next) => {
    const verdict = await verifyKey(context.req.raw, { ...query, address: address?.(context) })
    if (verdict.status === "authenticated") {
      context.set("apiKey", verdict.apiKey)
      return await next()
    }
    const { status, body } = keyRefusalOf(verdict)
    return context.json(body, status)
  }
