import { Effect } from "effect"
import type { PublicRequest } from "../domain/ports/public-fetch.ts"
import { NotFetched, PublicFetch } from "../domain/ports/public-fetch.ts"
import { isLocal } from "../domain/values/url.ts"

/** Answers requests to URLs from outside; null is a server that cannot be reached. */
export const answering = (answer: (request: PublicRequest) => Response | null) =>
  PublicFetch.of({
    isPublicUrl: (url) => url.startsWith("https://") && !isLocal(new URL(url)),
    fetch: Effect.fnUntraced(function* answerRequest(request: PublicRequest) {
      yield* Effect.yieldNow
      const response = answer(request)
      if (response === null) return yield* new NotFetched({ reason: "ECONNREFUSED" })
      const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
      const retryAfter = response.headers.get("retry-after") ?? undefined
      return { status: response.status, retryAfter, body: bytes.length > request.limit ? null : bytes }
    }),
  })
