import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { inspect } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { codes, endings } from "../../adapters/process/start-faults.ts"
import { type SallyportConfiguration, sallyport } from "../../index.ts"
import { freePort } from "../free-port.ts"
import { freshDatabase, sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { bareEnvironment, builtProgram, cheapHash, temporaryFolder } from "./program.ts"
import { startRedis } from "./redis.ts"

const hidden = "hunter2-hunter2-hunter2-hunter2-hunter2"
const secret = `a secret for these tests only, ${hidden}`
const password = "correct horse battery staple"

/** A configuration with which no start succeeds. */
type Config = Readonly<Record<string, unknown>>
type Tag = keyof typeof endings

interface Failure {
  readonly tag: Tag
  /** Whether only a change of the configuration or of the rights helps. */
  readonly isRefused?: boolean
  readonly what: string
  readonly config: () => Promise<Config>
  readonly says: RegExp
}

const listening = async (server: Server): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  atEnd(() => void server.close())
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** A PostgreSQL that answers every login with an error. */
const refusing = (code: string, message: string) => {
  const fields = Object.entries({ S: "FATAL", V: "FATAL", C: code, M: message }).map(([name, value]) => `${name}${value}\0`)
  const body = Buffer.from(`${fields.join("")}\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(body.length + 4, 1)
  const answer = (socket: Socket) => void socket.on("error", () => {}).once("data", () => socket.end(Buffer.concat([head, body])))
  return listening(createServer(answer))
}

const postgres = (url: string, more: Config = {}) => ({ store: { kind: "postgres", url, ...more } })
const at = (port: number, path = "auth") => `postgres://app:${hidden}@127.0.0.1:${port}/${path}`

/** The URL of a database, with a user, a password, and changes. */
const changed = (url: string, change: (url: URL) => void): string => {
  const made = new URL(url)
  change(made)
  return made.href
}

/** A service with a value that its secret has encrypted. */
const enrolled = async (config: SallyportConfiguration) => {
  const auth = sallyport({ ...config, modules: { two_factor: {} } } as const)
  const { headers } = await auth.call.signUpEmail({ input: { email: "ada@example.com", password } })
  const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const { error } = await auth.call.twoFactorTotpEnable({ headers: { cookie }, input: { password } })
  expect(error).toBeNull()
  await auth.close()
}

const vault = async (config: Config): Promise<Config> => ({
  secret: `wrapped:vault:v1:${"A".repeat(60)}`,
  key_management: { kind: "vault", token: hidden, key: "sallyport", ...config },
})

let url = ""
let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  url = await freshDatabase()
  redis = await startRedis()
})

const failures: ReadonlyArray<Failure> = [
  { tag: "ConfigurationFault", what: "a secret that is too short", config: async () => ({ secret: "hunter2" }), says: /^secret: / },
  {
    tag: "ConfigurationFault",
    what: "several faults",
    config: async () => ({ sesion: {}, store: { kind: "postgres", url: `mysql://me:${hidden}@db` }, max_body_bytes: "many" }),
    says: /^(.+\n){2}.+$/,
  },
  {
    tag: "ConfigurationFault",
    what: "certificate authorities that cannot be read",
    config: async () => postgres(`${at(1)}?sslmode=verify-full&sslrootcert=/nowhere.pem`),
    says: /^store\.url: /,
  },
  {
    tag: "ConfigurationFault",
    what: "a path that two endpoints use",
    config: async () => ({ store: { kind: "memory" }, graphql: { path: "/api/auth/sign-out" } }),
    says: /^graphql\.path: /,
  },
  {
    tag: "ConfigurationFault",
    what: "trusted documents that are not there",
    config: async () => ({ store: { kind: "memory" }, graphql: { trusted_documents: "/nowhere.json" } }),
    says: /^graphql\.trusted_documents: /,
  },
  {
    tag: "ConfigurationFault",
    what: "metrics on a port in use",
    config: async () => ({ store: { kind: "memory" }, telemetry: { metrics: { port: await listening(createServer()) } } }),
    says: /^telemetry\.metrics: found .*EADDRINUSE/,
  },
  {
    tag: "SecretMissing",
    what: "another secret than that of the database",
    config: async () => {
      const store = { kind: "postgres", url: await freshDatabase() } as const
      const email_password = { enabled: true, hash: cheapHash }
      await enrolled({
        secret: "another secret for these tests, 32+ bytes",
        store,
        mail: { kind: "none" },
        log: { level: "none" },
        email_password,
      })
      return { store, modules: { two_factor: {} } }
    },
    says: /^secret: none of the listed secrets can decrypt 1 value/,
  },
  {
    tag: "StoreUnavailable",
    what: "a wrong password",
    config: async () => postgres(at(await refusing("28P01", 'password authentication failed for user "app"'))),
    says: /^The store cannot be used \(password authentication failed for user "app"; store\.url or DATABASE_URL names it\)\.$/,
  },
  {
    tag: "StoreUnavailable",
    what: "a role that does not exist",
    config: async () => postgres(changed(url, (to) => Object.assign(to, { username: "stranger", password: hidden }))),
    says: /^The store cannot be used \(role "stranger" does not exist; /,
  },
  {
    tag: "StoreUnavailable",
    what: "a database that does not exist",
    config: async () => postgres(changed(url, (to) => Object.assign(to, { password: hidden, pathname: "/absent" }))),
    says: /^The store cannot be used \(database "absent" does not exist; create it, /,
  },
  {
    tag: "StoreUnavailable",
    what: "a role without the right to create tables",
    isRefused: true,
    config: async () => {
      await sql(url, "CREATE ROLE limited LOGIN")
      atEnd(() => sql(url, "DROP OWNED BY limited; DROP ROLE limited"))
      await sql(url, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
      return postgres(changed(url, (to) => Object.assign(to, { username: "limited", password: hidden })))
    },
    says: /^The store cannot be used \(permission denied for schema public; grant the right /,
  },
  {
    tag: "StoreUnavailable",
    what: "a server without TLS",
    config: async () => postgres(changed(url, (to) => Object.assign(to, { password: hidden, search: "?sslmode=require" }))),
    says: /^The store cannot be reached \(The server does not support TLS; /,
  },
  {
    tag: "DatabaseRefused",
    what: "an application's own table",
    config: async () => {
      const url = await freshDatabase()
      await sql(url, 'CREATE TABLE "user" (id serial PRIMARY KEY, email text)')
      return postgres(url)
    },
    says: /^Table "user" exists in schema "public" and is not Sallyport's; use store\.schema: "auth" or another database$/,
  },
  {
    tag: "DatabaseRefused",
    what: "a column that was changed",
    config: async () => {
      const url = await freshDatabase()
      const auth = sallyport({ secret, store: { kind: "postgres", url }, mail: { kind: "none" }, log: { level: "none" } })
      await auth.ready()
      await auth.close()
      await sql(url, 'ALTER TABLE "user" ALTER COLUMN email DROP NOT NULL')
      return postgres(url)
    },
    says: /to make the change, run: ALTER TABLE "user" ALTER COLUMN "email" SET NOT NULL$/,
  },
  {
    tag: "DatabaseRefused",
    what: "an empty database that a start must not migrate",
    config: async () => ({ store: { kind: "postgres", url: await freshDatabase(), migrate: "never" } }),
    says: /^\d+ changes of the schema are due, and store\.migrate is "never": run `migrate` of this version first$/,
  },
  {
    tag: "DirectoryInUse",
    what: "a data directory that a process has open",
    config: async () => {
      const directory = join(temporaryFolder(), "data")
      const auth = sallyport({ secret, store: { kind: "embedded", directory }, mail: { kind: "none" }, log: { level: "none" } })
      await auth.ready()
      atEnd(auth.close)
      return { store: { kind: "embedded", directory } }
    },
    says: new RegExp(`is in use by process ${process.pid}`),
  },
  {
    tag: "DirectoryUnusable",
    what: "a data directory below a file",
    config: async () => {
      const file = join(temporaryFolder(), "file")
      writeFileSync(file, "")
      return { store: { kind: "embedded", directory: join(file, "data") } }
    },
    says: /^The data directory .* cannot be used \(/,
  },
  {
    tag: "DirectoryUnusable",
    what: "a damaged database",
    config: async () => {
      const directory = join(temporaryFolder(), "data")
      mkdirSync(join(directory, "pg"), { recursive: true })
      writeFileSync(join(directory, "pg", "PG_VERSION"), "1")
      return { store: { kind: "embedded", directory } }
    },
    says: /^The database in .* cannot be opened/,
  },
  {
    tag: "RedisUnavailable",
    what: "a wrong password of Redis",
    config: async () => ({
      store: { kind: "memory" },
      rate_limit: { store: "redis" },
      redis: { url: changed(redis.url, (to) => Object.assign(to, { password: hidden })) },
    }),
    says: /^Redis cannot be used \(WRONGPASS .*; redis\.url or REDIS_URL names it\)\.$/,
  },
  {
    tag: "RedisUnavailable",
    what: "a Redis that needs a password",
    config: async () => ({
      store: { kind: "memory" },
      rate_limit: { store: "redis" },
      redis: { url: changed(redis.url, (to) => Object.assign(to, { password: "" })) },
    }),
    says: /^Redis cannot be used \(NOAUTH /,
  },
  {
    tag: "KeyManagementUnavailable",
    what: "a key management that cannot be reached",
    config: async () => vault({ url: `http://127.0.0.1:${await freePort()}` }),
    says: /^Key management cannot be used \(/,
  },
  {
    tag: "KeyManagementRefused",
    what: "a key management that is another one than that of the secret",
    config: async () => ({
      secret: `wrapped:aws:${"A".repeat(60)}`,
      key_management: { kind: "vault", url: "http://127.0.0.1:1", token: hidden, key: "k" },
    }),
    says: /^key_management: /,
  },
]

/** Those that a restart cannot heal: systemd does not restart after their code. */
const refusals: ReadonlyArray<Tag> = ["ConfigurationFault", "SecretMissing", "KeyManagementRefused", "DatabaseRefused"]

/** Not of a start in a process of your own: the command `backup`, and the listener of `serve`. */
const ofCommands: ReadonlyArray<Tag> = ["BackupFailed", "ServeError"]

/** What the command prints on standard error and in its log. */
const commanded = async (config: Config) => {
  const folder = temporaryFolder()
  const file = join(folder, "config.json")
  writeFileSync(file, JSON.stringify(config))
  const child = spawn(process.execPath, [builtProgram, "--config", file], { cwd: folder, env: bareEnvironment() })
  const said = { out: "", error: "" }
  child.stdout.setEncoding("utf8").on("data", (text) => (said.out += text))
  child.stderr.setEncoding("utf8").on("data", (text) => (said.error += text))
  atEnd(() => void child.kill("SIGKILL"))
  const [code] = await once(child, "close")
  return { code: code as number | null, ...said }
}

const rejected = (config: Config): Promise<unknown> =>
  sallyport({ ...config, log: { level: "none" } } as never)
    .ready()
    .then(
      () => expect.fail("it started"),
      (error: unknown) => error,
    )

describe("a start that fails", () => {
  it("has a case for every ending that the command knows", () => {
    expect([...new Set(failures.map(({ tag }) => tag)), ...ofCommands].toSorted()).toEqual(Object.keys(endings).toSorted())
  })

  it.each(failures)(
    "$tag: $what: ready() rejects with the text that the command prints",
    async ({ tag, isRefused = refusals.includes(tag), config, says }) => {
      const given = { secret, public_url: `http://localhost:${await freePort()}`, mail: { kind: "none" }, ...(await config()) }
      const withLevel = { log: { level: "warn" }, ...given }
      const { code, out, error } = await commanded(withLevel)
      const fault = await rejected(withLevel)

      expect(code).toBe(isRefused ? codes.configuration : codes.unavailable)
      expect(fault).toBeInstanceOf(Error)
      expect(Object(fault)._tag).toBe(tag)
      const { message, cause } = fault as Error
      expect(message).toMatch(says)
      expect(`${message}\n`).toBe(error)
      expect(cause instanceof Error).toBe(["StoreUnavailable", "RedisUnavailable"].includes(tag))
      expect(out).not.toContain("retrying")
      for (const text of [out, error, inspect(fault, { depth: Number.POSITIVE_INFINITY, showHidden: true })])
        expect(text).not.toContain("hunter2")
    },
  )

  it("waits for what heals: a database that starts, and one that is not reachable yet", async () => {
    const starting = await refusing("57P03", "the database system is starting up")
    const stores = [postgres(at(starting)), postgres(at(await freePort()))]
    const outputs = await Promise.all(stores.map((store) => commanded({ secret, mail: { kind: "none" }, ...store })))
    for (const { code, out, error } of outputs) {
      expect(code).toBe(codes.unavailable)
      expect(out).toContain("retrying for 30s")
      expect(error).toMatch(/^The store cannot be (used|reached) \(/)
      expect(out + error).not.toContain("hunter2")
    }
  })
})
