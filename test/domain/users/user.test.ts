import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { StoredUser } from "../../../domain/users/user.ts"
import { changedAddressColumns, hadVerifiedAddress, noticeAddresses, verifiedColumns } from "../../../domain/users/user.ts"
import { storedUser } from "../../stored-user.ts"

const now = DateTime.makeUnsafe(0)
const user = (changes: Partial<StoredUser> = {}) => storedUser({ id: "ada", email_verified: false, ...changes })
const moved = (from: StoredUser, email: string): StoredUser => ({ ...from, ...changedAddressColumns(from, email, now) })

describe("a user who never proved an address", () => {
  it("does not become a verified one by changing the address", () => {
    assert.isFalse(hadVerifiedAddress(user()))
    assert.isFalse(hadVerifiedAddress(moved(moved(user(), "b@example.com"), "c@example.com")))
  })

  it("gets notices at the present address alone", () => {
    assert.deepStrictEqual(noticeAddresses(moved(user(), "b@example.com")), ["b@example.com"])
  })
})

describe("a user who proved an address", () => {
  // A row from before the column: null beside a verified address.
  const ada = user({ email_verified: true })

  it("stays one through every change of the address", () => {
    const twice = moved(moved(ada, "b@example.com"), "c@example.com")
    assert.isFalse(twice.email_verified)
    assert.isTrue(hadVerifiedAddress(ada))
    assert.isTrue(hadVerifiedAddress(twice))
    assert.isTrue(hadVerifiedAddress({ ...twice, ...verifiedColumns(now) }))
  })

  it("gets notices at the last verified address too, until the new one is verified", () => {
    const twice = moved(moved(ada, "b@example.com"), "c@example.com")
    assert.deepStrictEqual(noticeAddresses(ada), ["ada@example.com"])
    assert.deepStrictEqual(noticeAddresses(twice), ["c@example.com", "ada@example.com"])
    assert.deepStrictEqual(noticeAddresses({ ...twice, ...verifiedColumns(now) }), ["c@example.com"])
  })
})

it.each(["+15550100@phone.service", "0xab@siwe.local", "idp_one:7"])("the address %s, made by the service, counts as verified", (email) => {
  assert.isTrue(hadVerifiedAddress(user({ email })))
  assert.isTrue(hadVerifiedAddress(moved(user({ email }), "ada@example.com")))
})
