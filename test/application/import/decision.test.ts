import { assert, it } from "@effect/vitest"
import { admit } from "../../../application/import/admission.ts"
import { decide } from "../../../application/import/decision.ts"
import type { ExistingValues } from "../../../application/import/existing-values.ts"
import type { AdditionRecord } from "../../../application/import/record.ts"
import { userKey } from "../../../application/import/tables.ts"
import { addition, entry, identity, target } from "./records.ts"

const record = { run_id: "earlier", user_id: "user", line: 1, kind: "user" } as const

/** The decision on an addition to a user with this many accounts besides a password. */
const decided = (count: number, hasPassword: boolean, more: Partial<AdditionRecord>) => {
  const key = userKey("test", "1")
  const existing = {
    ...{ emails: new Map(), ids: new Set(), lines: new Map(), usernames: new Map(), accounts: new Map(), apps: new Set() },
    records: new Map([[key, { ...record, key, rows: [] }]]),
    passwords: new Set(hasPassword ? ["user"] : []),
    counts: new Map([["user", count]]),
  } as unknown as ExistingValues
  const judged = [entry(addition("1", more))].map((entry) => ({ entry, admission: admit(entry, target) }))
  const [outcome] = decide(judged, { source: "test", run_id: "run", existing, seen: undefined, newId: () => "new" })
  return { status: outcome!.status, issues: outcome!.issues, reset: outcome!.reset, dropped: outcome!.dropped.identities }
}

const identities = [identity("1")]
const password = { hash: "hash$x", format: "test" }

it("an addition has room for the hundredth account, which is the password", () => {
  assert.deepInclude(decided(98, true, { identities }), { status: "added", dropped: 0 })
  const issues = [{ field: "identities", code: "too_many_identities" }] as const
  assert.deepInclude(decided(99, true, { identities, password }), {
    status: "already_there",
    issues: [{ field: "password", code: "password_exists" }, ...issues],
    dropped: 1,
  })
  assert.deepInclude(decided(99, false, { identities, password }), { status: "added", issues, dropped: 1 })
})

it("a user with a hundred other accounts gets no password", () => {
  const issues = [{ field: "password", code: "too_many_identities" }] as const
  assert.deepInclude(decided(100, false, { password }), { status: "refused", issues })
  const totp = { secret: new Uint8Array(20) }
  assert.deepInclude(decided(100, false, { password, totp }), { status: "added", issues, reset: ["test"] })
})
