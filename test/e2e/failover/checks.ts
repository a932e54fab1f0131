import { type Kind, kinds, type Ledger } from "./operations.ts"

interface AuditRow {
  readonly id: string
  readonly type: string
  readonly request_id: string | null
  readonly session_id: string | null
}

/** The rows of a table. */
export type Rows = (table: string) => Promise<ReadonlyArray<Readonly<Record<string, any>>>>

/** The committed events: all records of the audit log. */
export const committedEvents = async (rows: Rows): Promise<ReadonlyArray<AuditRow>> => (await rows("audit_record")) as any

/** How many events still have to be delivered. */
export const undelivered = async (rows: Rows): Promise<number> =>
  (await Promise.all([rows("event"), rows("webhook_delivery")])).reduce((sum, { length }) => sum + length, 0)

/** The time of a UUIDv7, milliseconds. */
const timeOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)

/**
 * The users whose events were delivered in another order than their changes were acknowledged in, as sentences. Each user has one change at
 * a time; of several deliveries of an event, the first counts. Events are ordered by the clocks of their instances: one that is a minute
 * older by its clock may come first.
 */
export const reordered = (ledger: Ledger, events: ReadonlyArray<AuditRow>, delivered: Iterable<string>): ReadonlyArray<string> => {
  const places = new Map([...delivered].map((id, index) => [id, index]))
  const eventOf = new Map(events.map(({ id, request_id }) => [request_id, { place: places.get(id) ?? 0, time: timeOf(id) }]))
  const latest = new Map<string, { readonly place: number; readonly time: number }>()
  return ledger.acknowledged.flatMap(({ person, requestId }) => {
    const event = eventOf.get(requestId)
    if (person === undefined || event === undefined) return []
    const before = latest.get(person)
    if (before === undefined || event.place >= before.place) {
      latest.set(person, event)
      return []
    }
    return event.time < before.time - 60_000 ? [] : [`the event of ${requestId} came before one of an earlier change of user ${person}`]
  })
}

/** The acknowledged writes that the database lacks, as sentences. */
export const lostWrites = async (rows: Rows, ledger: Ledger, events: ReadonlyArray<AuditRow>): Promise<ReadonlyArray<string>> => {
  const names = new Map((await rows("user")).map(({ id, name }) => [id, name]))
  const slugs = new Set((await rows("organization")).map(({ slug }) => slug))
  const sessions = new Set((await rows("session")).map(({ id }) => id))
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
