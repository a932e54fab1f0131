import type { SessionOf } from "../client/session.ts"
import { type KeyQuery, type KeyVerifier, keyRefusalOf, type VerifiedKey } from "./api-key.ts"
import { type Backend, refusalOf } from "./backend.ts"

declare global {
  namespace Express {
    interface Request {
      /** Set by `requireSession`. */
      auth?: SessionOf
      /** Set by `requireApiKey`. */
      apiKey?: VerifiedKey
    }
  }
}

interface Request {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly ip?: string | undefined
  auth?: SessionOf
  apiKey?: VerifiedKey
}
interface Response {
  append(name: string, value: string): unknown
  status(code: number): { json(body: object): unknown }
}

/**
 * Lets requests with a session through, with the session and its user as `request.auth`. Answers others 401, or 503 if the service does not
 * answer.
 */
export const requireSession =
  ({ getSession }: Backend) =>
  async (request: Request, response: Response, next: () => void): Promise<void> => {
    const verdict = await getSession(request, { address: request.ip })
    if (verdict.status !== "unavailable") for (const [name, value] of verdict.headers) response.append(name, value)
    if (verdict.status !== "authenticated") {
      const { status, body } = refusalOf(verdict)
      response.status(status).json(body)
      return
    }
    request.auth = { session: verdict.session, user: verdict.user }
    next()
  }

/** Lets requests with a valid key and these permissions through, with the key as `request.apiKey`. Answers others 401, 403, 429 or 503. */
export const requireApiKey =
  ({ verifyKey }: KeyVerifier, query: Omit<KeyQuery, "address"> = {}) =>
  async (request: Request, response: Response, next: () => void): Promise<void> => {
    const verdict = await verifyKey(request, { ...query, address: request.ip })
    if (verdict.status !== "authenticated") {
      const { status, body } = keyRefusalOf(verdict)
      response.status(status).json(body)
      return
    }
    request.apiKey = verdict.apiKey
    next()
  }
