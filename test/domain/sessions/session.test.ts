import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import { endOf, isFresh, isLive, isStale, isSteppedUp, type StoredSession } from "../../../domain/sessions/session.ts"

const lifetimes = { expires_in: 100, update_age: 10, fresh_age: 20, step_up_age: 5, max_lifetime: 300 }
const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)
const session = (changes: Partial<StoredSession> = {}): StoredSession => ({
  ...{ id: "id", user_id: "user", token_hash: "hash", ip_address: null, user_agent: null },
  ...{
    created_at: at(0),
    authenticated_at: at(0),
    updated_at: at(0),
    expires_at: at(100),
    multi_factor: false,
    methods: null,
  },
  proved_at: changes.authenticated_at ?? at(0),
  ...changes,
})

/** The factors of a user. */
const none = { any: false, second: false }
const passkey = { any: true, second: false }
const app = { any: true, second: true }

describe("the end of a session", () => {
  it.each([
    [0, 100],
    [199, 299],
    [200, 300],
    [201, 300],
    [299, 300],
  ])("used at %i is at %i: it rolls on up to the cap", (now, end) => {
    expect(endOf(at(0), at(now), lifetimes)).toEqual(at(end))
  })

  it("is max_lifetime after the sign-in if that is earlier", () => {
    expect(endOf(at(0), at(0), { ...lifetimes, max_lifetime: 50 })).toEqual(at(50))
  })
})

describe("a session", () => {
  it("is live until the moment it expires", () => {
    expect(isLive(session(), at(99.999), lifetimes)).toBe(true)
    expect(isLive(session(), at(100), lifetimes)).toBe(false)
  })

  it("is live until max_lifetime, whatever its expires_at is", () => {
    const forever = session({ expires_at: at(1e6) })
    expect(isLive(forever, at(299.999), lifetimes)).toBe(true)
    expect(isLive(forever, at(300), lifetimes)).toBe(false)
  })

  it("is stale from update_age after its last refresh on", () => {
    const refreshed = session({ updated_at: at(50) })
    expect(isStale(refreshed, at(59.999), lifetimes)).toBe(false)
    expect(isStale(refreshed, at(60), lifetimes)).toBe(true)
    expect(isStale(refreshed, at(50), { ...lifetimes, update_age: 0 })).toBe(true)
  })

  it("is fresh for fresh_age after its start, however often it was refreshed", () => {
    const refreshed = session({ updated_at: at(19) })
    expect(isFresh(refreshed, none, at(19.999), lifetimes)).toBe(true)
    expect(isFresh(refreshed, none, at(20), lifetimes)).toBe(false)
  })

  it("depends on the current time alone if the clock was set back", () => {
    const ahead = session({ created_at: at(1000), authenticated_at: at(1000), updated_at: at(1000), expires_at: at(1100) })
    expect(isLive(ahead, at(0), lifetimes)).toBe(true)
    expect(isStale(ahead, at(0), lifetimes)).toBe(false)
    expect(isFresh(ahead, none, at(0), lifetimes)).toBe(true)
  })

  it("is fresh again for fresh_age after a step-up, which does not extend it", () => {
    const renewed = session({ proved_at: at(90), expires_at: at(1e6) })
    expect(isFresh(renewed, none, at(109.999), lifetimes)).toBe(true)
    expect(isFresh(renewed, none, at(110), lifetimes)).toBe(false)
    expect(isLive(session({ proved_at: at(299), expires_at: at(1e6) }), at(300), lifetimes)).toBe(false)
  })
})

describe("the proof that changes to factors need", () => {
  it("is younger than step_up_age, also for a user without a factor", () => {
    for (const held of [none, passkey]) {
      expect(isSteppedUp(session(), held, at(4.999), lifetimes)).toBe(true)
      expect(isSteppedUp(session(), held, at(5), lifetimes)).toBe(false)
      expect(isSteppedUp(session({ proved_at: at(50) }), held, at(54.999), lifetimes)).toBe(true)
      expect(isSteppedUp(session({ proved_at: at(50) }), held, at(55), lifetimes)).toBe(false)
    }
  })

  it("is younger than fresh_age where that is shorter", () => {
    const strict = { ...lifetimes, fresh_age: 3 }
    for (const held of [none, passkey]) {
      expect(isSteppedUp(session(), held, at(2.999), strict)).toBe(true)
      expect(isSteppedUp(session(), held, at(3), strict)).toBe(false)
    }
  })

  it("is required for the other sensitive changes of users who have a factor", () => {
    const proved = session({ multi_factor: true })
    for (const held of [passkey, app]) {
      expect(isFresh(proved, held, at(4.999), lifetimes)).toBe(true)
      expect(isFresh(proved, held, at(5), lifetimes)).toBe(false)
    }
    expect(isFresh(proved, none, at(5), lifetimes)).toBe(true)
  })

  it("is no proof by one factor of a user who has a second one", () => {
    const weak = session({ multi_factor: false })
    expect(isSteppedUp(weak, app, at(0), lifetimes)).toBe(false)
    expect(isFresh(weak, app, at(0), lifetimes)).toBe(false)
    expect(isSteppedUp(weak, passkey, at(0), lifetimes)).toBe(true)
    expect(isSteppedUp(session({ multi_factor: true }), app, at(0), lifetimes)).toBe(true)
  })
})
