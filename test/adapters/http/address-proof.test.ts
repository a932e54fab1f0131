import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Store, update } from "../../../domain/ports/store.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { changedAddressColumns } from "../../../domain/users/user.ts"
import { modules } from "../../everything.ts"
import { shownBy } from "../../two-factor.ts"
import { emails, linked, mailedToken, password, rows } from "../../world.ts"
import { query } from "../graphql/request.ts"
import type { Answer } from "./served.ts"
import { get, post, refused, served } from "./served.ts"

const new_password = "another fine password"

const ok = (answer: Answer) => {
  assert.strictEqual(answer.status, 200, answer.text.slice(0, 200))
  return answer
}

/** All cookies that an answer sets, as a browser sends them back. */
const cookiesOf = ({ headers }: Answer) => (headers["set-cookie"] ?? []).map((set) => set.split(";")[0]).join("; ")

const signUp = Effect.fnUntraced(function* (email: string) {
  const answer = ok(yield* post("/sign-up/email", { email, password }))
  return { id: String(answer.json.user.id), headers: { cookie: cookiesOf(answer) } }
})

const verify = Effect.fnUntraced(function* (email: string, headers = {}) {
  ok(yield* post("/send-verification-email", { email }))
  return ok(yield* post("/verify-email", { token: yield* mailedToken }, { headers }))
})

const reset = Effect.fnUntraced(function* (email: string, more: object = {}) {
  ok(yield* post("/request-password-reset", { email }))
  return ok(yield* post("/reset-password", { token: yield* mailedToken, new_password, ...more }))
})

const providersOf = (user_id: string) =>
  Effect.map(rows(Accounts), (all) => all.flatMap((account) => (account.user_id === user_id ? [account.provider_id] : [])).toSorted())

describe("the proof of an address over HTTP", () => {
  layer(served({ modules, graphql: {} }), { excludeTestServices: true })((it) => {
    it.effect("a stolen session does not remove the second factor by a change of the address and a reset", () =>
      Effect.gen(function* () {
        const { headers } = yield* signUp("ada@example.com")
        yield* verify("ada@example.com", headers)
        const { secret } = ok(yield* post("/2fa/totp/enable", { password }, { headers })).json
        const confirmed = ok(yield* post("/2fa/totp/confirm", { code: yield* shownBy(secret) }, { headers }))
        const stolen = { headers: { cookie: cookiesOf(confirmed) } }
        ok(yield* post("/change-email", { new_email: "thief@example.com" }, stolen))
        yield* reset("thief@example.com")
        const challenged = ok(yield* post("/sign-in/email", { email: "thief@example.com", password: new_password }))
        assert.isTrue(challenged.json.two_factor_required)
        assert.isUndefined(challenged.headers["set-cookie"])
        const told = (yield* emails).filter(({ to, subject }) => to === "ada@example.com" && /was changed/.test(subject))
        assert.lengthOf(told, 2)
      }),
    )

    it.effect("a verification link followed without a session leaves no linked credential of an attacker", () =>
      Effect.gen(function* () {
        const attacker = yield* signUp("bob@example.com")
        for (const provider of ["passkey", "phone", "idp_one"]) yield* linked(attacker.id, provider)
        yield* verify("bob@example.com")
        assert.deepStrictEqual(yield* providersOf(attacker.id), ["credential"])
      }),
    )

    it.effect("a pre-registered account returns without an active organization, with one mail", () =>
      Effect.gen(function* () {
        const attacker = yield* signUp("carl@example.com")
        const { organization } = ok(yield* post("/organization/create", { name: "Acme", slug: "acme" }, { headers: attacker.headers })).json
        ok(yield* post("/organization/set-active", { organization_id: organization.id }, { headers: attacker.headers }))
        ok(yield* post("/magic-link/send", { email: "carl@example.com" }))
        const voided = yield* mailedToken
        ok(yield* post("/magic-link/send", { email: "carl@example.com" }))
        const token = yield* mailedToken
        assert.strictEqual(refused(yield* post("/magic-link/verify", { token: voided })), "400 invalid_token")
        const owner = { cookie: cookiesOf(ok(yield* post("/magic-link/verify", { token }))) }
        const active = ok(yield* get("/organization/get-active", { headers: owner })).json
        assert.deepStrictEqual(active, { active_organization_id: null, organization: null })
        const told = (yield* emails).filter(({ to, subject }) => to === "carl@example.com" && /was secured/.test(subject))
        assert.lengthOf(told, 1)
        assert.include(told[0]?.text, "organizations: acme.")

        yield* reset("carl@example.com")
        ok(yield* post("/sign-in/email", { email: "carl@example.com", password: new_password }))
      }),
    )

    it.effect("remove_other_credentials removes linked accounts, by REST and by GraphQL", () =>
      Effect.gen(function* () {
        const { id, headers } = yield* signUp("dora@example.com")
        yield* verify("dora@example.com", headers)
        yield* linked(id, "idp_one")
        yield* reset("dora@example.com")
        assert.deepStrictEqual(yield* providersOf(id), ["credential", "idp_one"])
        yield* reset("dora@example.com", { remove_other_credentials: true })
        assert.deepStrictEqual(yield* providersOf(id), ["credential"])

        yield* linked(id, "idp_two")
        ok(yield* post("/request-password-reset", { email: "dora@example.com" }))
        const input = `token: "${yield* mailedToken}", newPassword: "${new_password}", removeOtherCredentials: true`
        const answer = yield* query(`mutation { resetPassword(input: { ${input} }) { success } }`)
        assert.deepStrictEqual(answer.data, { resetPassword: { success: true } })
        assert.deepStrictEqual(yield* providersOf(id), ["credential"])
      }),
    )

    it.effect("no answer contains the last verified address", () =>
      Effect.gen(function* () {
        const root = yield* signUp("root@example.com")
        yield* verify("root@example.com", root.headers)
        const { id, headers } = yield* signUp("eve@example.com")
        const store = yield* Store
        const held = Option.getOrThrow(yield* store.read(Users, { id }))
        const changes = changedAddressColumns({ ...held.row, email_verified: true }, "eve@elsewhere.example", held.row.updated_at)
        yield* store.commit([update(Users, held, changes)])

        const answers = [
          yield* get("/get-session", { headers }),
          yield* post("/update-user", { name: "Eve" }, { headers }),
          yield* post("/sign-in/email", { email: "eve@elsewhere.example", password }),
          yield* get("/multi-session/list", { headers }),
          yield* get("/token", { headers }),
          yield* get("/admin/list-users", { headers: root.headers }),
          yield* post("/change-email", { new_email: "eve@third.example" }, { headers }),
        ]
        for (const answer of answers) {
          ok(answer)
          assert.notInclude(answer.text, "last_verified_email")
          assert.notInclude(answer.text, "eve@example.com")
        }
        const schema = yield* query(`{ __type(name: "User") { fields { name } } }`)
        const names = schema.data.__type.fields.map(({ name }: { readonly name: string }) => name)
        assert.notInclude(names, "lastVerifiedEmail")
      }),
    )
  })
})
