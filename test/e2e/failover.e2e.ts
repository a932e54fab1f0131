import { expect, it } from "vitest"
import { startPostgres, startStandby } from "../postgres-server.ts"
import { sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { start } from "./program.ts"
import { pause, until } from "./waiting.ts"

const password = "correct horse battery staple"

it("after a failover to the synchronous standby, the service goes on without a restart, and no acknowledged sign-up is lost", async () => {
  const primary = await startPostgres()
  atEnd(primary.stop)
  const standby = await startStandby(primary.url)
  atEnd(standby.stop)
  // Every commit waits for the standby.
  await sql(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await sql(primary.url, "SELECT pg_reload_conf()")

  const { host } = new URL(primary.url)
  const url = `postgres://postgres@127.0.0.1:${standby.port},${host}/postgres?target_session_attrs=read-write`
  const program = await start({ store: { kind: "postgres", url } })
  const acknowledged: Array<string> = []
  const statuses = new Set<number>()
  let isOver = false
  const client = async (name: number) => {
    for (let index = 0; !isOver; index++) {
      const email = `user${name}-${index}@example.com`
      const { status } = await program.call("/sign-up/email", { email, password })
      statuses.add(status)
      if (status === 200) acknowledged.push(email)
      else await pause(50)
    }
  }
  const clients = Promise.all([client(0), client(1), client(2), client(3)])
  await until("sign-ups", () => acknowledged.length > 50 || undefined)
  primary.halt()
  await pause(500)
  standby.promote()
  await sql(`postgres://postgres@127.0.0.1:${standby.port}/postgres`, "ALTER SYSTEM RESET synchronous_standby_names")
  await sql(`postgres://postgres@127.0.0.1:${standby.port}/postgres`, "SELECT pg_reload_conf()")
  const before = acknowledged.length
  await until("sign-ups at the new primary", () => acknowledged.length > before + 50 || undefined, 60)
  isOver = true
  await clients

  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  for (const email of acknowledged) expect((await program.call("/sign-in/email", { email, password })).status, email).toBe(200)
})
