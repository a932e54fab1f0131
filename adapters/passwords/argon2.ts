import { parseOptions, verify } from "@node-rs/argon2"
import { Option } from "effect"
import { type Cost, isAffordable, type StoredHash } from "./stored-hash.ts"

const parse = Option.liftThrowable(parseOptions)

/** `$argon2id$…`, `$argon2i$…` and `$argon2d$…` in PHC format, version 16 and 19. */
export const read = (hash: string, configured: Cost): StoredHash | undefined => {
  if (!/^\$argon2(id|i|d)\$/.test(hash)) return undefined
  const cost = Option.getOrUndefined(parse(hash))
  if (cost === undefined || cost.outputLen < 16) return undefined
  const isWithinConfigured = cost.memoryCost <= configured.memory_kib && cost.timeCost <= configured.passes
  if (!isWithinConfigured && !isAffordable(cost.memoryCost, cost.timeCost)) return undefined
  // A hash stronger than configured is not outdated: rehashing would weaken it.
  const isCurrent =
    hash.startsWith("$argon2id$v=19$") &&
    cost.memoryCost >= configured.memory_kib &&
    cost.timeCost >= configured.passes &&
    cost.parallelism >= configured.lanes
  return { matches: (password) => verify(hash, password), outdated: !isCurrent }
}
