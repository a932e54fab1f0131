import { DateTime, Duration } from "effect"
import { describe, expect, it } from "vitest"
import { connectionCheck, databaseChecks, migrationCheck } from "../../../adapters/doctor/database-checks.ts"
import type { Finding } from "../../../adapters/doctor/finding.ts"
import { certificateCheck, secretChecks, settingChecks, upkeepCheck } from "../../../adapters/doctor/service-checks.ts"
import type { Facts } from "../../../adapters/kinds/facts.ts"

/** A database without faults. */
const sound: Facts = {
  role: "app",
  clockAhead: 0.1,
  isPlain: false,
  connections: { limit: 100, others: 0 },
  dangers: [],
  tables: [{ name: "session", rows: 1000, dead: 900, isVacuumed: true }],
  replication: { waits: true, slots: [], standbys: [{ name: "db2", isSynchronous: true }] },
  migration: [],
  next: [],
}
const findings = (changes: Partial<Facts>) => databaseChecks({ ...sound, ...changes }).filter(({ level }) => level !== "ok")
const levels = (changes: Partial<Facts>) => findings(changes).map(({ check, level }) => `${level} ${check}`)
const levelOf = ({ level }: Finding) => level

describe("a database", () => {
  it("without faults has none", () => {
    expect(findings({})).toEqual([])
  })

  it.each([
    [1.9, []],
    [-2.1, ["warn clock"]],
    [30, ["warn clock"]],
    [-30.1, ["error clock"]],
  ])("clock %s s ahead", (clockAhead, expected) => {
    expect(levels({ clockAhead })).toEqual(expected)
  })

  it("needs encryption and a login", () => {
    expect(levels({ isPlain: true })).toEqual(["warn database_tls"])
    expect(levels({ role: "" })).toEqual(["error login"])
  })

  it("dangerous settings are errors where data is lost", () => {
    const danger = { setting: "fsync is off", effect: "it breaks", remedy: "set it" }
    expect(
      levels({
        dangers: [
          { ...danger, isFatal: true },
          { ...danger, isFatal: false },
        ],
      }),
    ).toEqual(["error durability", "warn durability"])
    expect(findings({ dangers: [{ ...danger, isFatal: true }] })[0]).toMatchObject({ text: "fsync is off: it breaks", remedy: "set it" })
  })

  it.each([
    [299, []],
    [300, ["warn transactions"]],
    [3600, ["error transactions"]],
  ])("transaction of %s s", (seconds, expected) => {
    expect(levels({ transaction: { seconds, owner: "psql" } })).toEqual(expected)
  })

  it("what the role may not read is a warning with the right to give", () => {
    const { replication: _, ...hidden } = { ...sound, grant: "GRANT x" }
    const found = databaseChecks(hidden).filter(({ level }) => level === "warn")
    expect(found.map(({ check, remedy }) => [check, remedy])).toEqual([
      ["transactions", "GRANT x"],
      ["replication", "GRANT x"],
    ])
  })

  it("many dead rows are a warning, and autovacuum that is off an error", () => {
    const table = { name: "session", rows: 30_000, dead: 15_001, isVacuumed: true }
    expect(levels({ tables: [table] })).toEqual(["warn vacuum"])
    expect(
      levels({
        tables: [
          { ...table, dead: 15_000 },
          { ...table, rows: 0, dead: 10_000 },
        ],
      }),
    ).toEqual([])
    expect(levels({ tables: [{ ...table, dead: 0, isVacuumed: false }] })).toEqual(["error vacuum"])
  })

  it("standbys and slots", () => {
    const of = (replication: Partial<Facts["replication"]>) =>
      levels({ replication: { waits: false, slots: [], standbys: [], ...replication } })
    expect(of({})).toEqual(["warn replication"])
    expect(of({ waits: true })).toEqual(["error replication"])
    expect(of({ standbys: [{ name: "db2", isSynchronous: false }] })).toEqual(["warn replication"])
    expect(of({ standbys: [{ name: "db2", isSynchronous: true }] })).toEqual([])
    expect(of({ standbys: [{ name: "db2", isSynchronous: true, fault: "is 70 MB behind" }] })).toEqual(["warn replication"])
    const slot = { name: "old", isRead: false, heldBytes: 5e8, isLost: false }
    const beside = { standbys: [{ name: "db2", isSynchronous: true }] }
    expect(of({ ...beside, slots: [slot] })).toEqual(["warn replication"])
    expect(of({ ...beside, slots: [{ ...slot, heldBytes: 2e9 }] })).toEqual(["error replication"])
    expect(of({ ...beside, slots: [{ ...slot, isRead: true, heldBytes: 2e9 }] })).toEqual([])
    expect(of({ ...beside, slots: [{ ...slot, isRead: true, isLost: true }] })).toEqual(["error replication"])
  })

  it("rights that the role would lack in the next version are an error with their grant", () => {
    expect(findings({ next: [{ text: "app would lack INSERT", grant: "ALTER DEFAULT PRIVILEGES" }] })).toEqual([
      { check: "rights", level: "error", text: "app would lack INSERT", remedy: "ALTER DEFAULT PRIVILEGES" },
    ])
  })

  it("the role may change the schema if it has to, and only then", () => {
    const lacking = { ...sound, migration: [{ text: "app may not create tables", grant: "GRANT CREATE" }] }
    expect(migrationCheck(lacking, { migrate: "start" }).map(({ level, remedy }) => [level, remedy])).toEqual([["error", "GRANT CREATE"]])
    expect(migrationCheck(lacking, { migrate: "never" }).map(levelOf)).toEqual(["ok"])
    expect(migrationCheck(sound, { migrate: "start" }).map(levelOf)).toEqual(["ok"])
    expect(migrationCheck(sound, { migrate: "never" }).map(levelOf)).toEqual(["warn"])
  })

  it("connections of all processes have to fit beside those of other programs", () => {
    const level = (instances: number, others: number) =>
      connectionCheck({ ...sound, connections: { limit: 103, others } }, { instances, workers: 2, each: 10, migrate: "never" }).level
    expect([level(5, 0), level(5, 1), level(6, 0)]).toEqual(["ok", "warn", "error"])
  })
})

