import { verify } from "@node-rs/bcrypt"
import type { StoredHash } from "./stored-hash.ts"

/** A bcrypt hash: version, cost, and then 16 bytes of salt and 23 bytes of the key in bcrypt's own base64. */
const shape = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

const lowest_cost = 4

/** The maximum cost, which takes one core a few seconds. */
const highest_cost = 16

/** `$2a$…`, `$2b$…` and `$2y$…`. bcrypt ignores the bytes of a password after the 72nd. */
export const read = (hash: string): StoredHash | undefined => {
  const cost = Number(shape.exec(hash)?.[1] ?? 0)
  if (cost < lowest_cost || cost > highest_cost) return undefined
  return { matches: (password) => verify(password, hash), outdated: true }
}
