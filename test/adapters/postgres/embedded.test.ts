import { spawn } from "node:child_process"
import fs, { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Logger } from "effect"
import { DirectoryInUse } from "../../../adapters/postgres/directory-lock.ts"
import * as Embedded from "../../../adapters/postgres/embedded.ts"
import * as PostgresStore from "../../../adapters/postgres/postgres-store.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { Tickets, tables } from "../../../testing/tables.ts"

const temporary = mkdtempSync(join(tmpdir(), "sallyport-"))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

/** The path of a directory that does not exist yet. */
const newDirectory = Effect.sync(() => join(mkdtempSync(join(temporary, "data-")), "state", "data"))

/** Started once for all tests, since a first start takes seconds. */
const template = join(temporary, "template")

/** A data directory of a service that was stopped before it stored any rows. */
const directory = Effect.tap(newDirectory, (path) => Effect.sync(() => cpSync(template, path, { recursive: true })))

const open = (path: string) => PostgresStore.layer(tables).pipe(Layer.provide(Embedded.layer(path)))

const hashes = (path: string) =>
  Effect.gen(function* () {
    const { list } = yield* Store
    return (yield* list(Tickets, {}, { limit: 1_000_000 })).map(({ hash }) => hash)
  }).pipe(Effect.provide(open(path)), Effect.scoped)

/** Starts a process that writes rows, and kills it with SIGKILL after it has printed this many lines. */
const killed = (path: string, prefix: string, lines: number) =>
  Effect.callback<{ readonly said: ReadonlyArray<string>; readonly complaint: string }>((resume) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "embedded-process.ts"), path, prefix])
    let output = ""
    let complaint = ""
    child.stderr.on("data", (text) => {
      complaint += text
    })
    child.stdout.on("data", (text) => {
      output += text
      if (output.split("\n").length > lines) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed({ said: output.split("\n").slice(0, -1), complaint })))
  })

/** A process that has locked the directory and exits after this many milliseconds. */
const holder = (path: string, lifetime: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, ["-e", `setTimeout(() => {}, ${lifetime})`], { stdio: "ignore" })
      const pid = child.pid ?? assert.fail("the process did not start")
      writeFileSync(join(path, "lock"), JSON.stringify({ pid }))
      return { child, pid }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL")),
  )

/** Counts the calls of fsync. */
const countedSyncs = Effect.acquireRelease(
  Effect.sync(() => {
    const counted = { calls: 0, original: fs.fsyncSync }
    fs.fsyncSync = (file) => {
      counted.calls += 1
      counted.original(file)
    }
    syncBuiltinESMExports()
    return counted
  }),
  ({ original }) =>
    Effect.sync(() => {
      fs.fsyncSync = original
      syncBuiltinESMExports()
    }),
)