const now = DateTime.makeUnsafe("2026-11-24T12:00:00Z")
const daysAgo = (days: number) => DateTime.subtract(now, { days })

it.each([
  [-1, "error"],
  [13, "warn"],
  [15, "ok"],
])("a certificate that ends in %s days", (days, level) => {
  expect(certificateCheck("certificate", "example.com", { expires: DateTime.add(now, { days }) }, now).level).toBe(level)
  expect(certificateCheck("certificate", "example.com", { fault: "refused" }, now).level).toBe("warn")
})

it("a check of a backup has to be recent and without faults", () => {
  const what = { name: "backup", command: "`backup verify`", most: Duration.days(8) } as const
  const level = (days: number, is_sound = true) =>
    upkeepCheck(what, { id: "backup", at: daysAgo(days), is_sound, made_at: daysAgo(days) }, now).level
  expect([upkeepCheck(what, undefined, now).level, level(7), level(9), level(1, false)]).toEqual(["warn", "ok", "warn", "error"])
})

it("the age of the secret is known by the audit log, and older secrets may go when no session needs them", () => {
  const settings = { session: { max_lifetime: 30 * 86_400 } } as never
  const day = (days: number) => DateTime.formatIso(daysAgo(days)).slice(0, 10)
  const found = (count: number, since: string | null) =>
    secretChecks({ count, since, hasAudit: true }, settings, now).map(({ check, level }) => `${level} ${check}`)
  expect(found(1, null)).toEqual(["ok secret_age"])
  expect(found(1, day(10))).toEqual(["ok secret_age"])
  expect(found(1, day(400))).toEqual(["warn secret_age"])
  expect(found(2, null)).toEqual(["ok secret_age", "warn older_secrets"])
  expect(found(2, day(10))).toEqual(["ok secret_age", "ok older_secrets"])
  expect(found(2, day(40))).toEqual(["ok secret_age", "warn older_secrets"])
})

it("settings for development are errors, and one budget for each process is", () => {
  const of = ({ httpSettings, ...settings }: { httpSettings: object; public_url: string }, mail: string, processes: number) =>
    settingChecks({ settings, httpSettings, mail: { kind: mail }, sms: { kind: "console" }, needsSms: true } as never, processes)
      .filter(({ level }) => level !== "ok")
      .map(({ check, level }) => `${level} ${check}`)
  const production = {
    public_url: "https://example.com",
    rate_limit: { enabled: true, store: "memory" },
    httpSettings: { client_address: "peer", trusted_proxies: ["10.0.0.0/8"] },
  }
  expect(of(production, "smtp", 1)).toEqual(["error sms"])
  const unproxied = { client_address: "peer", trusted_proxies: [] }
  expect(of({ ...production, httpSettings: { ...unproxied, client_address: "fly" } }, "smtp", 1)).toEqual(["error sms"])
  expect(of({ ...production, public_url: "http://localhost:3000", httpSettings: unproxied }, "none", 2)).toEqual([
    "error public_url",
    "error mail",
    "error sms",
    "error rate_limit",
    "warn trusted_proxies",
  ])
})
