import { createHash } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Store } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { password } from "../../world.ts"
import type { Served } from "./served.ts"
import { cookieOf, get, post, served, signedUp } from "./served.ts"

const value = /^[\w-]{43}\.[\w-]{43}$/
const noSession = { session: null, user: null }

describe("the session cookie", () => {
  const attributes: ReadonlyArray<[cookie: Record<string, unknown>, name: string, attributes: string]> = [
    [{}, "__Host-session", "Path=/; HttpOnly; Secure; SameSite=Lax"],
    [{ domain: "example.com", path: "/x" }, "__Host-session", "Path=/; HttpOnly; Secure; SameSite=Lax"],
    [{ host_prefix: false, domain: "example.com", path: "/x" }, "session", "Domain=example.com; Path=/x; HttpOnly; Secure; SameSite=Lax"],
    [{ host_prefix: false }, "session", "Path=/; HttpOnly; Secure; SameSite=Lax"],
    [{ secure: false }, "session", "Path=/; HttpOnly; SameSite=Lax"],
    [{ secure: false, domain: "example.com", path: "/x" }, "session", "Path=/x; HttpOnly; SameSite=Lax"],
    [{ http_only: false }, "__Host-session", "Path=/; Secure; SameSite=Lax"],
    [{ name: "sid", same_site: "Strict" }, "__Host-sid", "Path=/; HttpOnly; Secure; SameSite=Strict"],
    [{ name: "sid", host_prefix: false, same_site: "None" }, "sid", "Path=/; HttpOnly; Secure; SameSite=None"],
  ]
  for (const [cookie, name, rest] of attributes) {
    layer(served({ settings: { cookie } }), { excludeTestServices: true })((it) => {
      it.effect(`with ${JSON.stringify(cookie)} is ${name}; ${rest}`, () =>
        Effect.gen(function* () {
          const answer = yield* post("/sign-up/email", { email: "ada@example.com", password })
          const [set = "", ...more] = answer.headers["set-cookie"] ?? []
          assert.deepStrictEqual(more, [])
          const [pair = "", ...given] = set.split("; ")
          assert.strictEqual(pair.split("=")[0], name)
          assert.match(pair.slice(name.length + 1), value)
          assert.strictEqual(given.join("; "), `Max-Age=604800; ${rest}`)

          const session = yield* get("/get-session", { headers: { cookie: pair } })
          assert.strictEqual(session.json.user.email, "ada@example.com")
          const out = yield* post("/sign-out", {}, { headers: { cookie: pair } })
          assert.deepStrictEqual(out.headers["set-cookie"], [`${name}=; Max-Age=0; ${rest}`])
        }),
      )
    })
  }

  const lifetime: Served = { settings: { session: { expires_in: 60 } } }
  layer(served(lifetime), { excludeTestServices: true })((it) => {
    it.effect("expires with the session", () =>
      Effect.gen(function* () {
        const answer = yield* post("/sign-up/email", { email: "ada@example.com", password })
        assert.match(answer.headers["set-cookie"]?.[0] ?? "", /; Max-Age=60;/)
      }),
    )
  })

  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("carries a signed token of which the store has only the hash", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedUp()
        const [token = "", signature = ""] = cookie.replace("__Host-session=", "").split(".")
        const token_hash = createHash("sha256").update(`session:${token}`).digest("base64url")
        const held = yield* (yield* Store).read(Sessions, { token_hash })
        const stored = JSON.stringify(Option.getOrThrow(held).row)
        assert.notInclude(stored, token)
        assert.notInclude(stored, signature)

        for (const forged of [token, `${token}.`, `${token}.${"A".repeat(43)}`, `${token}.${signature}.x`, `.${signature}`, token_hash]) {
          assert.deepStrictEqual((yield* get("/get-session", { headers: { cookie: `__Host-session=${forged}` } })).json, noSession, forged)
        }
        const other = yield* signedUp("bob@example.com")
        const swapped = `__Host-session=${token}.${other.cookie.split(".")[1]}`
        assert.deepStrictEqual((yield* get("/get-session", { headers: { cookie: swapped } })).json, noSession)
      }),
    )

    it.effect("is found among others, and the first of two with its name counts", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedUp("found@example.com")
        const emailWith = (header: string) =>
          Effect.map(get("/get-session", { headers: { cookie: header } }), ({ json }) => json.user?.email ?? null)
        for (const header of [
          `a=1; ${cookie}; b=2`,
          `a=1;${cookie};b=2`,
          `=; ;;; a; ${cookie}`,
          `__proto__=1; constructor=2; ${cookie}`,
          `${cookie}; __Host-session=forged`,
          `%=%; bad=%zz; ${cookie}`,
          `"; ${cookie}`,
          `${"x=1; ".repeat(1000)}${cookie}`,
        ]) {
          assert.strictEqual(yield* emailWith(header), "found@example.com", header.slice(0, 60))
        }
        for (const header of [
          `__Host-session=forged; ${cookie}`,
          cookie.replace("__Host-", "__host-"),
          cookie.replace("__Host-", ""),
          cookie.replace("=", "%3D"),
          "__Host-session",
          "__Host-session=",
          "__Host-session=%",
          "__Host-session=%00%ff",
          `__Host-session=${"x".repeat(8000)}`,
          ";;;===;;;",
        ]) {
          assert.isNull(yield* emailWith(header), header.slice(0, 60))
        }
      }),
    )

    it.effect("of a signed-in browser is replaced by a sign-in and kept by every other operation", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("kept@example.com")
        for (const answer of [
          yield* get("/get-session", { headers }),
          yield* get("/list-accounts", { headers }),
          yield* post("/update-user", { name: "Ada" }, { headers }),
          yield* post("/verify-email", { token: "nope" }, { headers }),
        ]) {
          assert.isUndefined(answer.headers["set-cookie"])
        }
        const again = yield* post("/sign-in/email", { email: "kept@example.com", password }, { headers })
        assert.notStrictEqual(cookieOf(again), headers.cookie)
      }),
    )
  })
})
