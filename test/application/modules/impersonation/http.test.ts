import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { codes, query } from "../../../adapters/graphql/request.ts"
import { cookieOf, get, post, refused, served } from "../../../adapters/http/served.ts"
import { password } from "../../../world.ts"
import { email, modules, reason, root } from "./impersonations.ts"

const service = { modules, graphql: {}, settings: { rate_limit: { enabled: true } } }

describe("an impersonated session over HTTP", () => {
  layer(served(service))((it) => {
    it.effect("is a cookie or a bearer token, and is refused alike by REST and GraphQL", () =>
      Effect.gen(function* () {
        const { user } = (yield* post("/sign-up/email", { email, password })).json
        const own = cookieOf(yield* post("/sign-up/email", { email: root, password }))
        const input = { user_id: user.id, reason }
        const started = yield* post("/admin/impersonate/start", input, { headers: { cookie: own } })
        const kept = (started.headers["set-cookie"] ?? []).map((each) => each.split(";")[0]!)
        assert.isTrue(kept.some((each) => each.startsWith("__Host-impersonator=")))
        const token = String(started.headers["set-auth-token"])
        const budgets: Array<unknown> = []
        for (const headers of [{ cookie: kept.join("; ") }, { authorization: `Bearer ${token}` }]) {
          const shown = yield* get("/get-session", { headers })
          assert.deepStrictEqual([shown.json.user.id, shown.json.impersonated_by.mode], [user.id, "read"])
          budgets.push(shown.headers["ratelimit-limit"])
          const changed = yield* post("/update-user", { name: "Ada" }, { headers })
          assert.strictEqual(refused(changed), "403 impersonation_refused")
          const change = yield* query(`mutation { updateUser(input: { name: "Ada" }) { user { id } } }`, {}, { headers })
          assert.deepStrictEqual(codes(change), ["impersonation_refused"])
          assert.deepStrictEqual((yield* query("{ viewer { user { email } } }", {}, { headers })).data, { viewer: { user: { email } } })
          assert.strictEqual(refused(yield* get("/admin/me", { headers })), "403 impersonation_refused")
        }
        assert.deepStrictEqual(new Set(budgets).size, 1)

        const stopped = yield* post("/impersonation/stop", {}, { headers: { cookie: kept.join("; ") } })
        const back = (stopped.headers["set-cookie"] ?? []).find((each) => own.startsWith(each.split("=")[0]!)) ?? ""
        assert.strictEqual(back.split(";")[0], own)
        const ended = yield* get("/list-sessions", { headers: { authorization: `Bearer ${token}` } })
        assert.strictEqual(refused(ended), "401 unauthorized")
        assert.strictEqual((yield* get("/admin/me", { headers: { cookie: own } })).status, 200)
      }),
    )
  })
})
