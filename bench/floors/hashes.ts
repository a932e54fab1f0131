// Measures the rate of the password hash alone, with the concurrency of the benchmark's sign-ins and the threads of the server.
import { availableParallelism } from "node:os"

const [concurrency = 8, seconds = 5] = process.argv.slice(2).map(Number)
// As main.ts does, before the first hash starts the threads.
process.env["UV_THREADPOOL_SIZE"] ??= String(Math.max(2, availableParallelism()))
const { hash, verify } = await import("@node-rs/argon2")
const stored = await hash("correct horse battery staple", { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
const begin = process.hrtime.bigint()
const elapsed = () => Number(process.hrtime.bigint() - begin) / 1e9
const usedBefore = process.cpuUsage()
let checked = 0
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    while (elapsed() < seconds) {
      await verify(stored, "correct horse battery staple")
      checked += 1
    }
  }),
)
const { user, system } = process.cpuUsage(usedBefore)
console.log(JSON.stringify({ perSecond: checked / elapsed(), micros: (user + system) / checked }))
