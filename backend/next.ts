import type { SessionOf } from "../client/session.ts"
import { type KeyQuery, type KeyVerifier, keyRefusalOf, type VerifiedKey } from "./api-key.ts"
import { type Backend, refusalOf, type SessionQuery } from "./backend.ts"

type RouteHandler<Context> = (request: Request, context: Context & { readonly auth: SessionOf }) => Response | Promise<Response>

interface Options {
  /** The address of the request's sender (`SessionQuery`). Next.js does not provide it: read the header field that its proxy overwrites. */
  readonly address?: (request: Request) => SessionQuery["address"]
}

interface MountOptions {
  /** `after` of `next/server`: mail and short messages are sent although the platform freezes the process after a response. */
  readonly waitUntil?: (work: Promise<unknown>) => void
}
type Fetch = (request: Request, options?: MountOptions) => Promise<Response>

/**
 * The route handlers of a service that is mounted in Next.js, for `app/api/auth/[...path]/route.ts`. Next.js answers `HEAD` and `OPTIONS`
 * itself unless a route has them. It knows no address of the client: set `client_address`.
 */
export const mount = ({ fetch }: { readonly fetch: Fetch }, options: MountOptions = {}) => {
  const handle = (request: Request): Promise<Response> => fetch(uncompressed(request), options)
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, DELETE: handle, OPTIONS: handle }
}

/**
 * Next.js drops `Content-Encoding` of a route handler's response, and compresses responses itself. Its request is a proxy, which
 * `new Request` refuses.
 */
const uncompressed = ({ url, method, headers, body, signal }: Request) => {
  const others = new Headers(headers)
  others.delete("accept-encoding")
  return new Request(url, { method, headers: others, body, signal, ...(body && { duplex: "half" }) })
}

/** The cookies of Next.js that a server action or a route handler can write: `await cookies()`. */
interface CookieStore {
  set(name: string, value: string, options: CookieOptions): unknown
}
interface CookieOptions {
  path?: string
  domain?: string
  maxAge?: number
  expires?: Date
  httpOnly?: boolean
  secure?: boolean
  sameSite?: "lax" | "strict" | "none"
}

/** Writes each `Set-Cookie` of these header fields, those of a call, to the browser: `writeCookies(headers, await cookies())`. */
export const writeCookies = (headers: Headers, store: CookieStore): void => {
  for (const line of headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim())
    const [name, value] = halves(pair)
    // Next.js encodes the value, which is encoded already.
    store.set(name, decoded(value), Object.assign({}, ...attributes.map(optionOf)))
  }
}

const halves = (text: string): readonly [string, string] => {
  const at = text.indexOf("=")
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)]
}

const decoded = (value: string) => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const optionOf = (attribute: string): CookieOptions => {
  const [name, value] = halves(attribute)
  const option = options[name.toLowerCase()]
  return option?.(value) ?? {}
}

const options: Readonly<Record<string, (value: string) => CookieOptions>> = {
  path: (path) => ({ path }),
  domain: (domain) => ({ domain }),
  "max-age": (seconds) => ({ maxAge: Number(seconds) }),
  expires: (date) => ({ expires: new Date(date) }),
  httponly: () => ({ httpOnly: true }),
  secure: () => ({ secure: true }),
  samesite: (value) => ({ sameSite: value.toLowerCase() as "lax" | "strict" | "none" }),
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

type KeyHandler<Context> = (request: Request, context: Context & { readonly apiKey: VerifiedKey }) => Response | Promise<Response>

/** Wraps a route handler of Next.js, which then runs only for requests with a valid key and these permissions, as `context.apiKey`. */
export const requireApiKey =
  ({ verifyKey }: KeyVerifier, { address, ...query }: Options & Omit<KeyQuery, "address"> = {}) =>
  <Context extends object>(handler: KeyHandler<Context>) =>
  async (request: Request, context: Context): Promise<Response> => {
    const verdict = await verifyKey(request, { ...query, address: address?.(request) })
    if (verdict.status === "authenticated") return await handler(request, { ...context, apiKey: verdict.apiKey })
    const { status, body } = keyRefusalOf(verdict)
    return Response.json(body, { status })
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
