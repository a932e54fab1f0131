import { DateTime, Effect, Option, Result, Semaphore } from "effect"
import { consume, countByNetwork } from "../../../../../domain/limits/limits.ts"
import { PublicFetch, type PublicResponse } from "../../../../../domain/ports/public-fetch.ts"
import { insert, isCommitted, Store, update, type Versioned } from "../../../../../domain/ports/store.ts"
import { after } from "../../../../../domain/sessions/session.ts"
import { InvalidClient } from "../../errors.ts"
import type { Settings } from "../../settings.ts"
import type { Metadata } from "../client.ts"
import { fetchCache } from "../fetch-cache.ts"
import { isPublicOnly } from "../stored-clients.ts"
import { type AgentClient, AgentClients, unusedFor } from "./agent-clients.ts"
import { documentUrl } from "./document-address.ts"
import { documentMetadata } from "./document-content.ts"

// Reads client ID metadata documents. A stranger chooses their URLs, so requests are sent only for a user who has signed in, to URLs that the
// configuration permits, or to renew a copy.

/** Limit on the size of a document, bytes. */
const limit = 5120
/** Milliseconds for the whole request. */
const patience = 2500
/** Seconds for which a copy is used without another request: the shortest time, the longest, and the default. */
const freshness = { least: 300, most: 86_400, usual: 3600 }
/** Seconds after a failure in which the URL is not requested again. */
const pause = 60

/** The epoch milliseconds of the last failure of a URL. */
const entryOf = fetchCache("Documents", () => ({ failed_at: Number.NEGATIVE_INFINITY }))
const concurrent = Semaphore.makeUnsafe(16)

/** Limits on requests for new documents: because of one user or, for documents that the configuration names, one network; and in all. */
const countNew = Effect.fnUntraced(function* countNew({ host }: URL, user_id: string | null) {
  if (user_id === null) yield* countByNetwork("new_documents", { limit: 20, window: 3600 })
  else yield* consume({ name: "idp/new_documents", limit: 20, window: 3600 }, user_id)
  yield* consume({ name: "idp/new_documents_of_host", limit: 30, window: 60 }, host)
  yield* consume({ name: "idp/all_new_documents", limit: 120, window: 60 }, "all")
})

/** Limits on requests that renew copies, which new documents cannot use up. */
const countRenewal = Effect.fnUntraced(function* countRenewal({ host }: URL) {
  yield* consume({ name: "idp/documents_of_host", limit: 30, window: 60 }, host)
  yield* consume({ name: "idp/all_documents", limit: 120, window: 60 }, "all")
})

const isJson = ({ headers }: PublicResponse) => /^application\/([\w.-]+\+)?json *(;|$)/i.test(String(headers["content-type"] ?? ""))

/** Seconds for which the response may be kept (RFC 9111 section 5.2.2), within our limits. */
const freshSeconds = ({ headers }: PublicResponse) => {
  const control = String(headers["cache-control"] ?? "").toLowerCase()
  if (/\bno-(store|cache)\b/.test(control)) return freshness.least
  const [, seconds] = /\bs-maxage=(\d+)/.exec(control) ?? /\bmax-age=(\d+)/.exec(control) ?? []
  return seconds === undefined ? freshness.usual : Math.min(freshness.most, Math.max(freshness.least, Number(seconds)))
}

/** What the URL of a document answers. `withdrawn`: it says that there is no valid document. */
type Answer = { readonly metadata: Metadata; readonly fresh: number } | "withdrawn" | "unreachable"

const request = Effect.fnUntraced(function* request(url: URL, allow_private: boolean) {
  const { fetch } = yield* PublicFetch
  const headers = { accept: "application/json" }
  const sent = fetch({ method: "GET", url: url.href, headers, limit, patience, allow_private })
  const result = yield* Effect.result(concurrent.withPermits(1)(sent))
  if (Result.isFailure(result)) return "unreachable"
  const { status, body } = result.success
  if (status === 404 || status === 410) return "withdrawn"
  if (status !== 200 || !isJson(result.success)) return "unreachable"
  const metadata = Option.flatMap(body, (bytes) => documentMetadata(url, bytes))
  return Option.match(metadata, {
    onNone: (): Answer => "withdrawn",
    onSome: (metadata): Answer => ({ metadata, fresh: freshSeconds(result.success) }),
  })
})

