import type { Incoming } from "../../backend/index.ts"

// The types of `auth.call`, without those of Effect, which an application would compile.

export interface CallError {
  readonly code: string
  readonly message: string
  readonly status: number
  /** Seconds until a retry can succeed. */
  readonly retryAfter?: number
}

interface Answered {
  /** The header fields of the response: send each `set-cookie` to the browser. */
  readonly headers: Headers
}

/** The result of a call, which never rejects. A sign-in that needs another step has its `challenge` in place of `data`. */
export type CallResult<O> =
  | (Answered & { readonly data: O; readonly error: null; readonly challenge: null })
  | (Answered & { readonly data: null; readonly error: null; readonly challenge: Readonly<Record<string, unknown>> })
  | (Answered & { readonly data: null; readonly error: CallError; readonly challenge: null })

/** The header fields of a request: those of fetch, or of `node:http`, Express and Fastify. */
export type RequestHeaders = HeadersInit | Incoming["headers"]

/** The request of the user for whom an operation runs. */
export interface CallOptions {
  /** The header fields of the user's request: cookies, `authorization`, `user-agent`, `x-forwarded-for`. */
  readonly headers?: RequestHeaders
  /** The address of the peer that sent the request. */
  readonly address?: string | null
  /**
   * Calls an operation of administrators as your application itself, with all permissions and without a user: its name, of 1 to 64 small
   * letters, digits and `_.:-`, which the audit log records. Never take it from a request.
   */
  readonly actor?: string
  /** As for `fetch`. */
  readonly waitUntil?: WaitUntil
}

/** Keeps the process running until the promise is settled, as `waitUntil` of serverless platforms and `after` of Next.js do. */
export type WaitUntil = (work: Promise<unknown>) => void

type Input<I> = keyof I extends never
  ? { readonly input?: undefined }
  : Partial<I> extends I
    ? { readonly input?: I }
    : { readonly input: I }
/** A call with an input and an output in JSON. */
export type Call<I, O> =
  Partial<Input<I>> extends Input<I>
    ? (options?: CallOptions & Input<I>) => Promise<CallResult<O>>
    : (options: CallOptions & Input<I>) => Promise<CallResult<O>>
