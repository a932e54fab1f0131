import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "@effect/vitest"
import { keptSecret, newSecret } from "../../../adapters/config/kept-secret.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sallyport-secret-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

it("a new secret has 256 random bits", () => {
  expect(Buffer.from(newSecret(), "base64url").length).toBe(32)
  expect(newSecret()).not.toBe(newSecret())
})

it("is generated once, and stored in a file that only its owner can read", () => {
  const file = join(folder, "below", "secret")
  const secret = keptSecret(file)
  expect(Buffer.from(secret, "base64url").length).toBe(32)
  expect(keptSecret(file)).toBe(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, "below")).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(folder, "below"))).toEqual(["secret"])
})

it("an existing secret is never replaced", () => {
  const file = join(folder, "secret")
  writeFileSync(file, "what an operator wrote there, long enough\n")
  expect(keptSecret(file)).toBe("what an operator wrote there, long enough")
  expect(readFileSync(file, "utf8")).toBe("what an operator wrote there, long enough\n")
})
