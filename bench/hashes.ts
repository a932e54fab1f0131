// The raw rate of the password hash that a sign-in has to check: as many at once as sign-ins wait in the benchmark.
import { hash, verify } from "@node-rs/argon2"

const [concurrency = 8, seconds = 5] = process.argv.slice(2).map(Number)
const stored = await hash("correct horse battery staple", { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
const begin = process.hrtime.bigint()
const elapsed = () => Number(process.hrtime.bigint() - begin) / 1e9
let checked = 0
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    while (elapsed() < seconds) {
      await verify(stored, "correct horse battery staple")
      checked += 1
    }
  }),
)
console.log(checked / elapsed())
