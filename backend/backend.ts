import type { SessionOf } from "../client/session.ts"
import { type Incoming, reader } from "./incoming.ts"

/**
 * Whether a request has a session. `unavailable`: the service did not answer, so the state of the session is unknown: do not sign the user
 * out. `headers` has each `Set-Cookie` and `set-auth-token` of the service's response: append them to the backend's response.
 */
export type SessionVerdict =
  | ({ readonly status: "authenticated"; readonly headers: Headers } & SessionOf)
  | { readonly status: "anonymous"; readonly headers: Headers }
  | { readonly status: "unavailable"; readonly reason: string }

export interface BackendOptions {
  /** Where the backend reaches the service, with its `base_path`: `http://auth.internal:3000/api/auth`. */
  readonly url: string
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds after which the service counts as unavailable. */
  readonly timeout?: number
}

export interface SessionQuery {
  /**
   * The address of the request's sender, from the socket or from a header field that the backend's own proxy overwrites. It is appended to
   * `X-Forwarded-For`, which the service reads if the backend is in `trusted_proxies`. Without an address the request's `X-Forwarded-For`
   * is dropped: otherwise callers could choose their address.
   */
  readonly address?: string | null | undefined
  /**
   * Whether the request extends a session that is due for it. Default: true. With false, the response sets no cookie: for code that cannot
   * write one.
   */
  readonly extend?: boolean
}

export interface Backend {
  readonly getSession: (request: Incoming, query?: SessionQuery) => Promise<SessionVerdict>
}

/** Reads sessions from the service. Nothing is cached: a session that was revoked is refused at once. */
export const createBackend = ({ url, fetch = globalThis.fetch, timeout = 3000 }: BackendOptions): Backend => ({
  getSession: async ({ headers }, { address, extend = true } = {}) => {
    const read = reader(headers)
    const [cookie, authorization] = [read("cookie"), read("authorization")]
    if (cookie === undefined && authorization === undefined) return { status: "anonymous", headers: new Headers() }
    const sent = { cookie, authorization, "user-agent": read("user-agent"), "x-forwarded-for": appended(read("x-forwarded-for"), address) }
    try {
      const response = await fetch(`${url}/get-session${extend ? "" : "?extend=false"}`, {
        headers: present(sent),
        signal: AbortSignal.timeout(timeout),
        redirect: "error",
      })
      const body: unknown = await response.json()
      const passedOn = credentialsOf(response.headers)
      if (response.ok && isSession(body)) return { status: "authenticated", session: body.session, user: body.user, headers: passedOn }
      if ((response.ok && isNoSession(body)) || isRefusal(response.status, body)) return { status: "anonymous", headers: passedOn }
      return { status: "unavailable", reason: `the service answered ${response.status}` }
    } catch (error) {
      return { status: "unavailable", reason: error instanceof Error ? error.message : String(error) }
    }
  },
})

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null

const isSession = (body: unknown): body is SessionOf => isObject(body) && isObject(body["session"]) && isObject(body["user"])

const isNoSession = (body: unknown) => isObject(body) && body["session"] === null

/** Whether the service refused the session itself: it has ended, or its user is banned. */
export const isRefusal = (status: number, body: unknown) => {
  const error = isObject(body) ? body["error"] : undefined
  return status === 401 || (status === 403 && isObject(error) && error["code"] === "banned")
}

/** The new credentials in the service's response. */
export const credentialsOf = (headers: Headers): Headers => {
  const found = new Headers()
  for (const cookie of headers.getSetCookie()) found.append("set-cookie", cookie)
  const token = headers.get("set-auth-token")
  if (token !== null) found.set("set-auth-token", token)
  return found
}

/** `X-Forwarded-For` with the sender's address at its end. The service uses the last entry; the entries before it can be forged. */
const appended = (forwarded: string | undefined, address: SessionQuery["address"]) => {
  if (!address) return undefined
  return forwarded ? `${forwarded}, ${address}` : address
}

const present = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined))

/** The response of a middleware to a request without a session, in the service's own envelope. */
export const refusalOf = ({ status }: SessionVerdict): { readonly status: 401 | 503; readonly body: object } =>
  status === "unavailable"
    ? { status: 503, body: { error: { code: "unavailable", message: "The sign-in service does not answer." } } }
    : { status: 401, body: { error: { code: "unauthorized", message: "There is no valid session." } } }
