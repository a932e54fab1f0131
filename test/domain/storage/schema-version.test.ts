import { expect, it } from "vitest"
import { changes } from "../../../adapters/postgres/schema/schema.ts"
import * as ImportTables from "../../../application/import/tables.ts"
import * as Auth from "../../../application/service/auth.ts"
import * as RateLimits from "../../../domain/limits/rate-limits.ts"
import * as Outbox from "../../../domain/mail/outbox-tables.ts"
import { Leases } from "../../../domain/storage/lease.ts"
import { refusalOf, schemaVersion } from "../../../domain/storage/schema-version.ts"
import { Upkeep } from "../../../domain/storage/upkeep.ts"
import { modules } from "../../everything.ts"

const empty = {
  name: "public",
  schema: undefined,
  exists: true,
  columns: [],
  indexes: [],
  sequence: false,
  version: schemaVersion,
  sizes: new Map(),
  isPartitioned: false,
  partitions: new Map(),
  occupants: [],
}

it("the tables are those of this schema version: after a change, raise it in schema-version.ts and run this test with -u", async () => {
  const tables = [...Auth.make(modules).tables, ...Outbox.tables, RateLimits.Counters, Leases, Upkeep, ...ImportTables.tables]
  const statements = changes(
    tables.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    empty,
  ).map(({ statement }) => `${statement};\n`)
  await expect(statements.join("")).toMatchFileSnapshot(`schemas/${schemaVersion.version}.sql`)
})

it("a database refuses versions before its oldest one only", () => {
  const { version } = schemaVersion
  expect(refusalOf({ version: 0, oldest: 0 })).toBeUndefined()
  expect(refusalOf({ version: version + 5, oldest: version })).toBeUndefined()
  expect(refusalOf({ version: version + 5, oldest: version + 1 })).toMatch(/start a later version, or restore a backup$/)
})
