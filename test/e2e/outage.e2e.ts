import type { Socket } from "node:net"
import { connect, createServer } from "node:net"
import { expect, it } from "vitest"
import { freePort } from "../free-port.ts"
import { type Server, startReplicaSet } from "../mongo-server.ts"
import { startPostgres } from "../postgres-server.ts"
import { freshDatabase, freshStore, sql } from "./database.ts"
import { atEnd } from "./endings.ts"
import { send } from "./http.ts"
import type { Program } from "./program.ts"
import { start } from "./program.ts"
import { pause, until } from "./waiting.ts"

/** A database server that the test can halt and resume: MongoDB if `STORE` is `mongo`, else PostgreSQL. */
const startDatabase = async () => {
  if (process.env["STORE"] !== "mongo") {
    const { url, ...server } = await startPostgres()
    return { store: { kind: "postgres", url }, ...server }
  }
  const { url, members, stop } = await startReplicaSet()
  const [{ halt, resume }] = members as readonly [Server]
  return { store: { kind: "mongo", url }, halt, resume, stop }
}

const password = "correct horse battery staple"
const credentials = { email: "ada@example.com", password }

/** Expects that requests are refused with 503 and the error envelope while the database is halted, before the client times out. */
const expectUnavailable = async ({ call, get }: Program, cookie: string | undefined) => {
  const answers = await Promise.all([
    call("/sign-in/email", credentials),
    call("/sign-up/email", { ...credentials, email: "grace@example.com" }),
    call("/request-password-reset", { email: credentials.email }),
    call("/get-session", undefined, { cookie }),
  ])
  for (const { status, body, headers } of answers) {
    expect([status, body.error?.code]).toEqual([503, "unavailable"])
    expect(headers["retry-after"]).toBeDefined()
  }
  expect((await get("/readyz")).status).toBe(503)
  expect((await get("/healthz")).status).toBe(200)
}

const recovered = ({ get }: Program) => until("readiness", async () => (await get("/readyz")).status === 200 || undefined, 60)

it("the database stops and restarts: 503 meanwhile, then requests succeed, and no answered write is lost", async () => {
  const database = await startDatabase()
  atEnd(database.stop)
  const program = await start({ store: database.store })
  const { cookie } = await program.call("/sign-up/email", credentials)

  const accepted: Array<string> = []
  const refused = new Set<number>()
  let over = false
  const signUp = async (client: number) => {
    for (let index = 0; !over; index++) {
      const email = `person${client}.${index}@example.com`
      const { status } = await program.call("/sign-up/email", { email, password })
      if (status === 200) accepted.push(email)
      else {
        refused.add(status)
        await pause(20)
      }
    }
  }
  const clients = [0, 1, 2, 3].map(signUp)

  for (let round = 0; round < 2; round++) {
    const before = accepted.length
    await until("sign-ups", () => accepted.length > before + 20 || undefined)
    await database.halt()
    await expectUnavailable(program, cookie)
    await database.resume()
    await recovered(program)
  }
  const before = accepted.length
  await until("sign-ups", () => accepted.length > before + 20 || undefined)
  over = true
  await Promise.all(clients)

  const failures = program
    .logs()
    .split("\n")
    .filter((line) => line.includes("A request failed"))
  expect([...refused], failures.slice(0, 3).join("\n")).toEqual([503])
  expect((await program.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
  const lost: Array<string> = []
  for (const email of accepted) if ((await program.call("/sign-in/email", { email, password })).status !== 200) lost.push(email)
  expect(lost).toEqual([])
})

it("a database that does not answer causes 503, and is used again once it answers", async () => {
  const store = await freshStore()
  const url = new URL(store.url)
  const wire = await startWire(Number(url.port || 5432), url.hostname)
  url.hostname = "127.0.0.1"
  url.port = String(wire.port)
  // A replica set would report its members, and the driver would bypass the proxy.
  if (store.kind === "mongo") url.search = "?directConnection=true"
  const program = await start({ store: { ...store, url: url.href } })
  const { cookie } = await program.call("/sign-up/email", credentials)

  wire.silence()
  await expectUnavailable(program, cookie)
  wire.speak()
  await recovered(program)
  await pause(100)
  expect((await program.call("/sign-in/email", credentials)).status).toBe(200)
  expect((await program.call("/get-session", undefined, { cookie })).body.user?.email).toBe(credentials.email)
})

if (process.env["STORE"] !== "mongo")
  it("a locked table causes 503, and the instance stays ready", async () => {
    const url = await freshDatabase()
    const program = await start({ store: { kind: "postgres", url }, request_timeout: 2, pages: {} })
    const { cookie } = await program.call("/sign-up/email", credentials)
    const lock = sql(url, 'BEGIN; LOCK TABLE "session"; SELECT pg_sleep(60); COMMIT').catch(() => {})
    await pause(1000)
    const answers = await Promise.all([
      program.call("/sign-in/email", credentials),
      program.call("/get-session", undefined, { cookie }),
      program.call("/list-sessions", undefined, { cookie }),
    ])
    for (const { status, body } of answers) expect([status, body.error?.code]).toEqual([503, "unavailable"])
    const [graph, page] = await Promise.all([
      send(program.port, "/graphql", { query: "{ viewer { user { id } } }" }, { cookie }),
      fetch(`http://127.0.0.1:${program.port}/account`, { headers: { cookie: cookie ?? "", accept: "text/html" } }),
    ])
    expect([graph.headers["retry-after"], JSON.stringify(graph.body)]).toEqual([
      expect.stringMatching(/^[12]$/),
      expect.stringMatching(/"code":"(unavailable|overloaded)"/),
    ])
    // Others have waited for long, so it may be refused at once, for longer.
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^[12]$/)])
    expect((await program.get("/readyz")).status).toBe(200)
    await sql(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%' AND datname = current_database()",
    )
    await lock
    expect((await program.call("/get-session", undefined, { cookie })).status).toBe(200)
  })

