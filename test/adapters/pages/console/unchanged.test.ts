import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Records, Unsealed } from "../../../../application/modules/audit/tables.ts"
import * as Auth from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { tables as outboxTables } from "../../../../domain/mail/outbox-tables.ts"
import { Store } from "../../../../domain/ports/store.ts"
import type { AnyTable } from "../../../../domain/ports/table.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { base } from "../../http/served.ts"
import type { Browse } from "../browse.ts"
import { withConsole } from "./console.ts"
import { addressesOf, populated, withAttributes } from "./populated.ts"

const { endpoints, tables } = Auth.make(withAttributes)
const reading = Object.values(endpoints).filter(({ method, path }) => method === "GET" && path.startsWith("/admin/"))

/** Reads are recorded in the audit log. */
const isAudit = (table: AnyTable) => table === Records || table === Unsealed

/** All rows but those of the audit log, without the columns that the use of a session refreshes. */
const stored = Effect.gen(function* () {
  const { list } = yield* Store
  const found = new Map<string, ReadonlyArray<string>>()
  for (const table of [...tables, ...outboxTables]) {
    if (isAudit(table)) continue
    const rows: ReadonlyArray<object> = yield* list(table, {}, { limit: 1000 })
    const kept = table === Sessions ? rows.map((row) => ({ ...row, updated_at: null, expires_at: null })) : rows
    found.set(table.name, kept.map((row) => JSON.stringify(row)).toSorted())
  }
  return found
})

/** Opens each address twice, and compares the store with the one before. */
const openTwice = Effect.fnUntraced(function* openTwice({ request, api }: Browse, addresses: ReadonlyArray<string>) {
  const before = yield* stored
  for (const address of addresses) {
    for (const time of ["first", "second"]) {
      const { status, text } = yield* request("GET", address)
      assert.strictEqual(status, 200, `${address}: ${text}`)
      assert.deepStrictEqual(yield* stored, before, `the ${time} GET of ${address} changed the store`)
    }
  }
  yield* api("/admin/service-accounts/create", { name: "Another", permissions: [] })
  assert.notDeepEqual(yield* stored, before)
})

const known = { q: "ada@", from: "1970-01-01T00:00:00Z", to: "1970-01-02T00:00:00Z", step: "hour" }

/** The members of its input that have a value here. */
const inputOf = ({ input }: AnyEndpoint, values: Readonly<Record<string, string>>) => {
  const members = Object.keys("fields" in input ? (input.fields as object) : {})
  return new URLSearchParams(Object.entries(values).filter(([name]) => members.includes(name)))
}

describe("a GET, also the second, changes nothing but the audit log and the refresh of a session", () => {
  it.layer(withConsole({}, withAttributes))((it) => {
    it.effect("of every page of the console", () =>
      Effect.gen(function* () {
        const service = yield* populated("Engines")
        yield* openTwice(service.owner, yield* addressesOf(service))
      }),
    )
  })
  it.layer(withConsole({}, withAttributes))((it) => {
    it.effect("of every endpoint for administrators", () =>
      Effect.gen(function* () {
        const { owner, ids } = yield* populated("Engines")
        assert.isAbove(reading.length, 30)
        const values = { ...known, ...ids }
        yield* openTwice(
          owner,
          reading.map((endpoint) => `${base}${endpoint.path}?${inputOf(endpoint, values)}`),
        )
      }),
    )
  })
})
