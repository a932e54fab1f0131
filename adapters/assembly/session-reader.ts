import { type Backend, credentialsOf, isRefusal } from "../../backend/backend.ts"
import type { SessionOf } from "../../client/session.ts"
import type { CallOptions, CallResult } from "./call.ts"

type GetSession = (options: CallOptions & { readonly input: object }) => Promise<CallResult<unknown>>

/** Reads the session of a request without HTTP, so that the service is a `Backend` for the middlewares of its own process. */
export const sessionReader =
  (getSession: GetSession): Backend["getSession"] =>
  async (request, { address = null, extend = true } = {}) => {
    const { data, error, headers } = await getSession({ headers: request.headers, address, input: { extend } })
    const passedOn = credentialsOf(headers)
    const found = data as SessionOf | { readonly session: null } | null
    if (found?.session) return { status: "authenticated", session: found.session, user: found.user, headers: passedOn }
    if (error === null || isRefusal(error.status, { error })) return { status: "anonymous", headers: passedOn }
    return { status: "unavailable", reason: error.message }
  }
