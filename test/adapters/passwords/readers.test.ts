import { describe, expect, it } from "vitest"
import * as argon2 from "../../../adapters/passwords/argon2.ts"
import * as bcrypt from "../../../adapters/passwords/bcrypt.ts"
import * as pbkdf2 from "../../../adapters/passwords/pbkdf2.ts"
import * as scrypt from "../../../adapters/passwords/scrypt.ts"
import { imported } from "./hashes.ts"

const cost = { memory_kib: 64, passes: 1, lanes: 1 }
const read = (hash: string) => [argon2.read(hash, cost), bcrypt.read(hash), scrypt.read(hash), pbkdf2.read(hash)].filter((found) => found)

describe("each imported hash", () => {
  it.each(imported)("$name: is read by one reader, and checked off the main thread", async ({ password, hash }) => {
    const found = read(hash)
    expect(found).toHaveLength(1)
    // Work on the main thread would be over before the event loop comes round.
    let turned = false
    setImmediate(() => {
      turned = true
    })
    expect(await found[0]!.matches(password)).toBe(true)
    expect(turned).toBe(true)
  })
})
