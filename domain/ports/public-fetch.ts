import { Context, Data, type Effect, type Option } from "effect"

/** A request to a URL that a client or an administrator gave. */
export interface PublicRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The maximum number of bytes of the response's body. */
  readonly limit: number
  /** Milliseconds from the resolution of the name to the end of the response. */
  readonly patience: number
  /** Whether the address may be private, and the URL `http:`. */
  readonly allow_private: boolean
}

/** A response with any status. */
export interface PublicResponse {
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body as it was sent; none if it is longer than `limit`. */
  readonly body: Option.Option<Uint8Array>
}

/** There is no response. `reason` has no part of the URL or of what was received. */
export class NoResponse extends Data.TaggedError("NoResponse")<{
  readonly reason: string
  /** Whether the URL or its address is not allowed: then nothing was sent. */
  readonly refused: boolean
}> {}

/**
 * Sends requests to URLs that are not the operator's, to public addresses only. The connection uses the addresses that were checked. Redirects
 * are not followed, and no proxy of the environment is used. `HttpClient` is for addresses of the operator.
 */
export class PublicFetch extends Context.Service<
  PublicFetch,
  { fetch(request: PublicRequest): Effect.Effect<PublicResponse, NoResponse> }
>()("sallyport/PublicFetch") {}
