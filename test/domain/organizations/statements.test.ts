import { assert, describe, it } from "@effect/vitest"
import { standard } from "../../../domain/organizations/access-control.ts"
import { allows, isWithin, narrowed, permittedTo } from "../../../domain/organizations/statements.ts"

const owner = permittedTo(standard, "owner")
const member = permittedTo(standard, "member")

describe("what a member may give to a key", () => {
  it("is the permissions of the role, and to read what every member reads", () => {
    assert.isTrue(isWithin({ organization: ["update", "delete"], team: ["read", "create"] }, owner))
    assert.isTrue(isWithin({ organization: ["read"], member: ["read"], invitation: ["read"], team: ["read"] }, member))
    for (const more of [{ member: ["update"] }, { invoice: ["read"] }, { team: ["read", "create"] }]) assert.isFalse(isWithin(more, member))
  })

  it("is nothing with a role that does not exist, and no inherited member is a resource", () => {
    assert.isFalse(isWithin({ team: ["read"] }, permittedTo(standard, "gone")))
    for (const name of ["constructor", "toString", "__proto__"]) {
      const statement = Object.fromEntries([[name, ["read"]]])
      assert.isFalse(isWithin(statement, owner), name)
      assert.isFalse(allows({})(name, "length"), name)
    }
  })
})

describe("a statement", () => {
  it("includes reading with any action on a resource that members read, and on no other", () => {
    const may = allows({ team: ["create"], invoice: ["pay"], member: [] })
    assert.deepStrictEqual([may("team", "create"), may("team", "read"), may("team", "delete")], [true, true, false])
    assert.deepStrictEqual([may("invoice", "pay"), may("invoice", "read"), may("member", "read")], [true, false, false])
  })

  it("is narrowed to permitted actions, each once, without empty resources", () => {
    const given = { team: ["create", "create", "read"], member: ["delete"], invoice: [] }
    assert.deepStrictEqual(narrowed(given, member), { team: ["read"] })
    assert.deepStrictEqual(narrowed(given, owner), { team: ["create", "read"], member: ["delete"] })
  })
})
