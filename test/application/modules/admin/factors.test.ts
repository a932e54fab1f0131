import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import { rulesOf } from "../../../rule.ts"
import { enrolled, built as notRequiring, verified } from "../../../two-factor.ts"
import { at, core, endpoints, mailedToken, signedUp } from "../../../world.ts"

const root = "root@example.com"
const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root] }))
const { adminListUsers, adminSetRole } = administration.endpoints
const settings = { public_url: "https://id.example.com" }
const modulesWith = (required: "none" | "admins") => [
  ...core,
  administration,
  twoFactor.build({ methods: ["totp"], issuer: "service", backup_code_count: 10, required }),
]
const rule = rulesOf(modulesWith("admins"))

describe("a user who becomes an administrator in a session without a factor gets no rights where a factor is required", () => {
  rule(
    "by the proof of an address of admin_emails",
    function* () {
      yield* TestClock.setTime(1_700_000_010_000)
      const ada = yield* signedUp(root)
      yield* ada.body(endpoints.sendVerificationEmail, { email: root })
      yield* ada.body(endpoints.verifyEmail, { token: yield* mailedToken })
      assert.strictEqual(yield* ada.code(adminListUsers), "forbidden")
      yield* enrolled(at(ada, notRequiring))
      yield* ada.body(adminListUsers)
    },
    settings,
  )

  rule(
    "by a role",
    function* () {
      yield* TestClock.setTime(1_700_000_010_000)
      const bob = yield* Effect.tap(signedUp("bob@example.com"), verified)
      const ada = yield* Effect.tap(signedUp(root), verified)
      yield* enrolled(at(ada, notRequiring))
      yield* ada.body(adminSetRole, { user_id: bob.user.id, role: "admin" })
      assert.strictEqual(yield* bob.code(adminListUsers), "forbidden")
      yield* enrolled(at(bob, notRequiring))
      yield* bob.body(adminListUsers)
    },
    settings,
  )

  rulesOf(modulesWith("none"))(
    "but gets them where none is required",
    function* () {
      const ada = yield* Effect.tap(signedUp(root), verified)
      yield* ada.body(adminListUsers)
    },
    settings,
  )
})
