import type { SessionOf } from "../client/session.ts"
import { type Backend, refusalOf, type SessionQuery } from "./backend.ts"

type RouteHandler<Context> = (request: Request, context: Context & { readonly auth: SessionOf }) => Response | Promise<Response>

interface Options {
  /** The address of the request's sender (`SessionQuery`). Next.js does not provide it: read the header field that its proxy overwrites. */
  readonly address?: (request: Request) => SessionQuery["address"]
}

/** Wraps a route handler of Next.js, which then runs only for requests with a session. `context.auth` has the session and its user. */
export const requireSession =
  ({ getSession }: Backend, { address }: Options = {}) =>
  <Context extends object>(handler: RouteHandler<Context>) =>
  async (request: Request, context: Context): Promise<Response> => {
    const verdict = await getSession(request, { address: address?.(request) })
    if (verdict.status === "unavailable") return refused(verdict)
    const response =
      verdict.status === "authenticated"
        ? await handler(request, { ...context, auth: { session: verdict.session, user: verdict.user } })
        : refused(verdict)
    const answer = new Response(response.body, response)
    for (const [name, value] of verdict.headers) answer.headers.append(name, value)
    return answer
  }

const refused = (verdict: Parameters<typeof refusalOf>[0]) => {
  const { status, body } = refusalOf(verdict)
  return Response.json(body, { status })
}

/**
 * The session of a server component: `serverSession(backend, await headers())`. A component cannot write cookies, so this does not extend
 * the session: the browser's own calls do, and `getSession` in `proxy.ts` whose `headers` are appended to the response.
 */
export const serverSession = async (
  { getSession }: Backend,
  headers: Headers,
  query?: Omit<SessionQuery, "extend">,
): Promise<SessionOf | null> => {
  const verdict = await getSession({ headers }, { ...query, extend: false })
  if (verdict.status === "unavailable") throw new Error(`The sign-in service is unavailable: ${verdict.reason}`)
  return verdict.status === "authenticated" ? { session: verdict.session, user: verdict.user } : null
}
