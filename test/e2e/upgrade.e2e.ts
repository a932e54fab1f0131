import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { describe, expect, it } from "vitest"
import { databasePath } from "../../adapters/postgres/embedded.ts"
import { sallyport } from "../../index.ts"
import { settings } from "../upgrade/configuration.ts"
import { type Call, caller, checks, delayed, type Held } from "../upgrade/held.ts"
import { restore } from "../upgrade/mongo-dump.ts"
import { freshDatabase, freshStore, sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { temporaryFolder } from "./program.ts"
import { until } from "./waiting.ts"

const releases = join(import.meta.dirname, "../upgrade/releases")

/** The database of a release, in a store of this kind. */
const restored: Readonly<Record<string, (folder: string) => Promise<object>>> = {
  postgres: async (folder) => {
    const url = await freshDatabase()
    await sql(url, readFileSync(join(folder, "postgres.sql"), "utf8"))
    return { kind: "postgres", url }
  },
  embedded: async (folder) => {
    const directory = join(temporaryFolder(), "data")
    mkdirSync(directory)
    const database = await PGlite.create({ dataDir: databasePath(directory), relaxedDurability: true })
    await database.exec(readFileSync(join(folder, "postgres.sql"), "utf8"))
    await database.close()
    return { kind: "embedded", directory }
  },
  mongo: async (folder) => {
    const store = await freshStore()
    await restore(store.url, join(folder, "mongo.ejson"))
    return store
  },
}

const stores = process.env["STORE"] === "mongo" ? ["mongo"] : ["postgres", "embedded"]

describe.each(readdirSync(releases))("the database of release %s", (release) => {
  it.each(stores)("is taken over on %s, with everything that clients hold", async (kind) => {
    const folder = join(releases, release)
    const held: Held = JSON.parse(readFileSync(join(folder, `${kind === "mongo" ? "mongo" : "postgres"}.json`), "utf8"))
    // The next step of authenticator apps: each of their codes works once.
    const begun = performance.now()
    const now = () => held.at + 31_000 + performance.now() - begun
    const sent: Array<string> = []
    const server = sallyport({
      ...settings,
      store: (await restored[kind]!(folder)) as { readonly kind: "memory" },
      clock: { now },
      mail: { send: async ({ to }) => void sent.push(to) },
      sms: { send: async () => {} },
      log: { level: "error" },
    } as Parameters<typeof sallyport>[0])
    atEnd(server.close)
    const call: Call = caller(server.fetch)

    const found: Record<string, unknown> = {}
    for (const [what, check] of Object.entries(checks(call, held, now))) found[what] = await check()
    const wrong = Object.entries(found).filter(([, result]) => result !== true && result !== 200)
    expect(wrong).toEqual([])
    expect(Object.keys(found).length).toBeGreaterThan(15)
    await until("the mail that waited", () => sent.includes(delayed) || undefined)
  })
})
