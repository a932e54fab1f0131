import { Context, Effect, Semaphore } from "effect"
import { PublicFetch } from "../../../../domain/ports/public-fetch.ts"

/** Limit on the URLs of one cache. */
const maxUrls = 1000

/** What is known of a URL, and a lock, so that one request at a time is sent to it. */
export interface CachedUrl<A> {
  readonly mutex: Semaphore.Semaphore
  readonly value: A
}

/**
 * What this process knows of URLs, by the service that fetches them, which lives as long as the process. The `Store` would not do: each
 * recorded call has one of its own.
 */
export const fetchCache = <A>(name: string, initial: () => A) => {
  const Cache = Context.Reference(`sallyport/idp/${name}`, {
    defaultValue: () => new WeakMap<PublicFetch["Service"], Map<string, CachedUrl<A>>>(),
  })
  return Effect.fnUntraced(function* entryOf(url: string) {
    const cache = yield* Cache
    const service = yield* PublicFetch
    const urls = cache.get(service) ?? new Map<string, CachedUrl<A>>()
    cache.set(service, urls)
    const known = urls.get(url)
    if (known !== undefined) return known
    const [oldest] = urls.keys()
    if (urls.size >= maxUrls && oldest !== undefined) urls.delete(oldest)
    const entry: CachedUrl<A> = { mutex: Semaphore.makeUnsafe(1), value: initial() }
    urls.set(url, entry)
    return entry
  })
}
