import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as AuthOf from "../../../application/service/auth.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import * as Errors from "../../../domain/errors.ts"
import { retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { signInWithPassword } from "../../../domain/sign-in/passwords.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import { User } from "../../../domain/users/user.ts"
import { counted } from "../../round-trips.ts"
import { rulesOf } from "../../rule.ts"
import { browser, core, credential, HashCount, password, signedUp, withoutPassword } from "../../world.ts"

/** Signs in by a user id, as by other names. */
const signInById = Endpoint.make({
  method: "POST",
  path: "/sign-in/by-id",
  summary: "Signs a user in by id and password.",
  access: "public",
  signsIn: "single_factor",
  input: Schema.Struct({ id: Schema.String, password: Schema.String }),
  output: Schema.Struct({ user: User }),
  errors: [Errors.InvalidCredentials, Errors.EmailNotVerified],
  handler: Effect.fnUntraced(function* signInById({ id, password }) {
    const issued = yield* retryOnConflict(signInWithPassword({ id }, password))
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})
const byId = Module.define({
  name: "by_id",
  settings: Module.NoSettings,
  parts: () => ({ endpoints: [signInById] }),
}).build({})

const modules = [...core, byId]
const rule = rulesOf(modules)
const auth = AuthOf.make(modules)
const { signInEmail } = auth.endpoints

/** The result of a sign-in, its store calls, and the number of password checks. */
const outcomeOf = Effect.fnUntraced(function* (endpoint: Endpoint.AnyEndpoint, input: unknown) {
  const count = yield* HashCount
  const before = count.verified
  const attempt = Effect.match(browser().body(endpoint, input), { onSuccess: ({ user }) => user.id, onFailure: ({ _tag }) => _tag })
  const [outcome, asked] = yield* counted(attempt)
  return { outcome, asked, checked: count.verified - before }
})

describe("signing in with a password", () => {
  rule("with a text longer than any password fails at the cost of a wrong one, whatever is stored", function* () {
    const { user } = yield* signedUp("ada@example.com")
    const store = yield* Store
    const held = yield* credential(user.id)
    const typed = "\u0301\u0323".repeat(60_000)
    yield* Effect.orDie(store.commit([update(Accounts, held, { password_hash: "hash$" })]))
    const started = performance.now()
    for (const email of [user.email, "unknown@example.com"]) {
      const { outcome, checked } = yield* outcomeOf(signInEmail!, { email, password: typed })
      assert.deepStrictEqual({ outcome, checked }, { outcome: "invalid_credentials", checked: 1 })
    }
    assert.isBelow(performance.now() - started, 4000)
  })

  rule("is one read and one commit, by address and by id", function* () {
    const { user } = yield* signedUp("ada@example.com")
    const expected = { outcome: user.id, asked: ["readWithReferencing", "commit"], checked: 1 }
    assert.deepStrictEqual(yield* outcomeOf(signInEmail!, { email: user.email, password }), expected)
    assert.deepStrictEqual(yield* outcomeOf(signInById, { id: user.id, password }), expected)
  })

  rule("is one read and one check of a password for every failure", function* () {
    const { user } = yield* signedUp("ada@example.com")
    const social = yield* signedUp("social@example.com")
    yield* withoutPassword(social.user.id)
    const expected = { outcome: "invalid_credentials", asked: ["readWithReferencing"], checked: 1 }
    assert.deepStrictEqual(yield* outcomeOf(signInById, { id: user.id, password: "another fine password" }), expected)
    for (const email of ["unknown@example.com", "social@example.com"])
      assert.deepStrictEqual(yield* outcomeOf(signInEmail!, { email, password }), expected, email)
    for (const id of ["unknown", social.user.id]) assert.deepStrictEqual(yield* outcomeOf(signInById, { id, password }), expected, id)
  })
})
