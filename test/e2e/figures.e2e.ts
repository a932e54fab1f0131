import { beforeAll, expect, it } from "vitest"
import { freshStore, rowsOf } from "./database.ts"
import { install, type Program } from "./program.ts"
import { until } from "./waiting.ts"

// Two processes seal the audit log of one store while one of them is killed again and again. Each record is counted once.

const kills = 3
const people = 20
const password = "correct horse battery staple"
const email = (index: number) => `person${index}@example.com`

type Sums = Record<string, Record<string, number>>

let store: Awaited<ReturnType<typeof freshStore>>
let both: readonly [Program, Program]

beforeAll(async () => {
  store = await freshStore()
  const config = { store, modules: { audit: {}, figures: {} } }
  both = [await install(config), await install(config)]
  for (const program of both) program.begin()
  await Promise.all(both.map((program) => program.ready()))
})

const parsed = <A>(value: A | string): A => (typeof value === "string" ? JSON.parse(value) : value)
const isoOf = (at: unknown) => new Date(at as string).toISOString()

/** The counts of all records, added up here. */
const summed = (records: ReadonlyArray<Readonly<Record<string, any>>>) => {
  const sums: Sums = {}
  for (const { at, type, outcome, reason, data, count } of records)
    for (const id of [`h:${isoOf(at).slice(0, 13)}`, `d:${isoOf(at).slice(0, 10)}`])
      for (const name of [type, `${type}/${outcome === "success" ? parsed<Record<string, string>>(data)["method"] : reason}`])
        sums[id] = { ...sums[id], [name]: (sums[id]?.[name] ?? 0) + Number(count) }
  return sums
}

it("counts each record of the audit log once, whichever process seals it and when it is killed", async () => {
  const rows = rowsOf(store)
  const [steady, killed] = both
  let isOver = false
  const killing = async () => {
    for (let kill = 0; kill < kills; kill++) {
      // A process seals at its start, and every ten seconds.
      await until("records", async () => (await rows("audit_unsealed")).length > 20 || undefined)
      await killed.kill()
      killed.begin()
      await killed.ready()
    }
    isOver = true
  }
  const using = async (from: number) => {
    for (let index = from; !isOver || index < people; index += 2) {
      const program = both[index % 2] ?? steady
      const person = { email: email(index), password }
      const calls = [
        () => program.call("/sign-up/email", person),
        () => steady.call("/sign-in/email", { ...person, password: "a wrong one" }),
      ]
      // The killed process answers nothing.
      for (const call of calls) await call().catch(() => undefined)
    }
  }
  await Promise.all([killing(), using(0), using(1)])
  await killed.stop()
  await until("the last seal", async () => (await rows("audit_unsealed")).length === 0 || undefined, 60)
  const records = await rows("audit_record")
  const counted: Sums = Object.fromEntries((await rows("figure")).map(({ id, counts }) => [id, parsed<Record<string, number>>(counts)]))
  expect(records.length).toBeGreaterThan(kills * 20)
  expect(counted).toEqual(summed(records))
  expect(Object.values(counted).some((counts) => (counts["sign_in.failed/invalid_credentials"] ?? 0) > 0)).toBe(true)
  const [start] = await rows("figure_start")
  const [head] = await rows("audit_chain")
  expect(start?.["seal"]).toBe(head?.["number"])
}, 240_000)
