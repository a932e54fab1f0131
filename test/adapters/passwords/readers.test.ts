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

describe("the limit on the cost of a hash", () => {
  const key = "yqSq2SygY1sB4EcH9f2FG0JTMES+wqLsOT5YmiRBplI"
  const bcryptEnd = "abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS"

  it.each([
    ["argon2 memory", `$argon2id$v=19$m=1048576,t=4,p=1$c29tZXNhbHQ$${key}`, `$argon2id$v=19$m=1048577,t=1,p=1$c29tZXNhbHQ$${key}`],
    ["argon2 passes", `$argon2id$v=19$m=65536,t=64,p=1$c29tZXNhbHQ$${key}`, `$argon2id$v=19$m=65536,t=65,p=1$c29tZXNhbHQ$${key}`],
    ["bcrypt cost", `$2b$16$${bcryptEnd}`, `$2b$17$${bcryptEnd}`],
    ["scrypt memory", `$scrypt$ln=20,r=8,p=1$c29tZXNhbHQ$${key}`, `$scrypt$ln=21,r=8,p=1$c29tZXNhbHQ$${key}`],
    ["scrypt work", `$scrypt$ln=20,r=8,p=4$c29tZXNhbHQ$${key}`, `$scrypt$ln=20,r=8,p=5$c29tZXNhbHQ$${key}`],
    ["PBKDF2 rounds", `$pbkdf2-sha256$10000000$c29tZXNhbHQ$${key}`, `$pbkdf2-sha256$10000001$c29tZXNhbHQ$${key}`],
    ["Django rounds", `pbkdf2_sha256$10000000$salt$${key}=`, `pbkdf2_sha256$10000001$salt$${key}=`],
  ])("has its bound: %s", (_, most, tooMuch) => {
    expect(read(most)).toHaveLength(1)
    expect(read(tooMuch)).toHaveLength(0)
  })

  it("is never below the configured cost", () => {
    const hash = `$argon2id$v=19$m=2097152,t=5,p=1$c29tZXNhbHQ$${key}`
    expect(argon2.read(hash, { memory_kib: 2097152, passes: 5, lanes: 1 })).toMatchObject({ outdated: false })
    expect(argon2.read(hash, { memory_kib: 2097152, passes: 4, lanes: 1 })).toBeUndefined()
    expect(argon2.read(hash, { memory_kib: 2097151, passes: 5, lanes: 1 })).toBeUndefined()
  })
})

it("a long run of combining marks does not block the process when a hash normalises passwords", async () => {
  const found = read(`${"0".repeat(32)}:${"0".repeat(128)}`)
  const started = performance.now()
  const matches = found[0]!.matches("\u0301\u0323".repeat(60_000))
  expect(performance.now() - started).toBeLessThan(2000)
  expect(await matches).toBe(false)
})
