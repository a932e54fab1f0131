import { Context, Data, type Effect } from "effect"

/** A request to a URL that the operator did not write: it comes from a client, a user or a document. */
export interface PublicRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The most bytes of the answer that are read. */
  readonly limit: number
  /** Milliseconds from the resolution of the name to the end of the answer. */
  readonly timeout: number
  /** Whether the address may be private, and the URL `http:`: only for URLs of the operator. */
  readonly allow_private: boolean
}

export interface PublicAnswer {
  readonly status: number
  /** The header field `Retry-After`. */
  readonly retryAfter: string | undefined
  /** Null if it is longer than `limit`. */
  readonly body: Uint8Array | null
}

/** A request without an answer: the URL is refused, or its server did not answer. `reason` contains no address. */
export class NotFetched extends Data.TaggedError("NotFetched")<{ readonly reason: string }> {}

/**
 * Sends requests to URLs from outside. Without `allow_private` it connects only by https, and only to public addresses: a URL could otherwise
 * make the service send requests into its own network (SSRF, CWE-918). It follows no redirect and uses no proxy.
 */
export class PublicFetch extends Context.Service<
  PublicFetch,
  {
    fetch(request: PublicRequest): Effect.Effect<PublicAnswer, NotFetched>
    /** Whether a URL can be public: it has https, and its host is neither a private address nor a name of this machine. */
    isPublicUrl(url: string): boolean
  }
>()("sallyport/PublicFetch") {}
