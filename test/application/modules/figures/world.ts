import { DateTime, Effect, Schema, Stream } from "effect"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { recordWrites } from "../../../../application/modules/audit/record.ts"
import { seal as sealing } from "../../../../application/modules/audit/seal.ts"
import { type AuditRecord, Records } from "../../../../application/modules/audit/tables.ts"
import { figures } from "../../../../application/modules/figures/index.ts"
import { Figures } from "../../../../application/modules/figures/tables.ts"
import type { AnyModule } from "../../../../application/service/module.ts"
import { eventTypes } from "../../../../domain/events/event-types.ts"
import type { SecurityEvent } from "../../../../domain/events/security-event.ts"
import { rowsOf as every, Store } from "../../../../domain/ports/store.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { core } from "../../../world.ts"

export const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}))
export const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: ["root@example.com"], roles: {} }))

/** A process that counts figures. Each has users of its own whom it remembers. */
export const processOf = () => {
  const counting = figures.build({})
  const modules = [...core, administration, log, counting]
  const merge = Effect.forEach(counting.background, ({ run }) => run)
  return { counting, modules, merge, endpoint: counting.endpoints.adminFigures }
}
export const { modules } = processOf()

/** Seals as a process with these modules does. */
export const sealOf = (own: ReadonlyArray<AnyModule>) => Effect.provide(sealing, commandPolicies(own))
export const seal = sealOf(modules)

/** What the tests choose of an event. */
export interface Happened extends Pick<SecurityEvent, "type" | "count"> {
  readonly at: DateTime.Utc
  readonly method?: string
  readonly code?: string
}

const store = recordWrites({ keep: 90 * 86_400, keep_changes: 90 * 86_400, events: eventTypes })
const visitor = { kind: "visitor", id: null } as const

/** Records events of a moment, which can be earlier than now: their commits were slow. */
export const recorded = (happened: ReadonlyArray<Happened>) =>
  Effect.gen(function* () {
    const events = yield* Effect.forEach(happened, ({ at, type, count, method, code }) =>
      Effect.map(
        newId,
        (id): SecurityEvent => ({
          ...{ id, at, type, count, outcome: code === undefined ? "success" : "failure", reason: code ?? null },
          ...{ actor: visitor, subject: visitor, organization_id: null, session_id: null, client_id: null, ip_address: null },
          ...{ user_agent: null, request_id: null, trace_id: null, data: method === undefined ? {} : { method } },
        }),
      ),
    )
    yield* Effect.orDie((yield* Store).commit(yield* store(events, null)))
  })

type Sums = Record<string, Record<string, number>>

/** The same counts, added up over all records of the audit log. */
export const summed = Effect.gen(function* () {
  const sums: Sums = {}
  const add = (row: string, name: string, count: number) => {
    sums[row] = { ...sums[row], [name]: (sums[row]?.[name] ?? 0) + count }
  }
  const addRecord = ({ at, type, outcome, reason, data, count }: AuditRecord) => {
    const iso = DateTime.formatIso(at)
    const detail = outcome === "success" ? data["method"] : reason
    for (const row of [`h:${iso.slice(0, 13)}`, `d:${iso.slice(0, 10)}`]) {
      add(row, type, count)
      if (typeof detail === "string") add(row, `${type}/${detail}`, count)
    }
  }
  const all = every(Records, {}, { limit: 500, order: "id" })
  yield* Stream.runForEach(all, (record) => Effect.sync(() => addRecord(record)))
  return sums
})

/** The stored counts, by the id of their row. */
export const counted = Effect.gen(function* () {
  const rows = yield* Stream.runCollect(every(Figures, {}, { limit: 500, order: "id" }))
  return Object.fromEntries([...rows].map(({ id, counts }): [string, Record<string, number>] => [id, { ...counts }])) as Sums
})
