import { Duration, Effect } from "effect"
import { PasswordHasher } from "../../domain/ports/password-hasher.ts"
import { layer } from "./password-hasher.ts"
import type { Cost } from "./stored-hash.ts"

const mostHashes = 9
/** No further hash starts after this time. */
const longest = 500

/** The median time of one hash on this machine, in milliseconds. Takes at most half a second and the time of two hashes. */
export const hashTime = (cost: Cost): Effect.Effect<number> =>
  // The hasher makes a decoy when it is built, which warms the threads up.
  Effect.provide(Effect.orDie(measure), layer(cost))

const measure = Effect.gen(function* () {
  const { hash } = yield* PasswordHasher
  const times: Array<number> = []
  for (let total = 0; times.length === 0 || (total < longest && times.length < mostHashes); total += times.at(-1)!) {
    const [duration] = yield* Effect.timed(hash("the password of a measurement"))
    times.push(Duration.toMillis(duration))
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
})
