import { sql } from "../database.ts"
import { type Kind, kinds, type Ledger } from "./operations.ts"

interface AuditRow {
  readonly id: string
  readonly type: string
  readonly request_id: string | null
  readonly session_id: string | null
}

/** The committed events: all records of the audit log. */
export const committedEvents = async (url: string): Promise<ReadonlyArray<AuditRow>> =>
  (await sql(url, "SELECT id, type, request_id, session_id FROM audit_record")) as any

/** How many events still have to be delivered. */
export const undelivered = async (url: string): Promise<number> => {
  const [row] = await sql(url, "SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM webhook_delivery) AS count")
  return Number(row?.["count"])
}

const column = async (url: string, statement: string) => (await sql(url, statement)).map((row) => Object.values(row)[0])

/** The acknowledged writes that the database lacks, as sentences. */
export const lostWrites = async (url: string, ledger: Ledger, events: ReadonlyArray<AuditRow>): Promise<ReadonlyArray<string>> => {
  const names = new Map((await sql(url, `SELECT id, name FROM "user"`)).map(({ id, name }) => [id, name]))
  const slugs = new Set(await column(url, "SELECT slug FROM organization"))
  const sessions = new Set(await column(url, "SELECT id FROM session"))
  const byRequest = Map.groupBy(events, ({ request_id }) => request_id)
  const typesOf = (requestId: string) => new Set((byRequest.get(requestId) ?? []).map(({ type }) => type))
  const isThere = (requestId: string) => (byRequest.get(requestId) ?? []).some(({ session_id }) => sessions.has(session_id))

  const lacksEvents = ({ kind, requestId }: { readonly kind: Kind; readonly requestId: string }) =>
    !kinds[kind].events.every((type) => typesOf(requestId).has(type))
  const wrongSession = ([requestId, wanted]: readonly [string, string]) =>
    wanted !== "either" && isThere(requestId) !== (wanted === "there")
  return [
    ...ledger.acknowledged.filter(lacksEvents).map(({ kind, requestId }) => `${kind} ${requestId}: its events are missing`),
    ...[...ledger.sessions].filter(wrongSession).map(([requestId, wanted]) => `the session of ${requestId} should be ${wanted}`),
    ...ledger.slugs.filter((slug) => !slugs.has(slug)).map((slug) => `${slug} is missing`),
    ...ledger.people.filter(({ id }) => !names.has(id)).map(({ id }) => `user ${id} is missing`),
    ...ledger.people
      .filter(({ id, names: allowed, lateNames }) => ![...allowed, ...lateNames].includes((names.get(id) as string | null) ?? undefined))
      .map(({ id, names: allowed }) => `user ${id} is ${names.get(id)} instead of ${allowed}`),
  ]
}
