import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../application/modules/admin/index.ts"
import { core } from "../../world.ts"
import { cookieOf, get, post, refused, served, signedUp } from "./served.ts"

const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: ["root@example.com"] }))
const password = "correct horse battery staple"

describe("a banned user", () => {
  layer(served({ modules: [...core, built] }))((it) => {
    it.effect("is refused in the error envelope, and the session cookie is cleared", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("ada@example.com")
        const root = yield* signedUp("root@example.com")
        const { user } = (yield* get("/get-session", { headers })).json
        const banned = yield* post("/admin/ban-user", { user_id: user.id }, { headers: root })
        assert.deepStrictEqual([banned.status, banned.json, banned.headers["set-cookie"]], [200, { success: true }, undefined])
        assert.deepStrictEqual((yield* get("/get-session", { headers })).json, { session: null, user: null })

        const answer = yield* post("/sign-in/email", { email: "ada@example.com", password }, { headers })
        assert.strictEqual(refused(answer), "403 banned")
        assert.match(answer.json.error.message, /account is banned/)
        assert.lengthOf(answer.headers["set-cookie"] ?? [], 1)
        assert.strictEqual(cookieOf(answer), "__Host-session=")
        assert.match(answer.headers["set-cookie"]?.[0] ?? "", /Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax/)
      }),
    )

    it.effect("other refusals keep the session cookie", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("bob@example.com")
        const wrong = yield* post("/sign-in/email", { email: "bob@example.com", password: "a wrong one" }, { headers })
        const forbidden = yield* get("/admin/list-users", { headers })
        assert.deepStrictEqual([wrong, forbidden].map(refused), ["401 invalid_credentials", "403 forbidden"])
        for (const answer of [wrong, forbidden]) assert.isUndefined(answer.headers["set-cookie"])
        assert.strictEqual((yield* get("/get-session", { headers })).json.user.email, "bob@example.com")
      }),
    )

    it.effect("unauthorized callers get 401 and 403 before their input is validated", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("carl@example.com")
        assert.strictEqual(refused(yield* post("/admin/ban-user", {})), "401 unauthorized")
        assert.strictEqual(refused(yield* post("/admin/ban-user", {}, { headers })), "403 forbidden")
        assert.strictEqual(refused(yield* get("/admin/list-users?limit=x")), "401 unauthorized")
        assert.strictEqual(refused(yield* get("/admin/list-users?limit=x", { headers })), "403 forbidden")
      }),
    )

    it.effect("an administrator pages the list by its query", () =>
      Effect.gen(function* () {
        const { cookie } = yield* Effect.map(post("/sign-in/email", { email: "root@example.com", password }), (answer) => ({
          cookie: cookieOf(answer),
        }))
        const page = yield* get("/admin/list-users?limit=1&search=ROOT", { headers: { cookie } })
        assert.deepInclude(page.json.users[0], { email: "root@example.com", role: "user", banned: false })
        assert.isNull(page.json.next_cursor)
        const first = yield* get("/admin/list-users?limit=2", { headers: { cookie } })
        assert.lengthOf(first.json.users, 2)
        const second = yield* get(`/admin/list-users?limit=2&cursor=${first.json.next_cursor}`, { headers: { cookie } })
        assert.notInclude(
          first.json.users.map(({ id }: { id: string }) => id),
          second.json.users[0].id,
        )
        assert.strictEqual(refused(yield* get("/admin/list-users?limit=0", { headers: { cookie } })), "400 invalid_request")
        assert.strictEqual(refused(yield* post("/admin/ban-user", { user_id: "unknown" }, { headers: { cookie } })), "404 user_not_found")
      }),
    )
  })
})
