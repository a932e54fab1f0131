import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { MongoClient } from "mongodb"
import { parse } from "yaml"
import { restoreAside } from "../../../adapters/mongo/restore-aside.ts"
import { fakeTool, temporaryFolder } from "../../fake-tool.ts"
import { admin, startMongod } from "../../mongo-server.ts"

/** A server with access control, with a user in each of these databases. */
const guarded = Effect.gen(function* () {
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(() => startMongod(undefined, ["--auth"])),
    ({ stop }) => Effect.promise(stop),
  )
  yield* Effect.promise(async () => {
    // Without a user, the server accepts this command from this machine.
    await admin(port, (client) => client.db("admin").command({ createUser: "root", pwd: "secret", roles: ["root"] }))
    await using client = new MongoClient(`mongodb://root:secret@127.0.0.1:${port}`)
    const role = (name: string) => ({ role: name, db: "admin" })
    const roles = [role("readWriteAnyDatabase"), role("dbAdminAnyDatabase")]
    await client.db("sallyport").command({ createUser: "owner", pwd: "secret", roles })
    await client.db("sallyport").command({ createUser: "writer", pwd: "secret", roles: [role("readWriteAnyDatabase")] })
  })
  const file = yield* Effect.map(temporaryFolder, (folder) => join(folder, "archive"))
  writeFileSync(file, "an archive")
  return { file, url: (user: string, path: string) => Redacted.make(`mongodb://${user}:secret@127.0.0.1:${port}${path}`) }
})

it.live("the copy is made, opened and dropped with the login of the URL", () =>
  Effect.gen(function* () {
    const { file, url } = yield* guarded
    const folder = yield* fakeTool(
      "mongorestore",
      `for each; do case "$each" in --config=*) cp "\${each#--config=}" kept.yaml;; esac; done`,
    )
    const restored = Effect.fnUntraced(function* (server: Redacted.Redacted) {
      const aside = yield* restoreAside(file, { source: server, server })
      const { uri } = parse(readFileSync(join(folder, "kept.yaml"), "utf8")) as { readonly uri: string }
      yield* Effect.promise(async () => {
        await using tool = new MongoClient(uri)
        await tool.db("other").command({ count: "ticket" })
        await using copy = new MongoClient(Redacted.value(aside.url))
        await copy.db().collection("ticket").insertOne({})
      })
    })
    for (const server of [
      url("owner", "/sallyport"),
      url("root", ""),
      url("root", "/?appName=test"),
      url("root", "/sallyport?authSource=admin"),
    ])
      yield* Effect.scoped(restored(server))
    const databases = Effect.promise(async () => {
      await using client = new MongoClient(Redacted.value(url("root", "")))
      return (await client.db().admin().listDatabases()).databases.map(({ name }) => name)
    })
    assert.notMatch((yield* databases).join(" "), /verify/)

    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))
    yield* Effect.scoped(restored(url("writer", "/sallyport"))).pipe(Effect.provide(Logger.layer([logger])))
    assert.lengthOf(lines, 1)
    assert.match(lines[0] ?? "", /level=WARN.*The database sallyport_verify_\w+ could not be dropped/)
    assert.match((yield* databases).join(" "), /verify/)
  }).pipe(Effect.scoped),
)
