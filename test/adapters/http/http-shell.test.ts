import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, get, post, refused, served, signedUp } from "./served.ts"

describe("routes", () => {
  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("answers not_found in the envelope for every path without an endpoint", () =>
      Effect.gen(function* () {
        const nowhere = [
          ["GET", "/"],
          ["GET", "/api/auth"],
          ["GET", "/api/auth/"],
          ["GET", "/get-session"],
          ["GET", "/api/auth/nope"],
          ["POST", "/api/auth/get-session"],
          ["GET", "/api/auth/sign-out"],
          ["PUT", "/api/auth/sign-out"],
          ["DELETE", "/api/auth/sign-out"],
          ["PROPFIND", "/api/auth/get-session"],
          ["TRACE", "/api/auth/get-session"],
          ["OPTIONS", "/api/auth/get-session"],
          ["OPTIONS", "*"],
          ["GET", "/api/auth/get-session/"],
          ["GET", "//api/auth/get-session"],
          ["GET", "/api//auth/get-session"],
          ["GET", "/API/auth/Get-Session"],
          ["GET", "/api/auth/../auth/get-session"],
          ["GET", "/api/auth/%zz"],
          ["GET", "/%"],
          ["GET", `/api/auth/${"a".repeat(5000)}`],
          ["GET", "/__proto__"],
          ["GET", "/api/auth/constructor"],
        ] as const
        for (const [method, path] of nowhere) {
          assert.strictEqual(refused(yield* ask(method, path)), "404 not_found", `${method} ${path.slice(0, 80)}`)
        }
      }),
    )

    it.effect("answers HEAD as GET without the body", () =>
      Effect.gen(function* () {
        const head = yield* ask("HEAD", "/api/auth/get-session")
        assert.deepStrictEqual([head.status, head.text], [200, ""])
        assert.strictEqual(head.headers["content-length"], String((yield* get("/get-session")).text.length))
        assert.strictEqual((yield* ask("HEAD", "/api/auth/list-sessions")).status, 401)
        assert.strictEqual((yield* ask("HEAD", "/api/auth/sign-out")).status, 404)
      }),
    )

    it.effect("ignores unknown members of a query, however it is written", () =>
      Effect.gen(function* () {
        for (const query of [
          "?a=1&a=2",
          "?%zz=%zz",
          "?%",
          "?%ff",
          "?__proto__=1&constructor=2",
          "?a[b]=1",
          `?${"a=1&".repeat(1000)}`,
          "?=&&=",
        ]) {
          assert.deepStrictEqual((yield* get(`/get-session${query}`)).json, { session: null, user: null }, query.slice(0, 40))
        }
      }),
    )

    it.effect("ignores the body of a GET and keeps the connection", () =>
      Effect.gen(function* () {
        for (const body of ["{", "x".repeat(100_000), ["chunk", "chunk"]]) {
          assert.strictEqual((yield* get("/get-session", { body })).status, 200)
          assert.strictEqual((yield* get("/get-session")).status, 200)
        }
      }),
    )

    it.effect("treats an upgrade request as any other request", () =>
      Effect.gen(function* () {
        const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "x", "sec-websocket-version": "13" }
        assert.strictEqual((yield* get("/get-session", { headers })).status, 200)
      }),
    )
  })

  for (const base_path of ["", "/x", "/a/b.c"]) {
    layer(served({ settings: { base_path } }), { excludeTestServices: true })((it) => {
      it.effect(`serves below base_path "${base_path}" and nowhere else`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual((yield* ask("GET", `${base_path}/get-session`)).json, { session: null, user: null })
          assert.strictEqual((yield* ask("POST", `${base_path}/sign-out`)).status, 200)
          assert.strictEqual(refused(yield* ask("GET", "/api/auth/get-session")), "404 not_found")
          assert.strictEqual((yield* ask("GET", "/healthz")).status, 200)
        }),
      )
    })
  }

  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("signs up, reads the session and signs out over a real connection", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp()
        const session = yield* get("/get-session", { headers })
        assert.strictEqual(session.json.user.email, "ada@example.com")
        assert.strictEqual(session.json.session.user_id, session.json.user.id)
        assert.match(session.json.session.expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.deepStrictEqual((yield* post("/sign-out", {}, { headers })).json, { success: true })
        assert.deepStrictEqual((yield* get("/get-session", { headers })).json, { session: null, user: null })
        assert.strictEqual(refused(yield* get("/list-sessions", { headers })), "401 unauthorized")
      }),
    )
  })
})
