import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "../../../application/modules/admin/index.ts"
import { BreachedPasswords } from "../../../domain/ports/breached-passwords.ts"
import { Users } from "../../../domain/users/tables.ts"
import { rulesOf } from "../../rule.ts"
import { browser, core, endpoints, mailedToken, password, rows, signedIn, signedUp } from "../../world.ts"

const administration = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] })
const rule = rulesOf([...core, administration])
const { signUpEmail, changePassword, requestPasswordReset, resetPassword } = endpoints
const email = "ada@example.com"

/** Composed, as passwords are hashed. */
const known = "a breached passw\u00f6rd"
const breached = Effect.provideService(BreachedPasswords, { has: (password) => Effect.succeed(password === known) })

describe("a breached password cannot be chosen", () => {
  for (const typed of [known, known.normalize("NFD")]) {
    rule(`in any Unicode form (${typed.length} characters)`, function* () {
      assert.strictEqual(yield* breached(browser().code(signUpEmail, { email, password: typed })), "invalid_request")
      assert.lengthOf(yield* rows(Users), 0)
    })
  }

  rule("at sign-up, and another one can", function* () {
    assert.strictEqual(yield* breached(browser().code(signUpEmail, { email, password: known })), "invalid_request")
    yield* breached(browser().body(signUpEmail, { email, password: `${known}!` }))
  })

  rule("at a change", function* () {
    const ada = yield* signedUp(email)
    const input = { current_password: password, new_password: known }
    assert.strictEqual(yield* breached(ada.code(changePassword, input)), "invalid_request")
    yield* signedIn(email)
  })

  rule("at a reset, whose link stays valid", function* () {
    yield* signedUp(email)
    yield* browser().body(requestPasswordReset, { email })
    const token = yield* mailedToken
    assert.strictEqual(yield* breached(browser().code(resetPassword, { token, new_password: known })), "invalid_request")
    yield* breached(browser().body(resetPassword, { token, new_password: "another fine password" }))
  })

  rule("by an administrator for a new user", function* () {
    const root = yield* signedUp("root@example.com")
    assert.strictEqual(yield* breached(root.code(administration.endpoints.adminCreateUser, { email, password: known })), "invalid_request")
    assert.lengthOf(yield* rows(Users), 1)
  })

  rule("but still signs in a user who has it", function* () {
    yield* browser().body(signUpEmail, { email, password: known })
    yield* breached(signedIn(email, known))
  })
})
