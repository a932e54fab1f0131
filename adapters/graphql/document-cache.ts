import { hash } from "node:crypto"
import type { DocumentNode } from "graphql"
import { LRUCache } from "lru-cache"

/** The memory of a parsed document per token, including nodes and locations: 90 to 450 bytes were measured. */
const bytesPerToken = 512

/** The share of the cache that one document may use, so that a few large ones do not displace all others. */
const largestShare = 1 / 4

const bounds = { maxBytes: 2_000_000, maxSeen: 2_000 }

/**
 * Caches parsed and validated documents that clients send repeatedly. A document is cached at its second use, and the least recently used
 * documents are removed beyond `maxBytes`. A document that an attacker sends only once therefore takes no more memory than its hash.
 */
export const makeDocumentCache = ({ maxBytes, maxSeen }: typeof bounds = bounds) => {
  const kept = new LRUCache<string, DocumentNode>({ maxSize: maxBytes, maxEntrySize: maxBytes * largestShare })
  const seen = new LRUCache<string, true>({ max: maxSeen })

  const wasSeen = (text: string): boolean => {
    const digest = hash("sha256", text, "base64url")
    if (seen.delete(digest)) return true
    seen.set(digest, true)
    return false
  }

  const offer = (text: string, document: DocumentNode): void => {
    const size = memoryOf(text, document)
    if (size <= kept.maxEntrySize && !kept.has(text) && wasSeen(text)) kept.set(text, document, { size })
  }

  return {
    get: (text: string): DocumentNode | undefined => kept.get(text),
    offer,
    size: () => ({ documents: kept.size, bytes: kept.calculatedSize, seen: seen.size }),
  }
}

/** The approximate memory of a document: its text, which is the cache key and the source of its locations, and its tokens. */
const memoryOf = (text: string, { loc }: DocumentNode): number => {
  let tokens = 0
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) tokens++
  return 2 * text.length + bytesPerToken * tokens
}
