import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../application/modules/admin/index.ts"
import { core, password } from "../../world.ts"
import { cookieOf, get, post, refused, signedUp } from "../http/served.ts"
import { codes, graphqlServed, query } from "./request.ts"

const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: ["root@example.com"], step_up: true }))

const setRole = /* GraphQL */ `
  mutation ($userId: ID!) { adminSetRole(input: { userId: $userId, role: "editor" }) { success } }
`

describe("modules.admin.step_up over REST and GraphQL", () => {
  layer(graphqlServed({ modules: [...core, built] }))((it) => {
    it.effect("needs a proof younger than ten minutes", () =>
      Effect.gen(function* () {
        yield* signedUp("ada@example.com")
        let headers = yield* signedUp("root@example.com")
        const { users } = (yield* get("/admin/list-users", { headers })).json
        const user_id = users.find(({ email }: { readonly email: string }) => email === "ada@example.com").id
        const overRest = Effect.suspend(() => post("/admin/set-role", { user_id, role: "editor" }, { headers }))
        const overGraphql = Effect.suspend(() => query(setRole, { userId: user_id }, { headers }))

        yield* TestClock.adjust("599 seconds")
        assert.strictEqual((yield* overRest).status, 200)
        assert.deepStrictEqual((yield* overGraphql).data, { adminSetRole: { success: true } })
        yield* TestClock.adjust("1 second")
        assert.strictEqual(refused(yield* overRest), "403 session_not_fresh")
        assert.deepStrictEqual(codes(yield* overGraphql), ["session_not_fresh"])
        headers = { cookie: cookieOf(yield* post("/step-up", { password }, { headers })) }
        assert.strictEqual((yield* overRest).status, 200)
        assert.deepStrictEqual(codes(yield* overGraphql), [])
      }),
    )
  })
})
