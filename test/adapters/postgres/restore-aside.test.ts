import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { BackupFailed } from "../../../adapters/backup-tools.ts"
import { restoreAside } from "../../../adapters/postgres/upkeep/restore-aside.ts"
import { fakeTool } from "../../fake-tool.ts"
import { databaseUrl, onServer } from "../../stores.ts"

const { host, pathname, search } = new URL(Redacted.value(databaseUrl))
const url = (text: string) => Redacted.make(text)
/** Records its arguments and its password. */
const pgRestore = fakeTool("pg_restore", `echo "$* $PGPASSWORD" >> log`)
const scratches = Effect.map(onServer("SELECT datname::text FROM pg_database WHERE datname LIKE 'sallyport_verify_%'"), ({ rows }) =>
  rows.map(({ datname }) => String(datname)),
)

it.live.each([
  `POSTGRES://postgres:secret@${host}${pathname}`,
  ` postgres://postgres:secret@${host}${pathname}`,
  `postgres://postgres:secret@${host}${pathname}?dbname=other`,
  `postgres://postgres:secret@${host}${pathname}?db%6Eame=other`,
  `postgres://postgres@${host}${pathname}?password=secret`,
  `postgres://postgres:se@cret@${host}${pathname}`,
])("%s is refused, and nothing is restored", (text) =>
  Effect.gen(function* () {
    const folder = yield* pgRestore
    const fault = yield* Effect.flip(restoreAside("a.dump", url(text)))
    assert.instanceOf(fault, BackupFailed)
    assert.notInclude(String(fault), "secret")
    assert.throws(() => readFileSync(join(folder, "log")))
    assert.deepStrictEqual(yield* scratches, [])
  }).pipe(Effect.scoped),
)

it.live("the tool gets the new database of the server that accepts writes, and the password in its environment", () =>
  Effect.gen(function* () {
    const folder = yield* pgRestore
    const text = `postgres://postgres:se%40cret@${host},${host}${pathname}${search}`
    const restored = yield* Effect.scoped(
      Effect.gen(function* () {
        const { url: target } = yield* restoreAside("a.dump", url(text))
        const [name] = yield* scratches
        assert.strictEqual(Redacted.value(target), `postgres://postgres:se%40cret@${host},${host}/${name}${search}`)
        return name
      }),
    )
    const [, line = ""] = readFileSync(join(folder, "log"), "utf8").trim().split("\n")
    const query = search === "" ? "?" : `${search}&`
    assert.include(line, `--dbname=postgres://postgres@${host},${host}/${restored}${query}target_session_attrs=read-write a.dump`)
    assert.isTrue(line.endsWith(" se@cret"))
    assert.deepStrictEqual(yield* scratches, [])
  }).pipe(Effect.scoped),
)

it.live("a copy that cannot be dropped is logged", () =>
  Effect.gen(function* () {
    yield* pgRestore
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))
    const kept = yield* Effect.gen(function* () {
      yield* restoreAside("a.dump", databaseUrl)
      const [name = ""] = yield* scratches
      yield* onServer(`ALTER DATABASE ${name} IS_TEMPLATE true`)
      return name
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
    yield* onServer(`ALTER DATABASE ${kept} IS_TEMPLATE false`)
    yield* onServer(`DROP DATABASE ${kept}`)
    assert.lengthOf(lines, 1)
    assert.include(lines[0] ?? "", `The database ${kept} could not be dropped.`)
  }).pipe(Effect.scoped),
)
