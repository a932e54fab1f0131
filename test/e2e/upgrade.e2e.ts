import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { describe, expect, it } from "vitest"
import { databasePath } from "../../adapters/postgres/embedded.ts"
import { sallyport } from "../../index.ts"
import { caller } from "../upgrade/calls.ts"
import { delayed, receiverPort, settings } from "../upgrade/configuration.ts"
import { checks, type Held } from "../upgrade/held.ts"
import { restore } from "../upgrade/mongo-dump.ts"
import { freshDatabase, freshStore, sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { install, temporaryFolder } from "./program.ts"
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
    // The next step of authenticator apps: each of their codes works once. A slow clock, so that nothing expires on a slow machine.
    const begun = performance.now()
    const now = () => Math.floor(held.at + 31_000 + (performance.now() - begun) / 10)
    const sent: Array<string> = []
    const bodies: Array<string> = []
    const receiver = createServer(async (request, response) => {
      bodies.push(Buffer.concat(await request.toArray()).toString())
      response.end()
    }).listen(0, "127.0.0.1")
    atEnd(() => receiver.close())
    await once(receiver, "listening")
    const own = (receiver.address() as AddressInfo).port
    const store = await restored[kind]!(folder)
    const modules = JSON.parse(JSON.stringify(settings.modules).replace(`:${receiverPort}/`, `:${own}/`))
    const { http, ...told } = { ...settings, modules, store }
    const server = sallyport({
      ...told,
      http,
      clock: { now },
      mail: { send: async ({ to }) => void sent.push(to) },
      sms: { send: async () => {} },
      log: { level: "error" },
    } as Parameters<typeof sallyport>[0])
    atEnd(server.close)
    await server.ready()

    const found: Record<string, unknown> = {}
    const all = checks({ call: caller(server.fetch), now, delivered: () => bodies }, held)
    for (const [what, check] of Object.entries(all)) found[what] = await check().catch((fault: Error) => fault.message)
    const wrong = Object.entries(found).filter(([, result]) => result !== true && result !== 200)
    expect(wrong).toEqual([])
    expect(Object.keys(found).length).toBeGreaterThan(80)
    await until("the mail that waited", () => sent.includes(delayed) || undefined)
    await server.close()

    const program = await install(told)
    expect(JSON.parse(await program.command("audit", "verify", "--json"))).toMatchObject({ faults: 0 })
  })
})
