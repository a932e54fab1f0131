import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { multiSession } from "../../../application/modules/multi_session/index.ts"
import { core, password } from "../../world.ts"
import type { Answer } from "./served.ts"
import { get, post, refused, served } from "./served.ts"

const modules = [...core, multiSession.build({ max_sessions: 5 })]
const many = [...core, multiSession.build({ max_sessions: 30 })]

/** Keeps cookies as a browser does. */
const jar = () => {
  const cookies = new Map<string, string>()
  const headers = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") })
  const keep = (answer: Answer) =>
    Effect.sync(() => {
      for (const set of answer.headers["set-cookie"] ?? []) {
        const [, name = "", value = ""] = set.match(/^([^=]+)=([^;]*)/) ?? []
        if (set.includes("; Max-Age=0;")) cookies.delete(name)
        else cookies.set(name, value)
      }
    })
  return {
    cookies,
    get: (path: string) => Effect.suspend(() => Effect.tap(get(path, { headers: headers() }), keep)),
    post: (path: string, input: unknown) => Effect.suspend(() => Effect.tap(post(path, input, { headers: headers() }), keep)),
  }
}
const signUp = (their: ReturnType<typeof jar>, name: string) => their.post("/sign-up/email", { email: `${name}@example.com`, password })

describe("multi-session over HTTP", () => {
  layer(served({ modules }), { excludeTestServices: true })((it) => {
    it.effect("keeps the sessions of a browser in a cookie of exactly this name", () =>
      Effect.gen(function* () {
        const their = jar()
        const answer = yield* signUp(their, "ada")
        const [session, kept, binding, ...rest] = answer.headers["set-cookie"] ?? []
        const attributes = "; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax"
        assert.match(kept ?? "", new RegExp(`^multi_session=[\\w!-]+\\.[\\w-]{43}${attributes}$`))
        assert.match(binding ?? "", new RegExp(`^__Host-multi_session_browser=[\\w-]+\\.[\\w-]{43}${attributes}$`))
        assert.match(session ?? "", /^__Host-session=/)
        assert.lengthOf(rest, 0)
      }),
    )

    it.effect("switches from one account to another and back, and ends one", () =>
      Effect.gen(function* () {
        const their = jar()
        yield* signUp(their, "bob")
        yield* signUp(their, "cy")
        const { sessions } = (yield* their.get("/multi-session/list")).json
        assert.deepStrictEqual(
          sessions.map(({ user, active }: any) => [user.email, active]),
          [
            ["bob@example.com", false],
            ["cy@example.com", true],
          ],
        )
        const [bob, cy] = sessions.map(({ session_id }: any) => session_id)

        const switched = yield* their.post("/multi-session/set-active", { session_id: bob })
        assert.deepStrictEqual(switched.json, { active: bob })
        assert.match(
          switched.headers["set-cookie"]?.join() ?? "",
          /^__Host-session=[\w.-]{87}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        )
        assert.strictEqual((yield* their.get("/get-session")).json.user.email, "bob@example.com")

        const revoked = yield* their.post("/multi-session/revoke", { session_id: bob })
        assert.deepStrictEqual(revoked.json, { success: true })
        assert.sameMembers([...their.cookies.keys()], ["multi_session", "__Host-multi_session_browser"])
        assert.deepStrictEqual((yield* their.get("/get-session")).json, { session: null, user: null })

        yield* their.post("/multi-session/set-active", { session_id: cy })
        assert.strictEqual((yield* their.get("/get-session")).json.user.email, "cy@example.com")
        yield* their.post("/sign-out", {})
        assert.deepStrictEqual((yield* their.get("/multi-session/list")).json, { sessions: [] })
        assert.deepStrictEqual([...their.cookies.keys()], [])
      }),
    )

    it.effect("gives no session to a host that reads the cookie: it lacks the browser's __Host- cookie", () =>
      Effect.gen(function* () {
        const their = jar()
        yield* signUp(their, "flo")
        const [{ session_id }] = (yield* their.get("/multi-session/list")).json.sessions
        const thief = jar()
        thief.cookies.set("multi_session", their.cookies.get("multi_session") ?? "")
        assert.deepStrictEqual((yield* thief.get("/multi-session/list")).json, { sessions: [] })
        for (const path of ["/multi-session/set-active", "/multi-session/revoke"])
          assert.strictEqual(refused(yield* thief.post(path, { session_id })), "404 session_not_found")
        for (const [name, value] of their.cookies) if (!name.startsWith("__Host-session")) thief.cookies.set(name, value)
        assert.strictEqual((yield* thief.post("/multi-session/set-active", { session_id })).status, 200)
      }),
    )

    it.effect("is session_not_found for another browser's session and for no session", () =>
      Effect.gen(function* () {
        const their = jar()
        const { user } = (yield* signUp(their, "dee")).json
        const other = jar()
        yield* signUp(other, "eve")
        const [{ session_id }] = (yield* other.get("/multi-session/list")).json.sessions
        for (const path of ["/multi-session/set-active", "/multi-session/revoke"]) {
          for (const input of [{ session_id }, { session_id: user.id }, {}, { session_id: ["x"] }]) {
            assert.strictEqual(refused(yield* their.post(path, input)), "404 session_not_found")
          }
        }
        assert.strictEqual((yield* other.get("/get-session")).json.user.email, "eve@example.com")
      }),
    )
  })

  layer(served({ modules: many }), { excludeTestServices: true })((it) => {
    it.effect("fits into the cookie limits of browsers with max_sessions sessions", () =>
      Effect.gen(function* () {
        const their = jar()
        let last = yield* signUp(their, "ada")
        for (let count = 0; count < 30; count++) last = yield* their.post("/sign-in/email", { email: "ada@example.com", password })
        const sizes = (last.headers["set-cookie"] ?? []).map((cookie) => cookie.length)
        assert.isAtMost(Math.max(...sizes), 4096)
        assert.lengthOf((yield* their.get("/multi-session/list")).json.sessions, 30)
      }),
    )
  })
})
