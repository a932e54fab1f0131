import * as bcrypt from "./bcrypt.ts"
import type { StoredHash } from "./stored-hash.ts"

const prefix = "$devise"

/** `$devise$2a$…`: bcrypt of the password followed by the pepper of a Devise application, which is in the configuration. */
export const read = (hash: string, pepper: string | undefined): StoredHash | undefined => {
  if (pepper === undefined || !hash.startsWith(`${prefix}$`)) return undefined
  const stored = bcrypt.read(hash.slice(prefix.length))
  return stored === undefined ? undefined : { ...stored, matches: (password) => stored.matches(`${password}${pepper}`) }
}
