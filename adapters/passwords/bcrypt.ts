import { parseOptions, verify } from "@node-rs/bcrypt"
import { Option } from "effect"
import type { StoredHash } from "./StoredHash.ts"

const parse = Option.liftThrowable(parseOptions)

/** A few seconds of one core. */
const highest_cost = 16

/** `$2a$…`, `$2b$…` and `$2y$…`; bytes of the password past the 72nd count for nothing, as they did where the hash was made. */
export const read = (hash: string): StoredHash | undefined => {
  if (!/^\$2[aby]\$/.test(hash)) return undefined
  const cost = Option.getOrUndefined(parse(hash))
  if (cost === undefined || cost.cost > highest_cost) return undefined
  return { matches: (password) => verify(password, hash), outdated: true }
}
