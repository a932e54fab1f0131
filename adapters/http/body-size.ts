import { Context, Effect } from "effect"
import type { AuthError } from "../../domain/errors.ts"
import type { countRequest } from "../../domain/limits/limits.ts"

/** The bytes of a body that count as one request. A body of 1 MB takes the server ten times as long as an ordinary request. */
const blockBytes = 65_536

type Headers = Readonly<Record<string, string | undefined>>

/** The length in `Content-Length`; an invalid one counts as absent. `node:http` refuses these, other servers may not. */
export const lengthOf = (headers: Headers): number | undefined => {
  const { "content-length": length = "" } = headers
  return /^\d+$/.test(length) ? Number(length) : undefined
}

/** The further requests that a body counts as. */
export const blocksIn = (bytes: number): number => Math.floor(bytes / blockBytes)

/** How many requests a request counts as before its body is read. A body that is too long is not read. */
export const requestsOf = (headers: Headers, maxBodyBytes: number): number => {
  const length = lengthOf(headers) ?? 0
  return length > maxBodyBytes ? 1 : 1 + blocksIn(length)
}

type Count = (requests: number) => Effect.Effect<void, AuthError, Effect.Services<ReturnType<typeof countRequest>>>

/** Counts further requests against the budget of the request, for a body without `Content-Length`. The guard provides it. */
export const CountFurther = Context.Reference<Count>("sallyport/CountFurther", { defaultValue: () => () => Effect.void })
