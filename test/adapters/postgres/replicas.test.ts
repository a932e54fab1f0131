import { assert, describe, it } from "@effect/vitest"
import * as RecentWrites from "../../../adapters/postgres/recent-writes.ts"
import { follow } from "../../../adapters/postgres/replica-lag.ts"
import { insert, remove, removeAll, removeEach } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { MailedTokens, Users } from "../../../domain/users/tables.ts"
import { storedUser } from "../../stored-user.ts"

const lag = 5000
const mark = (at: number, bytes: number, history = "cluster 1 db") => ({ at, bytes: BigInt(bytes), history })
const applied = (bytes: number, history = "cluster 1 db") => ({ bytes: BigInt(bytes), history })

describe("the lag of a replica", () => {
  it("is unknown before the first comparison: the replica is not used", () => {
    assert.isFalse(follow(lag).isUsable(0))
  })

  it("counts from the last position of the primary that the replica has applied", () => {
    const { compare, isUsable } = follow(lag)
    compare(mark(1000, 10), applied(10))
    compare(mark(2000, 20), applied(19))
    assert.isTrue(isUsable(5999))
    assert.isFalse(isUsable(6000))
    compare(mark(3000, 30), applied(20))
    assert.isTrue(isUsable(6999))
    assert.isFalse(isUsable(7000))
  })

  it("does not grow while the primary writes nothing", () => {
    const { compare, isUsable } = follow(lag)
    for (const at of [1000, 60_000]) compare(mark(at, 10), applied(10))
    assert.isTrue(isUsable(64_999))
  })

  it("is unknown after a fault, until the next comparison", () => {
    const { compare, forget, isUsable } = follow(lag)
    compare(mark(1000, 10), applied(10))
    forget()
    assert.isFalse(isUsable(1001))
    compare(mark(2000, 20), applied(15))
    assert.isTrue(isUsable(2001))
  })

  it("is unknown with another history, however far the replica is", () => {
    const { compare, isUsable } = follow(lag)
    compare(mark(1000, 10), applied(10))
    assert.throws(() => compare(mark(2000, 5, "cluster 2 db"), applied(99)))
    assert.isFalse(isUsable(2001))
  })
})

describe("recent writes", () => {
  let now = 0
  const started = (most?: number) => {
    now = 0
    return RecentWrites.make(lag, most, () => now)
  }

  it("are remembered for as long as a replica may lag", () => {
    const recent = started()
    now = 4999
    recent.note([remove(Sessions, "one")])
    now = 9999
    assert.isTrue(recent.includes("other", "one"))
    now = 60_000
    assert.isFalse(recent.includes("one"))
  })

  it("are changes and removals of sessions and users, by key or by user", () => {
    const recent = started()
    recent.note([
      insert(Users, storedUser({ id: "ada" })),
      removeEach(Sessions, ["one", "two"]),
      removeAll(Sessions, { user_id: "grace" }),
      remove(MailedTokens, "hash"),
    ])
    assert.deepStrictEqual(
      ["ada", "one", "two", "grace", "hash"].map((id) => recent.includes(id)),
      [false, true, true, true, false],
    )
  })

  it("that are too many to remember keep every session from being read from a replica", () => {
    const recent = started(2)
    recent.note([remove(Sessions, "one")])
    assert.isFalse(recent.includes("other"))
    recent.note([removeEach(Sessions, ["two", "three"])])
    assert.isTrue(recent.includes("other"))
    now = 5000
    assert.isTrue(recent.includes("other"))
    now = 10_000
    assert.isFalse(recent.includes("other"))
  })
})
