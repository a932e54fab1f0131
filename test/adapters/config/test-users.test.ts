import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { load } from "../../../adapters/config/load.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-test-users-"))
afterAll(() => rmSync(folder, { recursive: true }))

const day = 86_400_000
const ahead = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const codes = { "reviewer@example.com": "4711", "+442079460018": "471100" }

/** The faults of these test users where others reach the service, or on this machine. */
const faultsOf = (test_users: object, public_url = "https://id.example.com") => {
  writeFileSync(join(folder, "config.json"), JSON.stringify({ secret: "x".repeat(32), public_url, test_users }))
  return load({ file: "config.json", directory: folder, environment: {} }, []).pipe(
    Effect.match({ onSuccess: () => [] as ReadonlyArray<string>, onFailure: ({ faults }) => faults }),
  )
}

describe("test_users", () => {
  it.effect("need an end at most 30 days ahead, unless public_url is on this machine", () =>
    Effect.gen(function* () {
      for (const valid_until of [ahead(30 * day), ahead(-day)]) expect(yield* faultsOf({ codes, valid_until })).toEqual([])
      for (const refused of [{ codes }, { codes, valid_until: ahead(30 * day + 60_000) }, { codes, valid_until: "soon" }]) {
        const [fault, ...more] = yield* faultsOf(refused)
        expect(fault).toContain("test_users.valid_until")
        expect(more).toEqual([])
      }
      expect(yield* faultsOf({ codes }, "http://localhost:3000")).toEqual([])
    }),
  )

  it.effect("are addresses in lower case and international numbers, with codes of digits", () =>
    Effect.gen(function* () {
      for (const name of ["Reviewer@example.com", "reviewer", "020 7946 0018", "1@phone.service", "guest:1"])
        expect(yield* faultsOf({ codes: { [name]: "4711" } }, "http://localhost:3000"), name).toHaveLength(1)
      for (const code of ["471", "47110047110", "secret", 4711])
        expect(yield* faultsOf({ codes: { "reviewer@example.com": code } }, "http://localhost:3000"), String(code)).toHaveLength(1)
    }),
  )
})