type Known = Option.Option<Versioned<AgentClient>>

/** Stores what was read. Of two processes that read it at once, the first stores it. */
const kept = Effect.fnUntraced(function* kept(client_id: string, known: Known, answer: Exclude<Answer, "unreachable">) {
  const now = yield* DateTime.now
  if (answer === "withdrawn") {
    if (Option.isNone(known)) return
    const withdrawn_at = known.value.row.withdrawn_at ?? now
    yield* isCommitted([update(AgentClients, known.value, { withdrawn_at, fresh_until: after(now, freshness.least) })])
    return
  }
  const { metadata, fresh } = answer
  const end = after(now, unusedFor)
  const expires_at = Option.match(known, { onNone: () => end, onSome: ({ row }) => DateTime.max(row.expires_at, end) })
  const read = { metadata, read_at: now, fresh_until: after(now, fresh), withdrawn_at: null, expires_at }
  const row: AgentClient = { client_id, kind: "document", native_redirect_uris: [], created_at: now, blocked_at: null, ...read }
  yield* isCommitted([Option.isSome(known) ? update(AgentClients, known.value, read) : insert(AgentClients, row)])
})

const unreadable = (reason: string) => new InvalidClient({ message: `The metadata document of the client ${reason}.` })

/** The document of a `client_id`, if the configuration permits it. */
const documentOf = Effect.fnUntraced(function* documentOf(settings: Settings, client_id: string) {
  const { metadata_clients, clients } = settings
  if (metadata_clients === null || clients.some((each) => each.client_id === client_id)) return undefined
  const allow_private = !(yield* isPublicOnly(settings, true))
  const found = documentUrl(client_id, metadata_clients, allow_private)
  return found === undefined ? undefined : { ...found, allow_private }
})

/**
 * Reads the document of a client, if `client_id` is its URL and there is no fresh copy of it. Without a signed-in user, only a known document is
 * read again, or one that the configuration names. False if the document is permitted but was not read, because there is no signed-in user. Fails
 * with `invalid_client` if a new one cannot be read, and with `rate_limited`.
 */
export const readDocument = Effect.fnUntraced(function* readDocument(
  settings: Settings,
  client_id: string | undefined,
  user_id: string | null,
) {
  const document = client_id === undefined ? undefined : yield* documentOf(settings, client_id)
  if (client_id === undefined || document === undefined) return true
  const { url, isNamed, allow_private } = document
  const store = yield* Store
  const found = yield* store.read(AgentClients, { client_id })
  if (!(yield* isDue(found))) return true
  if (Option.isNone(found) && user_id === null && !isNamed) return false

  const { mutex, value: entry } = yield* entryOf(`${allow_private} ${client_id}`)
  const read = Effect.gen(function* () {
    // Another request may have read it in the meantime.
    const known = yield* store.read(AgentClients, { client_id })
    if (!(yield* isDue(known))) return
    const now = DateTime.toEpochMillis(yield* DateTime.now)
    if (now - entry.failed_at < pause * 1000) return yield* Option.isSome(known) ? Effect.void : unreadable("cannot be read")
    if (Option.isNone(known)) yield* countNew(url, user_id)
    // Without a renewal the copy still counts.
    else if (!(yield* Effect.isSuccess(countRenewal(url)))) return
    const answer = yield* request(url, allow_private)
    if (answer !== "unreachable") yield* kept(client_id, known, answer)
    if (typeof answer !== "string") return
    entry.failed_at = now
    yield* Effect.annotateLogs(Effect.logWarning("the metadata document of a client cannot be read"), { client_id })
    if (Option.isNone(known)) return yield* unreadable(answer === "withdrawn" ? "does not exist or is not valid" : "cannot be read")
  })
  yield* mutex.withPermits(1)(read)
  return true
})

/** Whether a copy is missing or old. The document of a blocked client is never read. */
const isDue = (known: Known) =>
  Effect.map(DateTime.now, (now) =>
    Option.match(known, {
      onNone: () => true,
      onSome: ({ row }) => row.blocked_at === null && DateTime.isLessThanOrEqualTo(row.fresh_until, now),
    }),
  )
