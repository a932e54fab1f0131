import { assert, describe, it } from "@effect/vitest"
import { admit } from "../../../application/import/admission.ts"
import type { AdditionRecord, UserRecord } from "../../../application/import/record.ts"
import { times } from "../../world.ts"
import { addition, entry, identities, identity, passkey, target, user } from "./records.ts"

const admitted = (record: UserRecord | AdditionRecord) => admit(entry(record), target).admitted

/** Admits a user with these fields. Returns the numbers of kept accounts and passkeys, the findings, and the numbers of dropped ones. */
const kept = (more: Partial<UserRecord>, modules: ReadonlyArray<string> = ["passkey", "two_factor"]) => {
  const { admitted, issues, dropped } = admit(entry(user("1", "ada@example.com", more)), { ...target, modules: new Set(modules) })
  const { accounts, passkeys } = admitted as { accounts: ReadonlyArray<unknown>; passkeys: ReadonlyArray<unknown> }
  return { kept: [accounts.length, passkeys.length], issues: issues.map(({ field, code }) => `${field} ${code}`), dropped }
}

// Rows of one account twice would violate a unique index, and the batch could never be committed.
describe("a record that repeats an account", () => {
  const linked = { provider_id: "idp_one", account_id: "42" }

  it("is admitted as a user with the account once", () => {
    const passkeys = [passkey("AAAA"), passkey("AAAA")]
    const record = user("1", null, { identities: [identity("42"), identity("42")], passkeys })
    assert.deepInclude(admitted(record), { kind: "user", email: "idp_one:42", accounts: [linked], passkeys: [passkey("AAAA")] })
  })

  it("is admitted as an addition with the account once", () => {
    const record = addition("1", { identities: [identity("42"), identity("42")] })
    assert.deepInclude(admitted(record), { kind: "addition", accounts: [linked] })
  })
})

describe("what is left out is reported and counted:", () => {
  const passkeys = (count: number) => times(count, (index) => passkey(`key${index}`))

  it("linked accounts over the limit", () => {
    const dropped = { factors: 0, identities: 21 }
    assert.deepStrictEqual(kept({ identities: identities(120) }), {
      kept: [99, 0],
      issues: ["identities too_many_identities"],
      dropped,
    })
  })

  it("passkeys over their own limit, and over that of accounts", () => {
    const issues = ["passkeys too_many_identities"]
    assert.deepStrictEqual(kept({ passkeys: passkeys(52) }), { kept: [0, 50], issues, dropped: { factors: 2, identities: 0 } })
    const both = kept({ identities: identities(97), passkeys: passkeys(5) })
    assert.deepStrictEqual(both, { kept: [97, 2], issues, dropped: { factors: 3, identities: 0 } })
  })

  it("passkeys that cannot be stored", () => {
    const invalid = [passkey(""), passkey("x".repeat(501)), { ...passkey("B"), name: "\0" }]
    const issues = ["passkeys factor_not_supported"]
    assert.deepStrictEqual(kept({ passkeys: [...invalid, passkey("A")] }), { kept: [0, 1], issues, dropped: { factors: 3, identities: 0 } })
  })

  it("passkeys and authenticator apps of a service without these modules", () => {
    const totp = { secret: new Uint8Array(20) }
    const issues = ["totp factor_not_supported", "passkeys factor_not_supported"]
    assert.deepStrictEqual(kept({ passkeys: passkeys(2), totp }, []), { kept: [0, 0], issues, dropped: { factors: 3, identities: 0 } })
  })

  it("linked accounts that are invalid, or of unknown providers", () => {
    const invalid = [{ provider_id: "other", account_id: "1" }, identity("")]
    const issues = ["identities unknown_provider", "identities invalid_identity"]
    const dropped = { factors: 0, identities: 2 }
    assert.deepStrictEqual(kept({ identities: [...invalid, identity("1")] }), { kept: [1, 0], issues, dropped })
  })
})
