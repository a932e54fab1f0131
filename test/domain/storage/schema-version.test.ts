import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { changes } from "../../../adapters/postgres/schema/schema.ts"
import * as ImportTables from "../../../application/import/tables.ts"
import * as Auth from "../../../application/service/auth.ts"
import * as RateLimits from "../../../domain/limits/rate-limits.ts"
import * as Outbox from "../../../domain/mail/outbox-tables.ts"
import { columns } from "../../../domain/ports/table.ts"
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

const tables = [...Auth.make(modules).tables, ...Outbox.tables, RateLimits.Counters, Leases, Upkeep, ...ImportTables.tables]

it("the tables are those of this schema version: a change raises it once (schema-version.ts); rename the SQL file, run this with -u", async () => {
  const statements = changes(
    tables.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    empty,
  ).map(({ statement }) => `${statement};\n`)
  await expect(statements.join("")).toMatchFileSnapshot(`schemas/${schemaVersion.version}.sql`)
  const others = readdirSync(join(import.meta.dirname, "schemas")).filter((name) => name !== `${schemaVersion.version}.sql`)
  expect(others, "files of earlier versions, to delete").toEqual([])
})

const releases = join(import.meta.dirname, "../../upgrade/releases")

it.each(readdirSync(releases))(
  "rows of release %s have a value for each required column: name others in `added` of Table.make",
  (release) => {
    const dump = readFileSync(join(releases, release, "postgres.sql"), "utf8")
    const released = new Map(
      [...dump.matchAll(/^CREATE TABLE public\."?(\w+)"? \(([^;]*)\);/gm)].map(([, name = "", body = ""]) => [name, body]),
    )
    expect(released.size).toBeGreaterThan(10)
    const lacking = tables.flatMap((table) => {
      const body = released.get(table.name)
      const isNew = ({ name }: { readonly name: string }) => body !== undefined && !new RegExp(`^ +"?${name}"? `, "m").test(body)
      return columns(table).flatMap((column) => (isNew(column) && !column.nullable ? [`${table.name}.${column.name}`] : []))
    })
    expect(lacking, "columns without a value for older rows: every start would refuse the database").toEqual([])
  },
)

it("a database refuses versions before its oldest one only", () => {
  const { version } = schemaVersion
  expect(refusalOf({ version: 0, oldest: 0 })).toBeUndefined()
  expect(refusalOf({ version: version + 5, oldest: version })).toBeUndefined()
  expect(refusalOf({ version: version + 5, oldest: version + 1 })).toMatch(/start a later version, or restore a backup$/)
})