describe("embedded PostgreSQL", { timeout: 120_000 }, () => {
  beforeAll(() => Effect.runPromise(hashes(template)), 120_000)

  it.live("keeps every acknowledged commit completely after kill -9, and starts again", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const said: Array<string> = []
      for (const prefix of ["a", "b", "c"]) said.push(...(yield* killed(path, prefix, 40)).said)
      assert.isAbove(said.length, 100)
      const held = new Set(yield* hashes(path))
      for (const hash of said) assert.isTrue(held.has(hash) && held.has(`${hash} too`), hash)
      for (const hash of held) assert.isTrue(held.has(hash.endsWith(" too") ? hash.slice(0, -4) : `${hash} too`), hash)
    }).pipe(Effect.scoped),
  )

  it.live("syncs every commit to the disk", () =>
    Effect.gen(function* () {
      const synced = yield* countedSyncs
      const path = yield* directory
      yield* Effect.gen(function* () {
        const { commit } = yield* Store
        const before = synced.calls
        for (const hash of ["one", "two", "three"])
          yield* commit([insert(Tickets, { hash, count: 0, owner_id: "unknown", expires_at: yield* DateTime.now })])
        assert.isAtLeast(synced.calls - before, 3)
      }).pipe(Effect.provide(open(path)))
    }).pipe(Effect.scoped),
  )

  it.live("lets no other user read the directory", () =>
    Effect.gen(function* () {
      const path = yield* directory
      chmodSync(path, 0o755)
      yield* hashes(path)
      assert.strictEqual(statSync(path).mode & 0o777, 0o700)
    }).pipe(Effect.scoped),
  )

  it.live("refuses a second process in one line, and a second opening in the same process", () =>
    Effect.gen(function* () {
      const path = yield* directory
      yield* Effect.gen(function* () {
        const { complaint, said } = yield* killed(path, "x", 1)
        assert.deepStrictEqual(said, [])
        assert.match(complaint.trim(), /^The data directory .* is in use by process \d+[^\n]*$/)
        const error = yield* Effect.flip(Effect.scoped(Layer.build(Embedded.layer(path))))
        assert.deepStrictEqual({ ...error }, { ...new DirectoryInUse({ directory: path, pid: process.pid }) })
      }).pipe(Effect.provide(open(path)))
      assert.isFalse(existsSync(join(path, "lock")))
      assert.deepStrictEqual(yield* hashes(path), [])
    }).pipe(Effect.scoped),
  )

  it.live("waits up to five seconds for a killed process that is still exiting, and no longer", () =>
    Effect.gen(function* () {
      const path = yield* directory
      yield* holder(path, 1_000)
      const [waited] = yield* Effect.timed(hashes(path))
      assert.isAbove(Duration.toMillis(waited), 500)

      const { pid } = yield* holder(path, 60_000)
      const [refused, error] = yield* Effect.timed(Effect.flip(Effect.scoped(Layer.build(Embedded.layer(path)))))
      assert.deepStrictEqual({ ...error }, { ...new DirectoryInUse({ directory: path, pid }) })
      assert.isAtLeast(Duration.toMillis(refused), 4_500)
      assert.isBelow(Duration.toMillis(refused), 10_000)
    }).pipe(Effect.scoped),
  )

  it.live("takes the lock over from a dead process, even if another process has its pid now", () =>
    Effect.gen(function* () {
      const path = yield* directory
      for (const holder of [
        { pid: 2 ** 22 + 1, started: "1" },
        { pid: process.ppid, started: "1" },
        { pid: process.pid, started: "1" },
      ]) {
        writeFileSync(join(path, "lock"), JSON.stringify(holder))
        assert.deepStrictEqual(yield* hashes(path), [])
      }
    }).pipe(Effect.scoped),
  )

  it.live("reports in one line a directory, or a database in it, that cannot be used", () =>
    Effect.gen(function* () {
      const refusal = (path: string) => Effect.flip(Effect.scoped(Layer.build(Embedded.layer(path))))
      const file = join(temporary, "file")
      writeFileSync(file, "")
      for (const path of [file, join(file, "data"), "/proc/sallyport/data"]) {
        const { message, _tag } = yield* refusal(path)
        assert.strictEqual(_tag, "DirectoryUnusable")
        assert.match(message, /^The data directory \S+ cannot be used \(E[A-Z]+: [^\n]+\); set store\.directory to a folder [^\n]+$/)
      }
      for (const damage of [
        (place: string) => rmSync(join(place, "global", "pg_control")),
        (place: string) => writeFileSync(join(place, "PG_VERSION"), "9\n"),
      ]) {
        const path = yield* directory
        damage(join(path, "pg"))
        assert.match((yield* refusal(path)).message, /^The database in \S+ cannot be opened: it is damaged[^\n]+; restore a backup[^\n]+$/)
        assert.isFalse(existsSync(join(path, "lock")))
      }
    }).pipe(Effect.scoped),
  )

  it.live("logs the creation of a database", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => lines.push(String(message)))])
      const path = yield* newDirectory
      for (const _ of ["first", "second"]) yield* Effect.provide(hashes(path), log)
      assert.deepStrictEqual(lines, [`Creating the database in ${path}. This can take half a minute.`])
    }).pipe(Effect.scoped),
  )

  it.live("starts again after an interrupted first start", () =>
    Effect.gen(function* () {
      const path = yield* newDirectory
      mkdirSync(join(path, "pg.new"), { recursive: true })
      writeFileSync(join(path, "pg.new", "PG_VERSION"), "18")
      assert.deepStrictEqual(yield* hashes(path), [])
    }).pipe(Effect.scoped),
  )

  it.live("keeps no data without a directory", () =>
    Effect.gen(function* () {
      const store = PostgresStore.layer(tables).pipe(Layer.provide(Embedded.layer()))
      yield* Effect.provide(
        Effect.flatMap(Store, ({ ping }) => ping),
        store,
      )
    }),
  )
})