if (process.env["STORE"] !== "mongo")
  it("overload: lists are refused early, then sign-ups, and reads of sessions are answered", async () => {
    const url = await freshDatabase()
    const metrics = { host: "127.0.0.1", port: await freePort() }
    const store = { kind: "postgres", url, max_connections: 2 }
    const program = await start({ store, request_timeout: 2, telemetry: { metrics } })
    const { cookie } = await program.call("/sign-up/email", credentials)
    await sql(url, "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END'")
    await sql(url, 'CREATE TRIGGER slow BEFORE INSERT ON "user" FOR EACH ROW EXECUTE FUNCTION slow()')

    let over = false
    const outcomes = new Set<string>()
    const signUp = async (client: number) => {
      for (let index = 0; !over; index++) {
        const { status, body, headers } = await program.call("/sign-up/email", { email: `${client}.${index}@example.com`, password })
        outcomes.add(`${status} ${body.error?.code ?? ""}`)
        if (status === 503) await pause(Number(headers["retry-after"]) * 100)
      }
    }
    const clients = Array.from({ length: 30 }, (_, client) => signUp(client))
    await until("sign-ups to be refused", () => (outcomes.has("503 overloaded") ? true : undefined))
    const list = () => program.call("/list-sessions", undefined, { cookie })
    await until("a list to be refused", async () => {
      const [answer] = (await Promise.all([list(), list(), list()])).filter(({ body }) => body.error?.code === "overloaded")
      if (answer === undefined) return undefined
      expect([answer.status, Number(answer.headers["retry-after"]) > 0]).toEqual([503, true])
      return true
    })
    for (let index = 0; index < 50; index++) {
      const { status, body } = await program.call("/get-session", undefined, { cookie })
      expect([status, body.user?.email]).toEqual([200, credentials.email])
    }
    expect((await program.get("/readyz")).status).toBe(200)
    const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
    expect(text).toMatch(/^sallyport_shed_total\{workload="change"\} [1-9]/m)
    over = true
    await Promise.all(clients)
    expect(outcomes).toContain("200 ")
    await sql(url, 'DROP TRIGGER slow ON "user"')
    await until("lists to be answered", async () => ((await list()).status === 200 ? true : undefined))
  })

it("readiness and its metric follow the database at once, and gauges forget their last value", async () => {
  const database = await startDatabase()
  atEnd(database.stop)
  const metrics = { host: "127.0.0.1", port: await freePort() }
  const { get } = await start({ store: database.store, telemetry: { metrics } })
  const sampled = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  await until("a sample", async () => (/^sallyport_outbox_pending\{receiver="mail"\} 0$/m.test(await sampled()) ? true : undefined))
  expect(await sampled()).toMatch(/^sallyport_ready 1$/m)
  await database.halt()
  expect((await get("/readyz")).status).toBe(503)
  const text = await sampled()
  expect(text).toMatch(/^sallyport_ready 0$/m)
  expect(text).toMatch(/^sallyport_outbox_pending\{receiver="mail"\} NaN$/m)
  await database.resume()
  await until("readiness", async () => (/^sallyport_ready 1$/m.test(await sampled()) ? true : undefined), 60)
})

/** A proxy between the program and its database that can stop forwarding without breaking a connection. */
const startWire = async (port: number, host: string) => {
  const sockets = new Set<Socket>()
  let silent = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    if (silent) socket.pause()
    socket.on("error", () => {}).once("close", () => sockets.delete(socket))
    return socket
  }
  const server = createServer((near) => {
    const far = keep(connect(port, host))
    keep(near)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (bytes) => to.write(bytes)).once("close", () => to.destroy())
    }
  })
  const own = await freePort()
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: own,
    silence: () => {
      silent = true
      for (const socket of sockets) socket.pause()
    },
    speak: () => {
      silent = false
      for (const socket of sockets) socket.resume()
    },
  }
}
