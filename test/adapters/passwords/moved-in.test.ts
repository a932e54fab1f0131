import { createCipheriv, createHash, scryptSync } from "node:crypto"
import { hash as argon2Hash } from "@node-rs/argon2"
import { hash as bcryptHash } from "@node-rs/bcrypt"
import { describe, expect, it } from "vitest"
import { read } from "../../../adapters/passwords/formats.ts"

const cost = { memory_kib: 64, passes: 1, lanes: 1 }
const phrase = "correct horse battery staple"

// The example of Firebase's own documentation of its hash (github.com/firebase/scrypt).
const signer = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
const salt = "42xEC+ixf3L2lw=="
const key = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
const keys = { firebaseSigner: Buffer.from(signer, "base64"), devisePepper: "pepper" }

const matches = (hash: string, password: string) => read(hash, cost, keys)?.stored.matches(password)

describe("Firebase's scrypt", () => {
  const configured = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$${salt}$${key}`

  it("verifies the published example, with the signer key of the configuration or of the row", async () => {
    expect(await matches(configured, "user1password")).toBe(true)
    expect(await matches(configured, "user2password")).toBe(false)
    const own = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${signer}$${salt}$${key}`
    expect(read(own, cost)?.format).toBe("firebase_scrypt")
    expect(await read(own, cost)?.stored.matches("user1password")).toBe(true)
  })

  it("is refused without a key, and above the limits of cost", () => {
    expect(read(configured, cost)).toBeUndefined()
    for (const parameters of ["n=21,r=8,p=1", "n=14,r=0,p=1", "n=14,r=8,p=0", "n=20,r=8,p=5", "n=16,r=1,p=1", "n=0,r=8,p=1"])
      expect(read(`$fbscrypt$v=1,${parameters},ss=Bw==$${salt}$${key}`, cost, keys)).toBeUndefined()
    expect(read(`$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$${salt}$${"A".repeat(20)}`, cost, keys)).toBeUndefined()
  })

  it("agrees with the definition for other parameters", async () => {
    const derived = scryptSync(phrase, Buffer.concat([Buffer.from("salted"), Buffer.from([9])]), 32, { N: 2 ** 5, r: 4, p: 1 })
    const cipher = createCipheriv("aes-256-ctr", derived, Buffer.alloc(16))
    const expected = Buffer.concat([cipher.update(keys.firebaseSigner), cipher.final()]).toString("base64")
    expect(await matches(`$fbscrypt$v=1,n=5,r=4,p=1,ss=CQ==$${Buffer.from("salted").toString("base64")}$${expected}`, phrase)).toBe(true)
  })
})

describe("Devise with a pepper", () => {
  it("verifies the password followed by the pepper", async () => {
    const hash = `$devise${await bcryptHash(`${phrase}pepper`, 4)}`
    expect(await matches(hash, phrase)).toBe(true)
    expect(await matches(hash, `${phrase}pepper`)).toBe(false)
    expect(read(hash, cost)).toBeUndefined()
  })
})

describe("Django", () => {
  const encoded = (N: number) => scryptSync(phrase, "seasalt", 64, { N, r: 8, p: 1, maxmem: 2 ** 28 }).toString("base64")

  it("verifies bcrypt, bcrypt of a digest, argon2 and scrypt", async () => {
    expect(await matches(`bcrypt$${await bcryptHash(phrase, 4)}`, phrase)).toBe(true)
    const digest = createHash("sha256").update(phrase).digest("hex")
    const digested = `bcrypt_sha256$${await bcryptHash(digest, 4)}`
    expect(await matches(digested, phrase)).toBe(true)
    expect(await matches(digested, digest)).toBe(false)
    const argon2 = await argon2Hash(phrase, { memoryCost: 64, timeCost: 1, parallelism: 1 })
    expect(await matches(`argon2${argon2}`, phrase)).toBe(true)
    expect(await matches(`scrypt$1024$seasalt$8$1$${encoded(1024)}`, phrase)).toBe(true)
    expect(await matches(`scrypt$1024$seasalt$8$1$${encoded(512)}`, phrase)).toBe(false)
  })

  it("refuses hostile parameters of scrypt", () => {
    for (const parameters of ["1073741824$seasalt$8$1", "1000$seasalt$8$1", "1024$seasalt$8$99999", "0$seasalt$8$1", "1$seasalt$8$1"])
      expect(read(`scrypt$${parameters}$${encoded(1024)}`, cost)).toBeUndefined()
  })
})

it("argon2d is verified", async () => {
  const hash = await argon2Hash(phrase, { algorithm: 0, memoryCost: 64, timeCost: 1, parallelism: 1 })
  expect(hash.startsWith("$argon2d$")).toBe(true)
  expect(await matches(hash, phrase)).toBe(true)
  expect(read(hash, cost)?.stored.outdated).toBe(true)
})
