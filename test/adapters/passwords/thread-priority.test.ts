import { execFile } from "node:child_process"
import { getPriority } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "@effect/vitest"

const adapters = join(import.meta.dirname, "../../../adapters/passwords")

/** Prints the nice values of the main thread and of the pool's threads, in a process of its own: the change stays until its end. */
const program = `
  import { readdirSync, readFileSync } from "node:fs"
  import { getPriority } from "node:os"
  import { Effect, Layer } from "effect"
  import * as PasswordHasher from "${adapters}/password-hasher.ts"
  import * as ThreadPriority from "${adapters}/thread-priority.ts"
  const hasher = PasswordHasher.layer({ memory_kib: 8, passes: 1, lanes: 1 })
  await Effect.runPromise(Effect.scoped(Layer.build(Layer.provideMerge(ThreadPriority.layer, hasher))))
  const nameOf = (id) => readFileSync("/proc/self/task/" + id + "/comm", "utf8").trim()
  const pool = process.platform === "linux" ? readdirSync("/proc/self/task").filter((id) => nameOf(id) === "libuv-worker") : []
  console.log(JSON.stringify({ main: getPriority(), pool: pool.map((id) => getPriority(Number(id))) }))
`

it("lowers the priority of the threads that hash, and not that of the main thread", async () => {
  const env = { ...process.env, UV_THREADPOOL_SIZE: "2" }
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env, cwd: import.meta.dirname })
  const { main, pool } = JSON.parse(stdout)
  const lower = Math.min(getPriority() + 10, 19)
  expect({ main, pool }).toEqual({ main: getPriority(), pool: process.platform === "linux" ? [lower, lower] : [] })
})
