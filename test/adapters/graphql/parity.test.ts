import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeSchema, operationsOf } from "../../../adapters/graphql/schema.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import { make as authOf } from "../../../application/service/auth.ts"
import { modules } from "../../everything.ts"
import { core, password } from "../../world.ts"
import { graphqlServed } from "./request.ts"
import type { Step } from "./shells.ts"
import { mailed, overGraphql, overRest, performed } from "./shells.ts"
import { fieldOf, madeUp } from "./wire.ts"

const auth = AuthOf.make(core)

const email = "ada@example.com"
const wrong = "a wrong password"

const script: ReadonlyArray<Step> = [
  ["getSession"],
  ["listSessions"],
  ["signUpEmail", { email: "not an address", password }, "ada"],
  ["signUpEmail", { email, password: "short" }, "ada"],
  ["signUpEmail", { email, password: "x".repeat(129) }, "ada"],
  ["signUpEmail", { email: " Ada@Example.com ", password, name: "Ada" }, "ada"],
  ["signUpEmail", { email, password }],
  ["signUpEmail", { email: "eve@example.com", password, name: "\u0000" }, "eve"],
  ["signUpEmail", { email: "eve@example.com", password }, "eve"],
  ["getSession", {}, "ada"],
  ["signInEmail", { email, password: wrong }],
  ["signInEmail", { email: "unknown@example.com", password }],
  ["signInEmail", { email, password }, "ada"],
  ["listSessions", {}, "ada"],
  ["listAccounts", {}, "ada"],
  ["listAccounts"],
  ["updateUser", { name: "Ada L.", image: "https://example.com/ada.png" }, "ada"],
  ["updateUser", {}, "ada"],
  ["updateUser", { name: null }, "ada"],
  ["updateUser", { name: "Unknown" }],
  ["stepUp", { password: wrong }, "ada"],
  ["stepUp", {}, "ada"],
  ["stepUp", { password }, "ada"],
  ["stepUp", { password }],
  ["unlinkAccount", { provider_id: "credential" }, "ada"],
  ["unlinkAccount", { provider_id: "idp_one" }, "ada"],
  ["revokeSession", { session_id: "unknown" }, "ada"],
  ["revokeOtherSessions", {}, "ada"],
  ["changePassword", { current_password: wrong, new_password: "another long password" }, "ada"],
  ["changePassword", { current_password: password, new_password: "short" }, "ada"],
  ["changePassword", { current_password: password, new_password: "another long password", revoke_other_sessions: true }, "ada"],
  ["requestPasswordReset", { email: "unknown@example.com" }],
  ["requestPasswordReset", { email }],
  ["reportSignInShow", { token: "unknown" }],
  ["reportSignIn", { token: "unknown" }],
  ["resetPasswordShow", { token: "unknown" }],
  ["resetPasswordShow", () => mailed],
  ["resetPassword", () => Effect.map(mailed, (message) => ({ ...message, new_password: password }))],
  ["resetPassword", { token: "unknown", new_password: password }],
  ["listSessions", {}, "ada"],
  ["signInEmail", { email, password }, "ada"],
  ["sendVerificationEmail", { email }],
  ["verifyEmailShow", { token: "unknown" }],
  ["verifyEmailShow", () => mailed],
  ["verifyEmail", { token: "unknown" }],
  ["verifyEmail", () => mailed],
  ["verifyEmailCode", { email: "ada@example.com", flow: "f".repeat(43), code: "000000" }],
  ["changeEmail", { new_email: "eve@example.com" }, "ada"],
  ["changeEmail", { new_email: email }, "ada"],
  ["changeEmail", { new_email: "lovelace@example.com" }, "ada"],
  ["revokeSessions", {}, "eve"],
  ["getSession", {}, "eve"],
  ["deleteUser", { password: wrong }, "ada"],
  ["deleteUser", {}, "ada"],
  ["deleteUser", { password }, "ada"],
  ["signOut", {}, "ada"],
  ["signOut"],
]

/** The refusals that the script meets. */
const met = [
  ...["400 invalid_otp", "400 invalid_request", "400 invalid_token", "400 last_account", "400 password_too_long", "400 password_too_short"],
  ...["401 invalid_credentials", "401 unauthorized", "404 account_not_found", "409 email_taken", "422 user_already_exists"],
]

describe("both shells", () => {
  const everything = authOf(modules)
  const all = makeSchema(everything)

  layer(graphqlServed({ modules }), { excludeTestServices: true })((it) => {
    for (const [name, endpoint] of operationsOf(everything)) {
      it.effect(`refuse ${name} with the same error for forged input without a session`, () =>
        Effect.gen(function* () {
          const field = fieldOf(all, name, endpoint.method)
          const input = field.args[0] === undefined ? {} : madeUp(field.args[0].type)
          const [rest, graphql] = [yield* overRest(name, endpoint, input, ""), yield* overGraphql(all)(name, endpoint, input, "")]
          assert.strictEqual(graphql.verdict, rest.verdict)
        }),
      )
    }
  })

  it.live("give the same body, code, status and session", () =>
    Effect.gen(function* () {
      const rest = yield* performed(overRest, core, script)
      const graphql = yield* performed(overGraphql(makeSchema(auth)), core, script)
      for (const [index, expected] of rest.entries()) assert.deepStrictEqual(graphql[index], expected)
      const refusals = new Set(rest.flatMap(({ verdict }) => (verdict === "ok" ? [] : [verdict])))
      assert.sameMembers([...refusals], met)
    }),
  )

  it("are compared at every endpoint of the core", () => {
    assert.sameMembers([...new Set(script.map(([name]) => name))], Object.keys(auth.endpoints))
  })
})
