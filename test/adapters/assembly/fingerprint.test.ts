import { afterEach, describe, expect, it, vi } from "vitest"
import { fingerprintOf } from "../../../adapters/assembly/fingerprint.ts"

afterEach(() => vi.unstubAllEnvs())

/** The configuration of one file in two bundles, which have other names in its functions. */
class Own {}
class Renamed {}
const one = { secret: "s", mail: { send: (mail: string) => mail }, extensions: [new Own()] }
const bundled = { secret: "s", mail: { send: (e: string) => e }, extensions: [new Renamed()] }

describe("the fingerprint of a configuration", () => {
  it("is the same in production for functions and classes of any text, and differs by values", () => {
    vi.stubEnv("NODE_ENV", "production")
    expect(fingerprintOf(one)).toBe(fingerprintOf(bundled))
    expect(fingerprintOf(one)).not.toBe(fingerprintOf({ ...one, secret: "t" }))
    expect(fingerprintOf(one)).not.toBe(fingerprintOf({ ...one, extensions: [] }))
  })

  it("differs in development for an edited function", () => {
    vi.stubEnv("NODE_ENV", "development")
    expect(fingerprintOf(one)).toBe(fingerprintOf({ ...one }))
    expect(fingerprintOf(one)).not.toBe(fingerprintOf(bundled))
  })
})
