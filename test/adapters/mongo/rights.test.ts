import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { MongoClient, type MongoServerError } from "mongodb"
import { DatabaseRefused } from "../../../adapters/database-refused.ts"
import * as Database from "../../../adapters/mongo/database.ts"
import { facts } from "../../../adapters/mongo/facts.ts"
import { migrate, plan } from "../../../adapters/mongo/migrations.ts"
import * as MongoStore from "../../../adapters/mongo/mongo-store.ts"
import { endingOf } from "../../../adapters/process/start-faults.ts"
import { lastChecked, noteChecked, Upkeep } from "../../../domain/storage/upkeep.ts"
import { Users } from "../../../domain/users/tables.ts"
import { admin, startMongod } from "../../mongo-server.ts"
import { freshMongo } from "../../stores.ts"

const tables = [Users, Upkeep]
const guide = readFileSync(join(import.meta.dirname, "../../../docs/operating.md"), "utf8").split("### Least rights\n")[1] ?? ""
const commands = (/```js\n(.*?)```/s.exec(guide)?.[1] ?? "").trim().split("\n")

/** A replica set with access control, and the roles of the guide. */
const guarded = Effect.gen(function* () {
  const keyFile = join(tmpdir(), `sallyport-key-${process.pid}`)
  writeFileSync(keyFile, "c2FsbHlwb3J0", { mode: 0o600 })
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startMongod("rs0", ["--auth", "--keyFile", keyFile])),
    ({ stop }) => Effect.promise(() => stop().finally(() => rmSync(keyFile))),
  )
  const { port } = server
  // Without a user, the server accepts these two commands from this machine.
  yield* Effect.promise(() =>
    admin(port, async (client) => {
      await client.db("admin").command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: `127.0.0.1:${port}` }] } })
      while (!(await client.db("admin").command({ hello: 1 }))["isWritablePrimary"]) await new Promise((resolve) => setTimeout(resolve, 50))
      await client.db("admin").command({ createUser: "root", pwd: "root", roles: ["root"] })
    }),
  )
  const root = `mongodb://root:root@127.0.0.1:${port}/sallyport?replicaSet=rs0&authSource=admin`
  const run = (command: string) =>
    Effect.promise(async () => {
      await using client = new MongoClient(root)
      const [, name = "", text = ""] = /^db\.(\w+)\((.*)\)$/s.exec(command) ?? []
      const values: ReadonlyArray<any> = Function(`return [${text}]`)()
      if (name === "createRole")
        await client.db().command({ createRole: values[0].role, ...values[0], role: undefined }, { ignoreUndefined: true })
      else if (name === "createUser")
        await client.db().command({ createUser: values[0].user, ...values[0], user: undefined }, { ignoreUndefined: true })
      else await client.db().command({ [name]: values[0], privileges: values[1] })
    })
  const on = (user: string) =>
    Effect.provide(Database.layer(Redacted.make(`mongodb://${user}:secret@127.0.0.1:${port}/sallyport?replicaSet=rs0`)))
  return { run, on }
})

it.live("users with the rights of the guide: the application serves and cannot change the schema, the reader only reads users", () =>
  Effect.gen(function* () {
    const { run, on } = yield* guarded
    for (const command of commands) yield* run(command.replaceAll("…", "secret"))
    assert.isAbove((yield* on("sallyport_migrator")(migrate(tables))).length, 0)

    const application = on("sallyport_app")
    assert.deepStrictEqual(yield* application(plan(tables)), [])
    assert.deepStrictEqual(yield* application(migrate(tables)), [])
    const written = Effect.andThen(noteChecked("backup", true), lastChecked("backup"))
    assert.isTrue((yield* application(Effect.provide(written, MongoStore.layerMigrated(tables))))?.is_sound)
    const known = yield* application(facts(tables))
    assert.strictEqual(known.role, "sallyport_app")
    assert.deepStrictEqual(
      known.migration.map(({ text }) => text),
      ["sallyport_app may not createCollection, createIndex, dropIndex in the database sallyport"],
    )
    assert.match(known.grant ?? "", /clusterMonitor/)
    assert.deepStrictEqual(known.next, [])

    const reader = on("sallyport_reader")
    const reads = (name: string) =>
      reader(Effect.flatMap(Database.Database, ({ run, db }) => run(() => db.collection(name).find().toArray())))
    assert.deepStrictEqual(yield* reads("user"), [])
    assert.strictEqual(((yield* Effect.flip(reads("upkeep"))) as MongoServerError).codeName, "Unauthorized")
    const missing = yield* Effect.flip(reader(migrate(tables)) as Effect.Effect<unknown, unknown>)
    assert.instanceOf(missing, DatabaseRefused)
    assert.strictEqual(endingOf(missing)?.code, 78)
    const lacking = yield* reader(plan(tables))
    assert.deepStrictEqual(
      lacking.map(({ refusal }) => refusal),
      [
        "The user sallyport_reader lacks rights on the database sallyport",
        "The user sallyport_reader lacks rights on collection user",
        "The user sallyport_reader lacks rights on collection upkeep",
        "The user sallyport_reader lacks rights on collection sallyport_schema",
      ],
    )
    assert.include(lacking[1]?.statement ?? "", '"actions":["insert","remove","update","listIndexes"]')
  }).pipe(Effect.scoped),
)

it.live("a server without access control has no role, and says what it is", () =>
  Effect.gen(function* () {
    const known = yield* facts(tables)
    assert.strictEqual(known.role, "")
    assert.isBelow(Math.abs(known.clockAhead), 2)
    assert.isAbove(known.connections?.limit ?? 0, 100)
    assert.deepStrictEqual(known.replication, { waits: false, slots: [], standbys: [] })
    assert.deepStrictEqual([known.migration, known.next, known.tables], [[], [], []])
  }).pipe(Effect.provide(freshMongo()), Effect.scoped),
)
