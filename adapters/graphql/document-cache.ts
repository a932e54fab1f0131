import { hash } from "node:crypto"
import type { DocumentNode } from "graphql"

/** What a parsed document takes in memory per token, with its nodes, locations and tokens: measured at 90 to 450 bytes. */
const bytesPerToken = 512

/** The part of the cache that one document may take, so that a few large ones do not push out all others. */
const largestShare = 1 / 4

const bounds = { maxBytes: 2_000_000, maxSeen: 2_000 }

/**
 * Keeps parsed and validated documents, so that those that clients send again and again are read once. A document is kept from its second
 * use on, and the one that was not used for longest makes room: what an attacker sends once takes the bytes of its hash, and what they
 * send twice no more than `maxBytes` with all others.
 */
export const makeDocumentCache = ({ maxBytes, maxSeen }: typeof bounds = bounds) => {
  const kept = new Map<string, { readonly document: DocumentNode; readonly bytes: number }>()
  const seen = new Set<string>()
  let held = 0

  const get = (text: string): DocumentNode | undefined => {
    const found = kept.get(text)
    if (found === undefined) return undefined
    kept.delete(text)
    kept.set(text, found)
    return found.document
  }

  const wasSeen = (text: string): boolean => {
    const digest = hash("sha256", text, "base64url")
    if (seen.delete(digest)) return true
    seen.add(digest)
    const [oldest] = seen
    if (seen.size > maxSeen && oldest !== undefined) seen.delete(oldest)
    return false
  }

  const offer = (text: string, document: DocumentNode): void => {
    const bytes = memoryOf(text, document)
    if (bytes > maxBytes * largestShare || kept.has(text) || !wasSeen(text)) return
    kept.set(text, { document, bytes })
    held += bytes
    for (const [oldest, { bytes }] of kept) {
      if (held <= maxBytes) return
      kept.delete(oldest)
      held -= bytes
    }
  }

  return { get, offer, size: () => ({ documents: kept.size, bytes: held, seen: seen.size }) }
}

/** About what a document takes in memory: its text, which is the key and the source of its locations, and its tokens. */
const memoryOf = (text: string, { loc }: DocumentNode): number => {
  let tokens = 0
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) tokens++
  return 2 * text.length + bytesPerToken * tokens
}
