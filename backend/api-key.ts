import type { SessionQuery } from "./backend.ts"
import { type Incoming, reader } from "./incoming.ts"

/**
 * Whether a request has a valid key. `unavailable`: the service did not answer, or refused the backend's own key, so nothing is known of the
 * key in the request.
 */
export type KeyVerdict =
  | { readonly status: "authenticated"; readonly apiKey: VerifiedKey }
  | { readonly status: "anonymous"; readonly code: "none" | KeyRefusal }
  | { readonly status: "unavailable"; readonly reason: string }

/** A key that the service found valid, with its permissions of your application and of the administration. */
export interface VerifiedKey {
  readonly id: string
  readonly owner: { readonly kind: "user" | "organization" | "service_account"; readonly id: string }
  readonly permissions: ReadonlyArray<string>
  /** What a key of an organization may do in it, such as `{ invoice: ["read"] }`; undefined for other keys. */
  readonly statement?: Readonly<Record<string, ReadonlyArray<string>>>
  /** The moment at which it ends, in ISO 8601; null if it has no end. */
  readonly expiresAt: string | null
}

type KeyRefusal = "not_found" | "revoked" | "expired" | "owner_inactive" | "address" | "permission" | "budget"

export interface KeyOptions {
  /** Where the backend reaches the service, with its `base_path`: `http://auth.internal:3000/api/auth`. */
  readonly url: string
  /** The backend's own key: that of a service account with the permission `api_keys:verify`. */
  readonly key: string
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds after which the service counts as unavailable. */
  readonly timeout?: number
}

export interface KeyQuery extends Pick<SessionQuery, "address"> {
  /** The permissions that the key must have. */
  readonly permissions?: ReadonlyArray<string>
}

export interface KeyVerifier {
  readonly verifyKey: (request: Incoming, query?: KeyQuery) => Promise<KeyVerdict>
}

/** The key in `X-API-Key`, or in `Authorization: Bearer`. */
const keyIn = ({ headers }: Incoming): string | undefined => {
  const read = reader(headers)
  return read("x-api-key") ?? /^bearer +(\S+) *$/i.exec(read("authorization") ?? "")?.[1]
}

interface Answer {
  readonly valid?: unknown
  readonly code?: KeyRefusal
  readonly key_id: string
  readonly owner: VerifiedKey["owner"]
  readonly permissions: ReadonlyArray<string>
  readonly statement?: VerifiedKey["statement"]
  readonly expires_at: string | null
}

/** Verifies the keys of a backend's callers at the service. Nothing is cached: a key that was revoked is refused at once. */
export const createKeyVerifier = ({ url, key: own, fetch = globalThis.fetch, timeout = 3000 }: KeyOptions): KeyVerifier => ({
  verifyKey: async (request, { address, permissions } = {}) => {
    const key = keyIn(request)
    if (key === undefined || key.length > 200) return { status: "anonymous", code: "none" }
    try {
      const response = await fetch(`${url}/api-key/verify`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": own },
        body: JSON.stringify({ key, ...(permissions && { permissions }), ...(address && { address }) }),
        signal: AbortSignal.timeout(timeout),
        redirect: "error",
      })
      const answer = (await response.json()) as Answer
      if (!response.ok || typeof answer.valid !== "boolean")
        return { status: "unavailable", reason: `the service answered ${response.status}` }
      if (!answer.valid) return { status: "anonymous", code: answer.code ?? "not_found" }
      const { key_id: id, owner, permissions: held, statement, expires_at: expiresAt } = answer
      return { status: "authenticated", apiKey: { id, owner, permissions: held, ...(statement && { statement }), expiresAt } }
    } catch (error) {
      return { status: "unavailable", reason: error instanceof Error ? error.message : String(error) }
    }
  },
})

/** The response of a middleware to a request without a valid key, in the service's own envelope. */
export const keyRefusalOf = (verdict: Exclude<KeyVerdict, { readonly status: "authenticated" }>) => {
  if (verdict.status === "unavailable")
    return { status: 503, body: { error: { code: "unavailable", message: "The sign-in service does not answer." } } } as const
  if (verdict.code === "permission")
    return { status: 403, body: { error: { code: "forbidden", message: "The API key lacks a permission." } } } as const
  if (verdict.code === "budget")
    return { status: 429, body: { error: { code: "rate_limited", message: "The API key was used too often." } } } as const
  return { status: 401, body: { error: { code: "unauthorized", message: "There is no valid API key." } } } as const
}
