import { assert, it } from "vitest"
import type { Origin } from "../../../application/service/origin.ts"
import { capacity, makeReads } from "../../../application/service/reads.ts"

const origin = (id: string): Origin => ({
  operation: { name: "adminUsersShow", path: "/admin/users/show", module: "admin", signsIn: undefined },
  actor: { kind: "admin", id },
  on_behalf_of: null,
  session_id: null,
  ip_address: null,
  user_agent: null,
  request_id: null,
  trace_id: null,
})
const reached = (id: string) => ({ reached: new Set([id]), shown_private: new Set<string>() })

it("reads of more users than are counted share one record for each reader", () => {
  const reads = makeReads()
  for (let at = 0; at < capacity; at++) reads.add(reached(String(at)), false, origin("one"), 0)
  for (const [reader, id] of [
    ["one", "0"],
    ["one", "new"],
    ["one", "newer"],
    ["other", "0"],
  ] as const)
    reads.add(reached(id), false, origin(reader), 59_999)
  assert.deepStrictEqual(reads.drain(59_999), [])
  const due = reads.drain(60_000)
  assert.lengthOf(due, capacity)
  assert.strictEqual(due[0]?.count, 2)
  const shared = reads.drain(119_999).map(({ user_id, count, origin: { actor } }) => [user_id, count, actor.id])
  assert.deepStrictEqual(shared, [
    [null, 2, "one"],
    [null, 1, "other"],
  ])
})
