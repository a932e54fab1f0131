import { Option, Result } from "effect"
import { describe, expect, it } from "vitest"
import { check, normalisedForSignIn } from "../../../domain/sign-in/passwords.ts"

const rules = { min_password_length: 8, max_password_length: 128, blocklist: new Set(["password", "schönes wetter"]) }

const outcome = (password: string, changed: Partial<typeof rules> = {}) =>
  Result.match(check(password, { ...rules, ...changed }), { onSuccess: () => "accepted", onFailure: (error) => error._tag })

const composed = "\u00e9"
const combining = "e\u0301"
const key = "\u{1F511}"
/** Four people and three joiners: one emoji of seven code points. */
const family = "👩‍👩‍👧‍👦"

describe("the length of a password", () => {
  it.each([
    ["letters", "x"],
    ["a composed é", composed],
    ["an e with a combining accent, which is one code point when normalised", combining],
    ["an emoji of two UTF-16 units", key],
    ["blanks", " "],
    ["NUL", "\0"],
    ["a combining mark that composes with nothing", "\u0332"],
  ])("is counted in code points: %s", (_, unit) => {
    expect(outcome(unit.repeat(7))).toBe("password_too_short")
    expect(outcome(unit.repeat(8))).toBe("accepted")
    expect(outcome(unit.repeat(128))).toBe("accepted")
    expect(outcome(unit.repeat(129))).toBe("password_too_long")
  })

  it("counts every code point of a joined emoji", () => {
    expect(outcome(family)).toBe("password_too_short")
    expect(outcome(`${family}x`)).toBe("accepted")
  })

  it("is that of the normalised password, even where that is longer", () => {
    // U+0958 is excluded from composition: normalised, it is two code points.
    expect(outcome("\u0958".repeat(4))).toBe("accepted")
    expect(outcome("\u0958".repeat(65))).toBe("password_too_long")
  })

  it("follows the settings", () => {
    expect(outcome("x", { min_password_length: 1 })).toBe("accepted")
    expect(outcome("", { min_password_length: 1 })).toBe("password_too_short")
    expect(outcome("xxxxxxxxx", { max_password_length: 8 })).toBe("password_too_long")
  })
})

/** Normalisation of these takes seconds. */
const marks = "\u0301\u0323".repeat(60_000)

describe("the length of a text", () => {
  it("is checked before it is normalised: a long run of combining marks costs nothing", () => {
    const started = performance.now()
    expect(outcome(marks)).toBe("password_too_long")
    expect(normalisedForSignIn(marks, rules)).toEqual(Option.none())
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it("leaves room for every text that composes to a password", () => {
    // Alpha and three marks are one code point.
    expect(outcome("\u03b1\u0313\u0300\u0345".repeat(128))).toBe("accepted")
    expect(outcome("\u03b1\u0313\u0300\u0345".repeat(129))).toBe("password_too_long")
  })

  it("is bounded for passwords of other systems, too, and never below the configured one", () => {
    expect(normalisedForSignIn("x".repeat(4096), rules)).toEqual(Option.some("x".repeat(4096)))
    expect(normalisedForSignIn("x".repeat(4097), rules)).toEqual(Option.none())
    expect(normalisedForSignIn("x".repeat(8000), { max_password_length: 1000 })).toEqual(Option.some("x".repeat(8000)))
    expect(normalisedForSignIn("x".repeat(8001), { max_password_length: 1000 })).toEqual(Option.none())
  })
})

describe("a password", () => {
  it("is accepted in normalised form, in every spelling", () => {
    expect(normalisedForSignIn(combining, rules)).toEqual(Option.some(composed))
    expect(check(`caf${combining} noir`, rules)).toEqual(Result.succeed(`caf${composed} noir`))
    expect(check(`caf${composed} noir`, rules)).toEqual(Result.succeed(`caf${composed} noir`))
  })

  it("is not trimmed, folded or stripped", () => {
    for (const password of ["  spaces at both ends  ", "MixedCaseStays", "tab\tand\nline", "ﬁligature", "zero\u200bwidth"]) {
      expect(check(password, rules)).toEqual(Result.succeed(password))
    }
  })

  it("on the blocklist is refused in any case and form, with its own message", () => {
    for (const password of ["password", "PASSWORD", "scho\u0308nes Wetter"]) expect(outcome(password)).toBe("invalid_request")
    const refused = check("PassWord", rules)
    expect(Result.isFailure(refused) && refused.failure.message).toMatch(/common/)
    expect(outcome("password1")).toBe("accepted")
  })

  it("that is too short gets the message about its length, on the blocklist or not", () => {
    expect(outcome("short", { blocklist: new Set(["short"]) })).toBe("password_too_short")
  })
})
