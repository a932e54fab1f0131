import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { core, password } from "../../world.ts"
import type { Answer } from "./served.ts"
import { cookieOf, get, post, refused, served } from "./served.ts"

const modules = [...core, bearer.build({ redirects: [] })]
const noSession = { session: null, user: null }
const email = "ada@example.com"

const tokenOf = ({ headers }: Answer) => headers["set-auth-token"]
const withToken = (token: unknown, scheme = "Bearer ") => ({ headers: { authorization: `${scheme}${token}` } })
const emailOf = (headers: Record<string, string>) => Effect.map(get("/get-session", { headers }), ({ json }) => json.user?.email ?? null)

describe("a bearer token", () => {
  layer(served({ modules, settings: { trusted_origins: ["https://app.example.net"] } }), { excludeTestServices: true })((it) => {
    it.effect("equals the cookie's value in every response that sets the cookie", () =>
      Effect.gen(function* () {
        for (const path of ["/sign-up/email", "/sign-in/email"]) {
          const answer = yield* post(path, { email, password })
          assert.strictEqual(answer.status, 200)
          assert.strictEqual(cookieOf(answer), `__Host-session=${tokenOf(answer)}`)
        }
      }),
    )

    it.effect("is absent from responses that keep or refuse a session, and empty where the session ends", () =>
      Effect.gen(function* () {
        const { headers } = withToken(tokenOf(yield* post("/sign-in/email", { email, password })))
        for (const answer of [
          yield* get("/get-session", { headers }),
          yield* post("/update-user", { name: "Ada" }, { headers }),
          yield* post("/sign-in/email", { email, password: "wrong" }),
        ]) {
          assert.isUndefined(tokenOf(answer))
        }
        assert.strictEqual(tokenOf(yield* post("/sign-out", {}, { headers })), "")
      }),
    )

    it.effect("is accepted where the cookie is, and ends with a sign-out", () =>
      Effect.gen(function* () {
        const { headers } = withToken(tokenOf(yield* post("/sign-in/email", { email, password })))
        assert.strictEqual(yield* emailOf(headers), email)
        assert.strictEqual((yield* get("/list-sessions", { headers })).status, 200)
        assert.strictEqual((yield* post("/update-user", { name: "Ada" }, { headers })).json.user.name, "Ada")
        assert.deepStrictEqual((yield* post("/sign-out", {}, { headers })).json, { success: true })
        assert.deepStrictEqual((yield* get("/get-session", { headers })).json, noSession)
        assert.strictEqual(refused(yield* get("/list-sessions", { headers })), "401 unauthorized")
      }),
    )

    it.effect("is accepted under one scheme, in any case", () =>
      Effect.gen(function* () {
        const token = tokenOf(yield* post("/sign-in/email", { email, password }))
        for (const scheme of ["Bearer ", "bearer ", "BEARER ", "Bearer   "]) {
          assert.strictEqual(yield* emailOf(withToken(token, scheme).headers), email, scheme)
        }
        for (const scheme of ["", "Bearer", "Bearer\t", "Basic ", "Token ", "Bearer Bearer ", "Bearer=", "x Bearer ", "Bearer ,"]) {
          assert.isNull(yield* emailOf(withToken(token, scheme).headers), scheme)
        }
        for (const rest of [
          `${token} x`,
          `${token},x`,
          `"${token}"`,
          `token=${token}`,
          `${token};`,
          `${token}=`,
          encodeURIComponent(`${token}%`),
        ]) {
          assert.isNull(yield* emailOf(withToken(rest).headers), rest)
        }
      }),
    )

    it.effect("that is forged counts as missing", () =>
      Effect.gen(function* () {
        const token = String(tokenOf(yield* post("/sign-in/email", { email, password })))
        const [value = "", signature = ""] = token.split(".")
        const other = yield* post("/sign-up/email", { email: "bob@example.com", password })
        const swapped = `${value}.${String(tokenOf(other)).split(".")[1]}`
        for (const forged of [
          "",
          ".",
          value,
          `${value}.`,
          `.${signature}`,
          `${value}.${"A".repeat(43)}`,
          swapped,
          `${token}.x`,
          "x".repeat(8000),
        ]) {
          const asked = withToken(forged)
          assert.deepStrictEqual((yield* get("/get-session", asked)).json, noSession, forged.slice(0, 60))
          assert.strictEqual(refused(yield* get("/list-sessions", asked)), "401 unauthorized")
        }
      }),
    )

    it.effect("is ignored when a cookie is present, even an expired one", () =>
      Effect.gen(function* () {
        const ada = yield* post("/sign-in/email", { email, password })
        const cy = yield* post("/sign-up/email", { email: "cy@example.com", password })
        const { authorization } = withToken(tokenOf(cy)).headers
        assert.strictEqual(yield* emailOf({ cookie: cookieOf(ada), authorization }), email)
        assert.isNull(yield* emailOf({ cookie: "__Host-session=forged", authorization }))
        assert.strictEqual(yield* emailOf({ cookie: "other=1", authorization }), "cy@example.com")
      }),
    )

    it.effect("does not bypass the origin check; trusted pages may read it", () =>
      Effect.gen(function* () {
        const { authorization } = withToken(tokenOf(yield* post("/sign-in/email", { email, password }))).headers
        const evil = yield* get("/get-session", { headers: { authorization, origin: "https://evil.example" } })
        assert.strictEqual(refused(evil), "403 untrusted_origin")

        const headers = { origin: "https://app.example.net" }
        const page = yield* post("/sign-in/email", { email, password }, { headers })
        assert.isString(tokenOf(page))
        assert.include(String(page.headers["access-control-expose-headers"]).split(", "), "set-auth-token")
        assert.strictEqual(yield* emailOf({ authorization, ...headers }), email)
      }),
    )
  })

  layer(served({ modules, settings: { session: { update_age: 0 } } }), { excludeTestServices: true })((it) => {
    it.effect("is sent again when the session is refreshed", () =>
      Effect.gen(function* () {
        const token = tokenOf(yield* post("/sign-up/email", { email, password }))
        for (const path of ["/get-session", "/list-accounts"]) {
          const answer = yield* get(path, withToken(token))
          assert.strictEqual(tokenOf(answer), token)
          assert.strictEqual(cookieOf(answer), `__Host-session=${token}`)
        }
      }),
    )
  })

  layer(served({ settings: { trusted_origins: ["https://app.example.net"] } }), { excludeTestServices: true })((it) => {
    it.effect("is neither sent nor accepted while the module is off", () =>
      Effect.gen(function* () {
        const answer = yield* post("/sign-up/email", { email, password }, { headers: { origin: "https://app.example.net" } })
        assert.isUndefined(tokenOf(answer))
        assert.notInclude(answer.headers["access-control-expose-headers"], "set-auth-token")
        const token = cookieOf(answer).replace("__Host-session=", "")
        assert.isNull(yield* emailOf(withToken(token).headers))
        assert.strictEqual(refused(yield* get("/list-sessions", withToken(token))), "401 unauthorized")
      }),
    )
  })
})
