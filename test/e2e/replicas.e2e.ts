import { beforeAll, describe, expect, it } from "vitest"
import { type Server, startPostgres, startStandby } from "../postgres-server.ts"
import { sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { type Program, start } from "./program.ts"
import { pause, until } from "./waiting.ts"

const password = "correct horse battery staple"
const lag = 3

let primary: Server
let standby: Awaited<ReturnType<typeof startStandby>>
let program: Program
let other: Program
const at = () => `postgres://postgres@127.0.0.1:${standby.port}/postgres`

/** A role without any rights but those on its own tables: the lag has to be visible to it. */
const asService = (url: string) => url.replace("postgres@", "service@")

const begin = () =>
  start({
    store: { kind: "postgres", url: asService(primary.url), replicas: [asService(at())], replica_lag: lag },
    session: { update_age: 3600 },
  })

/** How many statements that read sessions a server has executed. */
const readsOn = async (url: string) => {
  const [row] = await sql(
    url,
    "SELECT coalesce(sum(seq_scan + idx_scan), 0)::int AS scans FROM pg_stat_user_tables WHERE relname = 'session'",
  )
  return Number(row?.["scans"])
}

/** Reads a session twenty times; returns how many of the reads each server has executed, and the statuses. */
const twentyReads = async (cookie: string, by = program) => {
  const before = [await readsOn(primary.url), await readsOn(at())]
  const times: Array<number> = []
  const emails = new Set<unknown>()
  for (let index = 0; index < 20; index++) {
    const began = performance.now()
    emails.add((await by.call("/get-session", undefined, { cookie })).body.user?.email)
    times.push(performance.now() - began)
  }
  // A server reports its statistics after at most a second.
  await pause(1500)
  const after = [await readsOn(primary.url), await readsOn(at())]
  const [onPrimary = 0, onStandby = 0] = after.map((reads, index) => reads - before[index]!)
  return { onPrimary, onStandby, emails: [...emails], slowest: Math.max(...times) }
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
    primary = await startPostgres()
    atEnd(primary.stop)
    await sql(primary.url, "CREATE ROLE service LOGIN")
    await sql(primary.url, "GRANT CREATE, USAGE ON SCHEMA public TO service")
    standby = await startStandby(primary.url)
    atEnd(() => standby.stop())
    program = await begin()
    other = await begin()
    await untilLogged("replica is used", 1)
  })

  it("a session is read from the replica; what this process has just written is read from the primary", async () => {
    const cookie = await signUp("reader@example.com")
    await untilCopied()
    expect(await twentyReads(cookie, other)).toMatchObject({ onPrimary: 0, emails: ["reader@example.com"] })
    expect((await twentyReads(cookie, other)).onStandby).toBeGreaterThanOrEqual(20)

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
    expect(await twentyReads(cookie)).toMatchObject({ onStandby: 0, emails: ["lagging@example.com"] })

    await sql(at(), "SELECT pg_wal_replay_resume()")
    await untilLogged("replica is used", 2)
    expect(await twentyReads(cookie)).toMatchObject({ onPrimary: 0 })
  })

  it("a standby that is stopped costs nothing, and is used again after it has started", async () => {
    const cookie = await signUp("stopped@example.com")
    await untilCopied()
    standby.halt()
    const answers = await Promise.all(Array.from({ length: 50 }, () => other.call("/get-session", undefined, { cookie })))
    expect(new Set(answers.map(({ body }) => body.user?.email))).toEqual(new Set(["stopped@example.com"]))
    await untilLogged("replica is not used", 2)
    const began = performance.now()
    for (let index = 0; index < 20; index++) await other.call("/get-session", undefined, { cookie })
    expect(performance.now() - began).toBeLessThan(1000)

    standby.resume()
    await untilLogged("replica is used", 3)
    expect(await twentyReads(cookie, other)).toMatchObject({ onPrimary: 0 })
  })

  it("a promoted standby, whose history is another one, is not used", async () => {
    const cookie = await signUp("split@example.com")
    standby.promote()
    await untilLogged("replica is not used", 3)
    expect(await twentyReads(cookie)).toMatchObject({ onStandby: 0, emails: ["split@example.com"] })
  })
})
