/** The result of a call: `data`, or the `error` that explains why there is none. A call never throws. */
export type Result<Data, Code extends string = never> =
  | { readonly data: Data; readonly error: null; readonly response: Response }
  | { readonly data: null; readonly error: Failure<Code>; readonly response: Response | null }

/** The codes of any operation. */
export const commonCodes = [
  "internal_error",
  "invalid_json",
  "not_found",
  "overloaded",
  "payload_too_large",
  "rate_limited",
  "unavailable",
  "untrusted_origin",
] as const
export type CommonCode = (typeof commonCodes)[number]

/** The codes of the client: the service was not reached, the caller cancelled the call, or the answer is not the service's. */
export type ClientCode = "network_error" | "aborted" | "unexpected_response"

export interface Failure<Code extends string = never> {
  readonly code: Code | CommonCode | ClientCode
  readonly message: string
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** The seconds after which a retry can succeed, with 429 and 503: the field `Retry-After`. */
  readonly retryAfter?: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /**
   * How often the call is sent again, after the seconds of `retryAfter`, while the service refuses it for a time. Default: 0. An idempotency
   * key makes a write that is sent again happen once.
   */
  readonly retries?: number
}

/** An operation of the service. */
export type Operation<Input, Data, Code extends string> = (input: Input, options?: CallOptions) => Promise<Result<Data, Code>>

/** An operation whose input has no required member. */
export type OptionalOperation<Input, Data, Code extends string> = (input?: Input, options?: CallOptions) => Promise<Result<Data, Code>>

export type NoInput = Readonly<Record<string, never>>

/** The operations of a service, as the command `types` writes them. */
export interface OperationsOf<All> {
  /** The paths that are read by GET. */
  readonly gets: ReadonlyArray<string>
  /** A type without a value. */
  readonly types?: All
}

/** Where a client without cookies keeps its token. */
export interface TokenStore {
  readonly get: () => string | null | Promise<string | null>
  /** Receives the token of a session that began or was extended, and null when the session has ended. */
  readonly set: (token: string | null) => void | Promise<void>
}

export interface Connection {
  /** The service's `public_url` and `base_path`, such as `https://auth.example.com/api/auth`. */
  readonly url: string
  readonly fetch: typeof globalThis.fetch
  readonly token: TokenStore | undefined
  /** Called when a response says that the session or its user changed. */
  readonly onChange: () => void
}

/** Sends a request, and again while it is refused for a time. */
export const send = async (
  connection: Connection,
  operation: readonly [method: "GET" | "POST", path: string],
  input?: object,
  options: CallOptions = {},
): Promise<Result<any, string>> => {
  for (let left = options.retries ?? 0; ; left--) {
    const result = await sendOnce(connection, operation, input, options)
    const seconds = result.error?.retryAfter
    if (left < 1 || !seconds) return result
    await pause(seconds, options.signal)
  }
}

/** After an abort, the next request fails as aborted. */
const pause = (seconds: number, signal: AbortSignal | undefined) =>
  new Promise<unknown>((resolve) => {
    setTimeout(resolve, seconds * 1000)
    signal?.addEventListener("abort", resolve)
  })

/** Inputs of GET operations are query parameters. */
const sendOnce = async (
  { url, fetch, token, onChange }: Connection,
  [method, path]: readonly [method: "GET" | "POST", path: string],
  input: object | undefined,
  { signal, headers: more }: CallOptions,
): Promise<Result<any, string>> => {
  try {
    const headers: Record<string, string> = { ...more }
    const sent = await token?.get()
    if (sent) headers["authorization"] = `Bearer ${sent}`
    if (method === "POST") headers["content-type"] = "application/json"
    const response = await fetch(url + path + (method === "GET" ? queryOf(input) : ""), {
      method,
      headers,
      credentials: token ? "omit" : "include",
      body: method === "POST" ? JSON.stringify(input ?? {}) : null,
      signal: signal ?? null,
    })
    const next = response.headers.get("set-auth-token")
    // If another call has replaced the token that this call sent, an extension or end of the old token is ignored.
    if (token && next !== null && ((next && next !== sent) || (await token.get()) === sent)) await token.set(next || null)
    const result = await resultOf(response)
    if (response.headers.has("session-changed")) onChange()
    return result
  } catch (error) {
    const code = signal?.aborted ? "aborted" : "network_error"
    return { data: null, error: { code, message: String(error), status: 0 }, response: null }
  }
}

const queryOf = (input: object = {}): string => {
  const given = Object.entries(input).filter(([, value]) => value != null)
  return given.length ? `?${new URLSearchParams(given)}` : ""
}

const resultOf = async (response: Response): Promise<Result<any, string>> => {
  const { status, ok } = response
  const body = await response.json().catch(() => undefined)
  if (ok && body) return { data: body, error: null, response }
  const { code = "unexpected_response", message = `The response has status ${status} and is not in the service's format.` } =
    body?.error ?? {}
  const seconds = Number(response.headers.get("retry-after"))
  return { data: null, error: { code, message, status, ...(seconds ? { retryAfter: seconds } : {}) }, response }
}
