import { describe, expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { type Program, start, workersOf } from "./program.ts"
import { until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }
const listen = { workers: 3, drain_delay: 1 }

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until so many workers have listened. */
const serving = ({ logs }: Program, starts = listen.workers, seconds?: number) =>
  until("the workers", () => (logs().split("worker listens").length > starts ? true : undefined), seconds)

describe.runIf(process.platform === "linux")("listen.workers", () => {
  it("share one port and one database; a worker that is killed is replaced, and SIGTERM stops all", async () => {
    const metrics = { port: 0 }
    const program = await start({ store: await freshStore(), listen, telemetry: { metrics } })
    await serving(program)
    const { cookie } = await program.call("/sign-up/email", credentials)
    const sessions = () => Promise.all(Array.from({ length: 30 }, () => program.call("/get-session", undefined, { cookie })))
    for (const { status, body } of await sessions()) expect([status, body.user?.email]).toEqual([200, credentials.email])

    const before = workersOf(program)
    process.kill(before[0] ?? 0, "SIGKILL")
    await until("another worker", () => workersOf(program).find((pid) => !before.includes(pid)))
    for (const { status } of await sessions()) expect(status).toBe(200)
    expect(program.logs()).toContain("worker ended, starting another")

    const last = workersOf(program)
    expect(await program.stop()).toBe(0)
    expect(last.filter(isRunning)).toEqual([])
  })

  it("keep serving while another one cannot start because of an invalid configuration, which still ends the first start", async () => {
    const program = await start({ store: await freshStore(), listen })
    await serving(program)
    const before = workersOf(program)
    program.configure({ session: { expires_in: "long" } })
    process.kill(before[0] ?? 0, "SIGKILL")
    await until("the failed start", () => program.logs().includes("worker did not start, trying again in 30 seconds") || undefined)
    expect(program.logs()).toContain("session.expires_in")
    expect(before.filter(isRunning)).toHaveLength(listen.workers - 1)
    for (let turn = 0; turn < 5; turn++) expect((await program.get("/readyz")).status).toBe(200)
    program.configure({})
    await serving(program, listen.workers + 1, 90)
    expect(await program.stop()).toBe(0)

    program.configure({ session: { expires_in: "long" } })
    program.begin()
    await until("the end", () => !isRunning(program.pid()) || undefined)
  })

  it("use one token once, with twenty requests at once", async () => {
    const program = await start({ store: await freshStore(), listen, modules: { one_time_token: {} } })
    await serving(program)
    const { cookie } = await program.call("/sign-up/email", credentials)
    for (let turn = 0; turn < 10; turn++) {
      const { body } = await program.call("/one-time-token/generate", {}, { cookie })
      const uses = await Promise.all(
        Array.from({ length: 20 }, () => program.call("/one-time-token/verify", { token: (body as { readonly token?: string }).token })),
      )
      expect(uses.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  it("end with the process that started them", async () => {
    const program = await start({ store: await freshStore(), listen })
    await serving(program)
    const last = workersOf(program)
    await program.kill()
    await until("the end of all workers", () => (last.some(isRunning) ? undefined : true))
  })
})
