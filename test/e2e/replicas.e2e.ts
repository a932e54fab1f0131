import { connect, createServer, type Socket } from "node:net"
import { beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../free-port.ts"
import { type Server, startPostgres, startStandby } from "../postgres-server.ts"
import { sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { type Program, start } from "./program.ts"
import { until } from "./waiting.ts"

const password = "correct horse battery staple"
const lag = 3

let primary: Server
let standby: Awaited<ReturnType<typeof startStandby>>
let line: Awaited<ReturnType<typeof startLine>>
let program: Program
let other: Program
const at = () => `postgres://postgres@127.0.0.1:${standby.port}/postgres`

/** A way to the standby that can hang: it accepts connections, and passes nothing on. */
const startLine = async (to: number) => {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let hangs = false
  const server = createServer((from) => {
    const target = connect(to, "127.0.0.1")
    for (const socket of [from, target]) {
      sockets.add(socket)
      socket.on("error", () => {})
      const other = socket === from ? target : from
      socket.on("close", () => void other.destroy())
      socket.on("data", (bytes) => void (hangs || other.write(bytes)))
    }
  }).listen(port, "127.0.0.1")
  return {
    port,
    hang: () => {
      hangs = true
    },
    /** Breaks the connections that hung, since bytes are missing in them. */
    resume: () => {
      hangs = false
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** A role without any rights but those on its own tables: the lag has to be visible to it. */
const asService = (url: string) => url.replace("postgres@", "service@")

const begin = () =>
  start({
    store: {
      kind: "postgres",
      url: asService(primary.url),
      replicas: [asService(`postgres://postgres@127.0.0.1:${line.port}/postgres`)],
      replica_lag: lag,
      schema: "auth",
    },
    session: { update_age: 3600 },
  })

/** How many statements that read a session by its token a server has executed, by its log. */
const readsOn = ({ log }: { readonly log: () => string }) => log().split('FROM "auth"."session" t JOIN').length - 1

/** Reads a session twenty times; returns how many of the reads each server has executed, and the users. */
const twentyReads = async (cookie: string, by = program) => {
  const before = [readsOn(primary), readsOn(standby)] as const
  const emails = new Set<unknown>()
  for (let index = 0; index < 20; index++) emails.add((await by.call("/get-session", undefined, { cookie })).body.user?.email)
  return { onPrimary: readsOn(primary) - before[0], onStandby: readsOn(standby) - before[1], emails: [...emails] }
}

const signUp = async (email: string) => (await program.call("/sign-up/email", { email, password })).cookie ?? ""

/** Waits until a replica is used again, or no longer, for every instance. */
const untilLogged = (text: string, times: number) =>
  until(text, () => ([program, other].every(({ logs }) => logs().split(text).length > times) ? true : undefined))

const untilCopied = () =>
  until("the standby to apply everything", async () => {
    const [position] = await sql(primary.url, "SELECT pg_current_wal_insert_lsn() AS lsn")
    const [row] = await sql(at(), `SELECT pg_last_wal_replay_lsn() >= '${position?.["lsn"]}' AS applied`)
    return row?.["applied"] === true ? true : undefined
  })

describe("store.replicas", () => {
  beforeAll(async () => {
    primary = await startPostgres({ log_statement: "all" })
    atEnd(primary.stop)
    await sql(primary.url, "CREATE ROLE service LOGIN")
    await sql(primary.url, "GRANT CREATE ON DATABASE postgres TO service")
    standby = await startStandby(primary.url, { log_statement: "all" })
    atEnd(() => standby.stop())
    line = await startLine(standby.port)
    atEnd(line.stop)
    program = await begin()
    other = await begin()
    await untilLogged("replica is used", 1)
  })

  it("a session is read from the replica; what this process has just written is read from the primary", async () => {
    const cookie = await signUp("reader@example.com")
    await untilCopied()
    expect(await twentyReads(cookie, other)).toEqual({ onPrimary: 0, onStandby: 20, emails: ["reader@example.com"] })

    await program.call("/update-user", { name: "Ada" }, { cookie })
    const { body } = await program.call("/get-session", undefined, { cookie })
    expect(body.user).toMatchObject({ name: "Ada" })
  })

  it("a session that the replica does not have yet is found on the primary", async () => {
    await sql(at(), "SELECT pg_wal_replay_pause()")
    const cookie = await signUp("miss@example.com")
    const { body } = await other.call("/get-session", undefined, { cookie })
    expect(body.user?.email).toBe("miss@example.com")
    await sql(at(), "SELECT pg_wal_replay_resume()")
  })

  it("revocation lags by the bound at most, and not at all in the process that revoked", async () => {
    const cookie = await signUp("revoked@example.com")
    await untilCopied()
    await until("the replica", async () => ((await twentyReads(cookie, other)).onPrimary === 0 ? true : undefined))
    await sql(at(), "SELECT pg_wal_replay_pause()")
    await program.call("/sign-out", {}, { cookie })
    const began = performance.now()
    expect((await program.call("/get-session", undefined, { cookie })).body.session).toBeNull()
    expect((await other.call("/get-session", undefined, { cookie })).body.session).not.toBeNull()
    await until("the refusal", async () =>
      (await other.call("/get-session", undefined, { cookie })).body.session === null ? true : undefined,
    )
    expect(performance.now() - began).toBeLessThan(lag * 1000 + 500)
  })

  it("a replica that lags beyond the bound is not used, and is used again once it does not", async () => {
    const cookie = await signUp("lagging@example.com")
    await untilLogged("replica is not used", 1)
    expect(await twentyReads(cookie)).toEqual({ onPrimary: 20, onStandby: 0, emails: ["lagging@example.com"] })

    await sql(at(), "SELECT pg_wal_replay_resume()")
    await untilLogged("replica is used", 2)
    expect(await twentyReads(cookie, other)).toMatchObject({ onPrimary: 0, onStandby: 20 })
  })

  it("a standby that is stopped costs nothing, and is used again after it has started", async () => {
    const cookie = await signUp("stopped@example.com")
    await untilCopied()
    standby.halt()
    const answers = await Promise.all(Array.from({ length: 50 }, () => other.call("/get-session", undefined, { cookie })))
    expect(new Set(answers.map(({ body }) => body.user?.email))).toEqual(new Set(["stopped@example.com"]))
    await untilLogged("replica is not used", 2)
    // If each of them waited for the standby, they would take 20 seconds.
    const began = performance.now()
    for (let index = 0; index < 20; index++) await other.call("/get-session", undefined, { cookie })
    expect(performance.now() - began).toBeLessThan(10_000)

    standby.resume()
    await untilLogged("replica is used", 3)
    expect(await twentyReads(cookie, other)).toMatchObject({ onPrimary: 0, onStandby: 20 })
  })

  it("a standby that hangs delays reads by a second, once", async () => {
    const cookie = await signUp("hanging@example.com")
    await untilCopied()
    line.hang()
    const timed = async () => {
      const began = performance.now()
      const { body } = await other.call("/get-session", undefined, { cookie })
      expect(body.user?.email).toBe("hanging@example.com")
      return performance.now() - began
    }
    expect(await timed()).toBeLessThan(10_000)
    const rest: Array<number> = []
    for (let index = 0; index < 20; index++) rest.push(await timed())
    expect(rest.reduce((sum, each) => sum + each)).toBeLessThan(10_000)
    await untilLogged("replica is not used", 3)
    line.resume()
    await untilLogged("replica is used", 4)
  })

  it("a standby that was promoted is not used", async () => {
    const cookie = await signUp("split@example.com")
    standby.promote()
    await untilLogged("replica is not used", 4)
    expect(await twentyReads(cookie)).toEqual({ onPrimary: 20, onStandby: 0, emails: ["split@example.com"] })
  })
})
