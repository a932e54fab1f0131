import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../application/modules/admin/index.ts"
import { core, emails, mailedToken } from "../../world.ts"
import { get, post, refused, served, signedUp } from "./served.ts"

const root = "root@example.com"
const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root] }))

describe("an address of admin_emails over HTTP", () => {
  layer(served({ modules: [...core, built], settings: { public_url: "https://id.example.com" } }))((it) => {
    it.effect("gives no rights to another user who signs up with it", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp(root)
        assert.strictEqual(refused(yield* get("/admin/list-users", { headers })), "403 forbidden")
        yield* post("/send-verification-email", { email: root })
        yield* post("/verify-email", { token: yield* mailedToken }, { headers })
        assert.strictEqual((yield* get("/admin/list-users", { headers })).status, 200)
      }),
    )
  })

  layer(served({ modules: [...core, built] }))((it) => {
    it.effect("does not become a user's address before the change is confirmed", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("ada@example.com")
        const answer = yield* post("/change-email", { new_email: root }, { headers })
        assert.deepStrictEqual([answer.status, answer.json], [200, { status: "verification_sent" }])
        assert.strictEqual(refused(yield* get("/admin/list-users", { headers })), "403 forbidden")
        assert.strictEqual((yield* emails).at(-1)?.to, root)
        yield* post("/verify-email", { token: yield* mailedToken }, { headers })
        assert.strictEqual((yield* get("/admin/list-users", { headers })).status, 200)
      }),
    )
  })
})
