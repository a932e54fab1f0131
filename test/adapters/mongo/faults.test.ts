import { MongoServerError } from "mongodb"
import { describe, expect, it } from "vitest"
import { isTransient, isUnavailable, KeyRace } from "../../../adapters/mongo/faults.ts"

const answered = (code: number) => new MongoServerError({ message: "refused", code })

describe("isUnavailable", () => {
  it("is true for the errors of a restart in the middle of a list", () => {
    for (const [name, code] of [["CursorNotFound", 43] as const, ["QueryPlanKilled", 175] as const, ["SnapshotTooOld", 239] as const])
      expect(isUnavailable(answered(code)), name).toBe(true)
  })

  it("is true for a race that outlasts the time limit, which is repeated until then", () => {
    const race = new KeyRace({ cause: answered(11000) })
    expect([isTransient(race), isUnavailable(race)]).toEqual([true, true])
  })

  it("is false for an error in the command", () => {
    expect([isUnavailable(answered(2)), isUnavailable(answered(11000)), isUnavailable(new Error("a defect"))]).toEqual([
      false,
      false,
      false,
    ])
  })
})
