// Measures the memory of the server: idle, and after ten thousand and a million reads of a session by 256 users. README.md.

import type { ChildProcess } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { startDatabases } from "./databases.ts"
import { send } from "./load.ts"
import { demandWrk, leaveServersProcessor, stopped } from "./machine.ts"
import { fast } from "./operation.ts"
import { sessions } from "./operations/sessions.ts"
import { json, store } from "./options.ts"
import { prepare } from "./prepared.ts"
import { written } from "./requests.ts"
import { build, configure, start } from "./sallyport.ts"

/** Numbers of reads after which the memory is measured, in ascending order. */
const counts = (process.env["BENCH_READS"] ?? "10000,1000000").split(",").map(Number)
/** How long a server rests before it is measured, seconds. */
const rest = 5

interface Memory {
  readonly rss: number
  readonly heapTotal: number
  readonly heapUsed: number
  readonly external: number
  /** The used heap after a garbage collection. */
  readonly collected: number
}

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Asks the server for its memory; bench/heap.mjs answers. */
const memoryOf = async (child: ChildProcess, file: string): Promise<Memory> => {
  await sleep(rest)
  rmSync(file, { force: true })
  child.kill("SIGUSR2")
  for (let tries = 0; tries < 100 && !existsSync(file); tries++) await sleep(0.1)
  return JSON.parse(readFileSync(file, "utf8"))
}

const print = (state: string, { rss, heapTotal, heapUsed, external, collected }: Memory) => {
  if (json) return console.log(JSON.stringify({ store, state, rss, heapTotal, heapUsed, external, collected }))
  const figures = [rss, heapTotal, heapUsed, collected, external].map((value) => value.toFixed(0).padStart(9))
  console.log(`${state.padEnd(24)}${figures.join("")}`)
}

demandWrk()
build()
leaveServersProcessor()
const folder = mkdtempSync("/tmp/sallyport-bench-memory-")
const databases = await startDatabases(store)
const started: Array<ChildProcess> = []
try {
  const database = await databases.create("main")
  const heapFile = join(folder, "heap.json")
  process.env["HEAP_FILE"] = heapFile
  const [operation] = sessions
  const configured = await configure(folder, "memory", database, [])
  const child = await start(configured, started, ["--expose-gc", "--import", join(import.meta.dirname, "heap.mjs")])
  if (!json) console.log(`${`${store}, megabytes`.padEnd(24)}      rss     heap     used collected external`)
  print("idle", await memoryOf(child, heapFile))

  const requests = await operation!.requests(prepare(configured.port, database, 0))
  print(`${requests.length} sign-ups`, await memoryOf(child, heapFile))
  const files = written(folder, "memory", requests)
  let reads = 0
  for (const count of counts) {
    let perSecond = 0
    while (reads < count) {
      // Half of what is missing, at the last rate: the server becomes faster meanwhile, and would answer too many.
      const seconds = perSecond === 0 ? 1 : Math.max(1, Math.floor((count - reads) / perSecond / 2))
      const answers = await send({ port: configured.port, connections: fast, seconds, ...files })
      reads += answers.count
      perSecond = answers.perSecond
    }
    print(`${reads} reads`, await memoryOf(child, heapFile))
  }
} finally {
  await stopped(started)
  await databases.stop()
  rmSync(folder, { recursive: true, force: true })
}
