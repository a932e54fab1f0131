import { pbkdf2Sync } from "node:crypto"
import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import { detect, sources } from "../../../adapters/import/sources/index.ts"
import type { SourceName } from "../../../adapters/import/sources/names.ts"
import type { Options } from "../../../adapters/import/sources/source.ts"
import { read } from "../../../adapters/passwords/formats.ts"
import type { ReadRecord } from "../../../application/import/record.ts"
import { attributesFrom } from "../../../domain/attributes/attributes.ts"
import { isJsonObject } from "../../../domain/values/json.ts"

const bcrypt = "$2b$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS"
const phrase = "correct horse battery staple"
const cost = { memory_kib: 64, passes: 1, lanes: 1 }

const readOne = (name: SourceName, values: Record<string, unknown>, options: Options = {}) => {
  expect(detect(values)).toBe(name)
  return sources[name].read(values, options)
}

describe("each source is detected, and its fields are read:", () => {
  it("auth0", () => {
    const { record, ignored, issues } = readOne("auth0", {
      user_id: "auth0|1",
      email: "ada@example.com",
      email_verified: true,
      blocked: true,
      identities: [
        { provider: "auth0", user_id: "1" },
        { provider: "google-oauth2", user_id: "42" },
      ],
      logins_count: 3,
    })
    expect(record).toMatchObject({ kind: "user", source_id: "auth0|1", email_verified: true, ban: { reason: null } })
    expect(record?.identities).toEqual([{ provider_id: "google-oauth2", account_id: "42" }])
    expect([ignored, issues]).toEqual([["logins_count"], []])
  })

  it("auth0: the file of hashes is joined by the id", () => {
    const { record } = readOne("auth0", { _id: { $oid: "1" }, email: "ada@example.com", passwordHash: bcrypt })
    expect(record).toEqual({ kind: "addition", source_id: "auth0|1", password: { format: "bcrypt", hash: bcrypt } })
  })

  it("firebase", () => {
    const values = {
      localId: "u1",
      email: "ada@example.com",
      passwordHash: "lSrf_-==",
      salt: "42xE",
      phoneNumber: "+15550100",
      createdAt: "1700000000000",
      providerUserInfo: [{ providerId: "google.com", rawId: "42" }, { providerId: "password" }],
    }
    const firebase = { salt_separator: "Bw==", rounds: 8, mem_cost: 14, signer_key: "secret" }
    const { record } = readOne("firebase", values, { firebase })
    expect(record).toMatchObject({
      email_verified: false,
      phone: { number: "+15550100", verified: true },
      identities: [{ provider_id: "google.com", account_id: "42" }],
      password: { hash: "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$42xE$lSrf/+==" },
    })
    expect(record?.kind === "user" && record.created_at && DateTime.formatIso(record.created_at)).toBe("2023-11-14T22:13:20.000Z")
    expect(readOne("firebase", values).record?.password).toEqual({ format: "firebase_scrypt", hash: null })
  })

  it("keycloak, whose hashes of PBKDF2 are verified, and whose apps are carried", async () => {
    const salt = Buffer.from("0123456789abcdef")
    const value = pbkdf2Sync(phrase, salt, 1000, 64, "sha256").toString("base64")
    const credentials = [
      {
        type: "password",
        secretData: JSON.stringify({ value, salt: salt.toString("base64") }),
        credentialData: JSON.stringify({ hashIterations: 1000, algorithm: "pbkdf2-sha256" }),
      },
      {
        type: "otp",
        secretData: JSON.stringify({ value: "12345678901234567890" }),
        credentialData: JSON.stringify({ subType: "totp", digits: 6, period: 30, algorithm: "HmacSHA1" }),
      },
      { type: "otp", secretData: JSON.stringify({ value: "12345678901234567890" }), credentialData: JSON.stringify({ subType: "hotp" }) },
    ]
    const { record, dropped, issues } = readOne("keycloak", {
      id: "k1",
      username: "ada",
      email: "ada@example.com",
      emailVerified: true,
      enabled: false,
      credentials,
    })
    expect(await read(record?.password?.hash ?? "", cost)?.stored.matches(phrase)).toBe(true)
    expect(Buffer.from(record?.totp?.secret ?? []).toString()).toBe("12345678901234567890")
    expect([dropped.factors, issues]).toEqual([1, [{ field: "credentials", code: "factor_not_supported" }]])
    expect(record).toMatchObject({ username: "ada", ban: { reason: null } })
  })

  it("keycloak: argon2 becomes PHC, and unknown algorithms and damaged data become a reset", () => {
    const password = (data: unknown, secret: unknown = { value: "QUFBQUFBQUFBQUFBQUFBQQ==", salt: "c29tZXNhbHQ=" }) =>
      readOne("keycloak", {
        username: "ada",
        credentials: [{ type: "password", secretData: JSON.stringify(secret), credentialData: JSON.stringify(data) }],
      }).record?.password?.hash
    const additionalParameters = { type: ["id"], version: ["1.3"], memory: ["7168"], parallelism: ["1"] }
    const argon2 = password({ algorithm: "argon2", hashIterations: 5, additionalParameters })
    expect(argon2).toBe("$argon2id$v=19$m=7168,t=5,p=1$c29tZXNhbHQ$QUFBQUFBQUFBQUFBQUFBQQ")
    expect(read(argon2 ?? "", cost)?.format).toBe("argon2")
    expect(password({ algorithm: "argon2", hashIterations: 5, additionalParameters: { type: ["x"] } })).toBeNull()
    expect(password({ algorithm: "md5", hashIterations: 5 })).toBeNull()
    expect(password([])).toBeNull()
  })

  it("supabase: users, identities and factors", () => {
    const { record } = readOne("supabase", {
      id: "6e5d4c3b-0000-4000-8000-000000000001",
      email: "ada@example.com",
      encrypted_password: bcrypt,
      email_confirmed_at: "2024-01-02 03:04:05.123456+00",
      phone: "15550100",
      phone_confirmed_at: "",
      raw_user_meta_data: '{"full_name":"Ada"}',
    })
    expect(record).toMatchObject({ email_verified: true, name: "Ada", phone: { number: "+15550100", verified: false } })
    const identity = { user_id: "u1", provider: "github", provider_id: "42", identity_data: { sub: "42" } }
    expect(readOne("supabase", identity).record).toMatchObject({
      kind: "addition",
      identities: [{ provider_id: "github", account_id: "42" }],
    })
    const factor = { user_id: "u1", factor_type: "totp", status: "verified", secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" }
    expect(Buffer.from(readOne("supabase", factor).record?.totp?.secret ?? []).toString()).toBe("12345678901234567890")
    expect(readOne("supabase", { ...factor, status: "unverified" }).record?.totp).toBeUndefined()
  })

  it("supabase: the configured signer key is taken out of the row", () => {
    const encrypted_password = "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=secret$42xE$lSrf"
    const values = { id: "u1", instance_id: "0", encrypted_password }
    const firebase = { salt_separator: "Bw==", rounds: 8, mem_cost: 14, signer_key: "secret" }
    expect(readOne("supabase", values, { firebase }).record?.password?.hash).toBe("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$42xE$lSrf")
    expect(readOne("supabase", values).record?.password?.hash).toBe(encrypted_password)
  })

  it("better-auth: users and accounts", () => {
    const { record, dropped } = readOne("better-auth", {
      id: "b1",
      email: "ada@example.com",
      emailVerified: 1,
      createdAt: "2024-01-02T03:04:05.000Z",
      twoFactorEnabled: true,
      accounts: [{ providerId: "credential", password: "00:11" }],
    })
    expect(record).toMatchObject({ email_verified: true, password: { format: "scrypt", hash: "00:11" } })
    expect(dropped.factors).toBe(1)
    const account = readOne("better-auth", { id: "a", userId: "b1", providerId: "github", accountId: "42" })
    expect(account.record).toEqual({ kind: "addition", source_id: "b1", identities: [{ provider_id: "github", account_id: "42" }] })
  })

  const own = { read: "user", write: "admin", unique: false, indexed: false, sign_up: false } as const
  const attributes = attributesFrom({
    home_town: { ...own, schema: { type: "string", maxLength: 40 } },
    level: { ...own, schema: { type: "integer" } },
    is_staff: { ...own, schema: { type: "boolean" } },
    teams: { ...own, schema: { type: "array", items: { type: "integer" } } },
    tags: { ...own, schema: { type: "array", items: { type: "string" } } },
    plan: { ...own, schema: { enum: ["free", "pro"] } },
    unset: { ...own, schema: { type: "string" } },
  })
  const values = { home_town: "London", level: 3, is_staff: true, teams: [1, 2], tags: ["a"], plan: "pro" }
  const attributesOf = ({ record }: ReadRecord) => (record?.kind === "user" ? record.attributes : undefined)

  it("better-auth: declared attributes, also as a line of a CSV file", () => {
    const row = { id: "b1", email: "ada@example.com", emailVerified: true, createdAt: "2024-01-02T03:04:05.000Z", role: "admin" }
    const json = { ...row, homeTown: "London", level: 3, isStaff: 1, teams: [1, 2], tags: ["a"], plan: "pro", unset: null, other: "x" }
    const csv = { ...json, level: "3", isStaff: "t", teams: "[1,2]", tags: '["a"]', unset: "\\N" }
    for (const given of [json, csv]) {
      const read = readOne("better-auth", given, { attributes })
      expect(attributesOf(read)).toEqual(values)
      expect(read.ignored).toEqual(["role", "other"])
      expect(attributesOf(readOne("better-auth", given))).toBeUndefined()
    }
    expect(attributesOf(readOne("better-auth", { ...json, plan: "gold" }, { attributes }))).toEqual({ ...values, plan: "gold" })
  })

  it("keycloak: declared attributes, which are lists of texts", () => {
    const lists = {
      homeTown: ["London"],
      level: ["3"],
      "is-staff": ["true"],
      teams: ["1", "2"],
      tags: ["a"],
      plan: ["pro"],
      locale: ["en"],
    }
    const given = { username: "ada", email: "ada@example.com", createdTimestamp: 1_700_000_000_000, attributes: lists }
    const read = readOne("keycloak", given, { attributes })
    expect(attributesOf(read)).toEqual(values)
    expect(read.ignored).toEqual(["attributes.locale"])
    const plain = readOne("keycloak", given)
    expect([attributesOf(plain), plain.ignored]).toEqual([undefined, ["attributes"]])
    const many = readOne("keycloak", { ...given, attributes: { plan: ["free", "pro"] } }, { attributes })
    expect(attributesOf(many)).toEqual({ plan: ["free", "pro"] })
  })

  it("better-auth, for rows as the query for Auth.js in docs/moving-in.md writes them", () => {
    const values = { id: "a1", email: "ada@example.com", emailVerified: false, name: null, image: null }
    const linked = sources["better-auth"].read({ ...values, accounts: [{ providerId: "github", accountId: "42" }] }, {})
    const identities = [{ provider_id: "github", account_id: "42" }]
    expect(linked.record).toMatchObject({ source_id: "a1", email_verified: false, identities })
    const alone = sources["better-auth"].read({ ...values, accounts: null }, {})
    expect(alone.record).toMatchObject({ source_id: "a1", identities: [] })
  })

  it("devise, with and without a pepper", () => {
    const values = { id: "7", email: "ada@example.com", encrypted_password: bcrypt, confirmed_at: "2024-01-02 03:04:05", locked_at: "" }
    expect(readOne("devise", values).record).toMatchObject({ email_verified: true, password: { hash: bcrypt } })
    expect(readOne("devise", values, { peppered: true }).record?.password).toEqual({ format: "devise", hash: `$devise${bcrypt}` })
    expect(readOne("devise", { ...values, locked_at: "2024-01-02 03:04:05" }).record).toMatchObject({ ban: { reason: "locked" } })
  })

  it("django: rows and dumpdata", () => {
    const row = { password: "pbkdf2_sha256$1000$salt$key", username: "ada", email: "ada@example.com", is_active: "t", is_superuser: "t" }
    const { record, ignored } = readOne("django", { id: "7", ...row })
    expect(record).toMatchObject({ source_id: "7", email_verified: false, username: "ada", password: { format: "pbkdf2_sha256" } })
    expect(record).not.toHaveProperty("role")
    expect(ignored).toEqual(["is_superuser"])
    expect(readOne("django", { model: "auth.user", pk: 7, fields: { ...row, password: "!x" } }).record).not.toHaveProperty("password")
  })

  it("clerk and cognito", () => {
    const clerk = readOne("clerk", {
      id: "user_1",
      primary_email_address: "ada@example.com",
      verified_email_addresses: "ada@example.com|x@example.com",
      totp_secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      password_digest: bcrypt,
      password_hasher: "bcrypt",
    })
    expect(clerk.record).toMatchObject({ email_verified: true, password: { format: "bcrypt", hash: bcrypt } })
    expect(clerk.record?.totp).toBeDefined()
    const cognito = readOne("cognito", {
      "cognito:username": "ada",
      email: "ada@example.com",
      email_verified: "false",
      phone_number: "+15550100",
    })
    expect(cognito.record).toMatchObject({ email_verified: false, username: "ada", password: { format: "cognito", hash: null } })
  })
})

it("sallyport: an authenticator app whose secret cannot be decoded is named", () => {
  const at = "2024-01-02T03:04:05.000Z"
  const own = {
    ...{ format: "sallyport.user.v1", id: "6e5d4c3b-0000-4000-8000-000000000001", email: "ada@example.com", email_verified: true },
    ...{ last_verified_email: null, readdressed_at: null, name: null, image: null, username: null, role: "user", ban: null },
    ...{ accounts: [], passkeys: [], created_at: at, updated_at: at },
  }
  const totp = (secret: string) => readOne("sallyport", { ...own, totp: { secret, backup_codes: [], confirmed_at: at } })
  expect(totp("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")).toMatchObject({ issues: [], dropped: { factors: 0 } })
  const { record, issues, dropped } = totp("1890")
  expect(record).toMatchObject({ source_id: own.id })
  expect(record).not.toHaveProperty("totp")
  expect([issues, dropped.factors]).toEqual([[{ field: "totp", code: "factor_not_supported" }], 1])
})

it("fields of another type are named, and never repeated", () => {
  const { issues } = readOne("auth0", { user_id: "1", email: { secret: "x" }, email_verified: "perhaps", created_at: "never" })
  expect(issues).toEqual([
    { field: "email", code: "invalid_type" },
    { field: "email_verified", code: "invalid_type" },
    { field: "created_at", code: "invalid_time" },
  ])
  expect(isJsonObject([])).toBe(false)
})
