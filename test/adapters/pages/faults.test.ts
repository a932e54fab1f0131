import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../../world.ts"
import type { Shown } from "./browse.ts"
import { browse, signedUp, withPages } from "./browse.ts"

/** The faults of a page: those of its summary in order, and those beside the fields. */
const faultsOf = ({ html }: Shown) => {
  const summary = [...html.matchAll(/<a href="#([\w.]+)">([^<]*)<\/a>/g)].map(([, field = "", fault = ""]) => [field, fault] as const)
  const beside = [...html.matchAll(/<p class="fault" id="([\w.]+)-fault">([^<]*)<\/p>/g)].map(([, field, fault]) => [field, fault] as const)
  assert.deepStrictEqual(Object.fromEntries(beside), Object.fromEntries(summary))
  return Object.fromEntries(summary)
}

describe("a refused form", () => {
  it.layer(withPages())((it) => {
    it.effect("of the sign-in names both empty fields, or the empty one, and is no attempt", () =>
      Effect.gen(function* () {
        yield* signedUp("ada@example.com")
        const visitor = browse()
        const page = yield* visitor.open("/sign-in")
        const empty = yield* visitor.press(page, "password", { identifier: "", password: "" })
        assert.strictEqual(empty.status, 400)
        assert.deepStrictEqual(faultsOf(empty), {
          identifier: "Enter your email address or user name.",
          password: "Enter your password.",
        })
        const half = yield* visitor.press(page, "password", { identifier: "ada@example.com", password: "" })
        assert.deepStrictEqual([half.status, faultsOf(half)], [400, { password: "Enter your password." }])
        const invalid = yield* visitor.press(page, "password", { identifier: "ada@", password: "" })
        assert.deepStrictEqual(faultsOf(invalid), {
          identifier: "Enter an email address, such as name@example.com.",
          password: "Enter your password.",
        })
      }),
    )

    it.effect("of the sign-up names all fields with faults, in their order", () =>
      Effect.gen(function* () {
        const visitor = browse()
        const page = yield* visitor.open("/sign-up")
        const email = "Enter an email address, such as name@example.com."
        const refused = (entered: Record<string, string>) => Effect.map(visitor.press(page, "sign_up", entered), faultsOf)
        assert.deepStrictEqual(yield* refused({ email: "", new_password: "" }), { email, new_password: "Enter a password." })
        const wrong = yield* refused({ name: "x".repeat(300), email: "ada", new_password: "short" })
        assert.deepStrictEqual(Object.entries(wrong), [
          ["name", "This name is too long, or has characters that cannot be used."],
          ["email", email],
          ["new_password", "Use at least 8 characters."],
        ])
        assert.deepStrictEqual(yield* refused({ email: "ada", new_password: "x".repeat(200) }), {
          email,
          new_password: "Use at most 128 characters.",
        })
        assert.deepStrictEqual(yield* refused({ email: "ada", new_password: password }), { email })
      }),
    )

    it.effect("of a change of the password names the current and the new one", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("grace@example.com")
        const page = yield* ada.open("/account/password")
        const refused = (entered: Record<string, string>) => Effect.map(ada.press(page, "change", entered), faultsOf)
        assert.deepStrictEqual(yield* refused({ password: "", new_password: "" }), {
          password: "Enter your password.",
          new_password: "Enter a password.",
        })
        assert.deepStrictEqual(yield* refused({ password: "", new_password: "short" }), {
          password: "Enter your password.",
          new_password: "Use at least 8 characters.",
        })
        assert.deepStrictEqual(yield* refused({ password: "", new_password: password }), { password: "Enter your password." })
      }),
    )

    it.effect("of the account asks for what is missing", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("mary@example.com")
        const deleted = yield* ada.press(yield* ada.open("/account/delete"), "delete", { password: "" })
        assert.deepStrictEqual(faultsOf(deleted), { password: "Enter your password." })
        const named = yield* ada.press(yield* ada.open("/account/username"), "save", { username: "" })
        assert.deepStrictEqual(faultsOf(named), { username: "Enter a user name." })
        const profile = yield* ada.press(yield* ada.open("/account"), "save", { name: "x".repeat(300), image: "ftp://example.com/me.png" })
        assert.deepStrictEqual(Object.keys(faultsOf(profile)), ["name", "image"])
        const created = yield* ada.press(yield* ada.open("/account/organizations"), "create", { name: " ", slug: "" })
        assert.deepStrictEqual(faultsOf(created), { name: "Enter a name." })
        const moved = yield* ada.press(yield* ada.open("/account/email"), "change", { email: "" })
        assert.deepStrictEqual(faultsOf(moved), { email: "Enter an email address, such as name@example.com." })
      }),
    )
  })
})
