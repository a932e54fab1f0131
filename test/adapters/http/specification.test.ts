import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import { modules as everything } from "../../everything.ts"
import { core, emails, mailedToken, password, texts } from "../../world.ts"
import type { Answer, Served } from "./served.ts"
import { ask, base, cookieOf, get, post, refused, served } from "./served.ts"

// The specification's endpoints over HTTP: exact members of each success, and the listed errors. Every part runs twice: with no other
// extension than those it is about, and with all extensions, the pages, GraphQL and the background work.

const only = (...names: ReadonlyArray<string>): Served => ({
  modules: everything.filter((own) => core.includes(own) || names.includes(own.name)),
})
const all: Served = { modules: everything, graphql: {}, pages: {}, background: true }

const part = (name: string, extensions: ReadonlyArray<string>, story: () => Generator<Effect.Effect<any, any, any>, void, any>) =>
  describe.each([
    [`with ${extensions.length === 0 ? "no extension" : extensions.join(", ")} alone`, only(...extensions)],
    ["with everything", all],
  ])(`${name}, %s`, (_, configuration) => {
    layer(served(configuration))((it) => {
      it.effect("answers as specified", () => Effect.gen(story) as Effect.Effect<void>)
    })
  })

/** The members of a success. */
const ok = (answer: Answer, ...members: ReadonlyArray<string>) => {
  assert.strictEqual(answer.status, 200, answer.text)
  assert.sameMembers(Object.keys(answer.json), [...members], answer.text)
  return answer.json
}
const succeeded = (answer: Answer) => assert.deepStrictEqual([answer.status, answer.json], [200, { success: true }])
const members = (value: object, ...names: ReadonlyArray<string>) => assert.sameMembers(Object.keys(value), [...names])
const isUser = (user: object) => members(user, "id", "email", "email_verified", "name", "image", "created_at", "updated_at")
const fails = (answer: Answer, error: string) => assert.strictEqual(refused(answer), error)

/** A new user, and the headers of their requests. */
const join = Effect.fnUntraced(function* (email: string) {
  const answer = yield* post("/sign-up/email", { email, password })
  isUser(ok(answer, "user").user)
  return { user: answer.json.user, headers: { cookie: cookieOf(answer) } }
})
const code = (text: string | undefined) => /\b\d{6}\b/.exec(text ?? "")?.[0]

part("every endpoint", [], function* () {
  fails(yield* get("/nowhere"), "404 not_found")
  fails(yield* get("/sign-up/email"), "404 not_found")
  for (const body of ["{", "[]", '"x"', "1"]) fails(yield* post("/sign-in/email", null, { body }), "400 invalid_json")
  fails(yield* post("/sign-out", {}, { headers: { origin: "https://elsewhere.example" } }), "403 untrusted_origin")
  fails(yield* post("/sign-out", { large: "x".repeat(1_100_000) }), "413 payload_too_large")
})

part("sign-up and sign-in", [], function* () {
  const ada = yield* join("Ada@Example.com")
  assert.deepInclude(ada.user, { email: "ada@example.com", email_verified: false, name: null, image: null })
  fails(yield* post("/sign-up/email", { email: "ada@example.com", password }), "422 user_already_exists")
  fails(yield* post("/sign-up/email", { email: "b@example.com", password: "x" }), "400 password_too_short")
  fails(yield* post("/sign-up/email", { email: "b@example.com", password: "x".repeat(129) }), "400 password_too_long")
  for (const input of [{}, { email: "b@example.com" }, { password }, { email: 1, password }])
    for (const path of ["/sign-up/email", "/sign-in/email"]) fails(yield* post(path, input), "400 invalid_request")
  for (const input of [
    { email: "ada@example.com", password: "another one" },
    { email: "nobody@example.com", password },
  ])
    fails(yield* post("/sign-in/email", input), "401 invalid_credentials")
  const answer = yield* post("/sign-in/email", { email: "ADA@example.com", password })
  assert.deepStrictEqual(ok(answer, "user").user, ada.user)
  const headers = { cookie: cookieOf(answer) }
  succeeded(yield* post("/sign-out", {}, { headers }))
  succeeded(yield* post("/sign-out", {}))
  assert.deepStrictEqual((yield* get("/get-session", { headers })).json, { session: null, user: null })
})

part("sessions", [], function* () {
  const { headers, user } = yield* join("ada@example.com")
  const { session, ...rest } = ok(yield* get("/get-session", { headers }), "session", "user")
  members(session, "id", "user_id", "expires_at", "created_at", "updated_at")
  assert.deepStrictEqual(rest.user, user)
  const other = { cookie: cookieOf(yield* post("/sign-in/email", { email: user.email, password })) }
  const { sessions } = ok(yield* get("/list-sessions", { headers }), "sessions")
  assert.lengthOf(sessions, 2)
  for (const each of sessions) members(each, "id", "expires_at", "created_at", "updated_at", "ip_address", "user_agent")
  for (const path of ["/revoke-session", "/revoke-sessions", "/revoke-other-sessions"]) fails(yield* post(path, {}), "401 unauthorized")
  fails(yield* get("/list-sessions"), "401 unauthorized")
  fails(yield* post("/revoke-session", {}, { headers }), "400 invalid_request")
  assert.deepStrictEqual((yield* post("/revoke-session", { session_id: "x" }, { headers })).json, { success: false })
  assert.deepStrictEqual((yield* post("/revoke-other-sessions", {}, { headers })).json, { revoked: 1 })
  assert.isNull((yield* get("/get-session", { headers: other })).json.session)
  assert.deepStrictEqual((yield* post("/revoke-sessions", {}, { headers })).json, { revoked: 1 })
  fails(yield* get("/list-sessions", { headers }), "401 unauthorized")
})

part("passwords", [], function* () {
  const { headers, user } = yield* join("ada@example.com")
  const change = (input: object, asked = {}) => post("/change-password", input, asked)
  const next = "another correct horse"
  fails(yield* change({}), "401 unauthorized")
  fails(yield* change({}, { headers }), "400 invalid_request")
  fails(yield* change({ current_password: "a wrong one", new_password: next }, { headers }), "401 invalid_credentials")
  fails(yield* change({ current_password: password, new_password: "x" }, { headers }), "400 password_too_short")
  fails(yield* change({ current_password: password, new_password: "x".repeat(129) }, { headers }), "400 password_too_long")
  succeeded(yield* change({ current_password: password, new_password: next }, { headers }))
  fails(yield* post("/request-password-reset", {}), "400 invalid_request")
  for (const email of [user.email, "nobody@example.com"]) succeeded(yield* post("/request-password-reset", { email }))
  const token = yield* mailedToken
  fails(yield* post("/reset-password", { token }), "400 invalid_request")
  fails(yield* post("/reset-password", { token: "x", new_password: next }), "400 invalid_token")
  fails(yield* post("/reset-password", { token, new_password: "x" }), "400 password_too_short")
  succeeded(yield* post("/reset-password", { token, new_password: "a third correct horse" }))
  fails(yield* post("/reset-password", { token, new_password: next }), "400 invalid_token")
  assert.isNull((yield* get("/get-session", { headers })).json.session)
})

part("the account", [], function* () {
  const { headers, user } = yield* join("ada@example.com")
  for (const path of ["/update-user", "/delete-user", "/change-email", "/unlink-account"]) fails(yield* post(path, {}), "401 unauthorized")
  fails(yield* get("/list-accounts"), "401 unauthorized")
  const updated = yield* post("/update-user", { name: "Ada", image: "/uploads/a.png", role: "admin" }, { headers })
  isUser(ok(updated, "user").user)
  assert.deepInclude(updated.json.user, { name: "Ada", image: "/uploads/a.png" })
  const emptied = yield* post("/update-user", { name: null, image: "" }, { headers })
  assert.deepInclude(emptied.json.user, { name: null, image: null })
  const { accounts } = ok(yield* get("/list-accounts", { headers }), "accounts")
  members(accounts[0], "id", "provider_id", "account_id", "created_at")
  assert.deepInclude(accounts[0], { provider_id: "credential" })
  fails(yield* post("/unlink-account", {}, { headers }), "400 invalid_request")
  fails(yield* post("/unlink-account", { provider_id: "credential" }, { headers }), "400 last_account")
  fails(yield* post("/unlink-account", { provider_id: "x" }, { headers }), "404 account_not_found")
  fails(yield* post("/send-verification-email", {}), "400 invalid_request")
  for (const email of ["nobody@example.com", user.email]) succeeded(yield* post("/send-verification-email", { email }))
  fails(yield* post("/verify-email", {}), "400 invalid_request")
  fails(yield* post("/verify-email", { token: "x" }), "400 invalid_token")
  succeeded(yield* post("/verify-email", { token: yield* mailedToken }, { headers }))
  fails(yield* post("/change-email", {}, { headers }), "400 invalid_request")
  yield* join("bob@example.com")
  fails(yield* post("/change-email", { new_email: "bob@example.com" }, { headers }), "409 email_taken")
  succeeded(yield* post("/change-email", { new_email: user.email }, { headers }))
  const moved = yield* post("/change-email", { new_email: "Ada2@example.com" }, { headers })
  assert.strictEqual(ok(moved, "user").user.email, "ada2@example.com")
  fails(yield* post("/delete-user", { password: 1 }, { headers }), "400 invalid_request")
  fails(yield* post("/delete-user", { password: "a wrong one" }, { headers }), "401 invalid_credentials")
  succeeded(yield* post("/delete-user", { password }, { headers }))
  assert.isNull((yield* get("/get-session", { headers })).json.user)
})

part("administration", ["admin"], function* () {
  const root = yield* join("root@example.com")
  const ada = yield* join("ada@example.com")
  const { headers } = root
  const user_id = ada.user.id
  const paths = ["set-role", "ban-user", "unban-user", "create-user", "remove-user", "revoke-user-sessions"].map((name) => `/admin/${name}`)
  for (const path of paths) {
    fails(yield* post(path, {}), "401 unauthorized")
    fails(yield* post(path, {}, { headers: ada.headers }), "403 forbidden")
    fails(yield* post(path, {}, { headers }), "400 invalid_request")
    if (path !== "/admin/create-user") fails(yield* post(path, { user_id: "x", role: "editor" }, { headers }), "404 user_not_found")
  }
  fails(yield* get("/admin/list-users"), "401 unauthorized")
  fails(yield* get("/admin/list-users", { headers: ada.headers }), "403 forbidden")
  succeeded(yield* post("/admin/set-role", { user_id, role: "editor" }, { headers }))
  fails(yield* get("/admin/list-users", { headers: ada.headers }), "403 forbidden")
  const { users } = ok(yield* get("/admin/list-users", { headers }), "users")
  for (const { role, banned, ...user } of users) {
    isUser(user)
    assert.isString(role)
    assert.isFalse(banned)
  }
  assert.strictEqual(users.find(({ id }: { id: string }) => id === user_id).role, "editor")
  succeeded(yield* post("/admin/ban-user", { user_id, reason: "spam", expires_in: 60 }, { headers }))
  fails(yield* post("/sign-in/email", { email: ada.user.email, password }), "403 banned")
  succeeded(yield* post("/admin/unban-user", { user_id }, { headers }))
  ok(yield* post("/sign-in/email", { email: ada.user.email, password }), "user")
  assert.deepStrictEqual((yield* post("/admin/revoke-user-sessions", { user_id }, { headers })).json, { revoked: 1 })
  const created = yield* post("/admin/create-user", { email: "New@example.com", password, role: "editor" }, { headers })
  assert.deepInclude(ok(created, "user").user, { email: "new@example.com", role: "editor", banned: false })
  fails(yield* post("/admin/create-user", { email: "new@example.com", password }, { headers }), "422 user_already_exists")
  succeeded(yield* post("/admin/remove-user", { user_id }, { headers }))
})

part("user names", ["username"], function* () {
  const [ada, bob] = [yield* join("ada@example.com"), yield* join("bob@example.com")]
  const set = (input: object, asked = {}) => post("/username/set", input, asked)
  fails(yield* set({}), "401 unauthorized")
  fails(yield* set({}, ada), "400 invalid_request")
  fails(yield* set({ username: "a b" }, ada), "400 invalid_username")
  assert.deepStrictEqual((yield* set({ username: "Ada_1" }, ada)).json, { username: "Ada_1" })
  fails(yield* set({ username: "ADA_1" }, bob), "409 username_taken")
  fails(yield* get("/username/available"), "400 invalid_request")
  assert.deepStrictEqual((yield* get("/username/available?username=ada_1")).json, { available: false })
  assert.deepStrictEqual((yield* get("/username/available?username=free")).json, { available: true })
  fails(yield* post("/sign-in/username", {}), "400 invalid_request")
  fails(yield* post("/sign-in/username", { username: "free", password }), "401 invalid_credentials")
  assert.strictEqual(ok(yield* post("/sign-in/username", { username: "ADA_1", password }), "user").user.id, ada.user.id)
})

part("codes and links", ["phone", "email_otp", "magic_link"], function* () {
  for (const path of [
    "/phone/send-otp",
    "/email-otp/send",
    "/magic-link/send",
    "/sign-in/phone",
    "/sign-in/email-otp",
    "/magic-link/verify",
  ])
    fails(yield* post(path, {}), "400 invalid_request")
  const phone = "+15550100"
  succeeded(yield* post("/phone/send-otp", { phone }))
  fails(yield* post("/sign-in/phone", { phone, otp: "x" }), "400 invalid_otp")
  const byPhone = ok(yield* post("/sign-in/phone", { phone, otp: code((yield* texts).at(-1)?.text) }), "user").user
  assert.strictEqual(byPhone.email, "+15550100@phone.service")
  fails(yield* post("/phone/verify", {}), "401 unauthorized")
  const { headers } = yield* join("eve@example.com")
  fails(yield* post("/phone/verify", {}, { headers }), "400 invalid_request")
  fails(yield* post("/phone/verify", { phone, otp: "x" }, { headers }), "400 invalid_otp")
  yield* post("/phone/send-otp", { phone })
  fails(yield* post("/phone/verify", { phone, otp: code((yield* texts).at(-1)?.text) }, { headers }), "409 phone_taken")
  succeeded(yield* post("/email-otp/send", { email: "Ada@example.com" }))
  fails(yield* post("/sign-in/email-otp", { email: "ada@example.com", otp: "x" }), "400 invalid_otp")
  const otp = code((yield* emails).at(-1)?.text)
  const { user } = ok(yield* post("/sign-in/email-otp", { email: "ada@example.com", otp }), "user")
  assert.deepInclude(user, { email: "ada@example.com", email_verified: true, name: null })
  fails(yield* post("/sign-in/email-otp", { email: "ada@example.com", otp }), "400 invalid_otp")
  succeeded(yield* post("/magic-link/send", { email: "ada@example.com" }))
  fails(yield* post("/magic-link/verify", { token: "x" }), "400 invalid_token")
  const token = yield* mailedToken
  assert.strictEqual(ok(yield* post("/magic-link/verify", { token }), "user").user.id, user.id)
  fails(yield* post("/magic-link/verify", { token }), "400 invalid_token")
})

part("tokens and browsers", ["jwt", "one_time_token", "multi_session", "siwe"], function* () {
  const { headers, user } = yield* join("ada@example.com")
  fails(yield* get("/token"), "401 unauthorized")
  const { token } = ok(yield* get("/token", { headers }), "token", "expires_in")
  const verified = ok(yield* post("/token/verify", { token }), "valid", "user_id", "claims")
  assert.deepInclude(verified, { valid: true, user_id: user.id })
  members(verified.claims, "sub", "email", "email_verified", "iss", "aud", "iat", "exp")
  for (const input of [{}, { token: "x" }]) fails(yield* post("/token/verify", input), "401 invalid_token")
  fails(yield* post("/one-time-token/generate", {}), "401 unauthorized")
  const handOff = ok(yield* post("/one-time-token/generate", {}, { headers }), "token", "expires_in")
  for (const input of [{}, { token: "x" }]) fails(yield* post("/one-time-token/verify", input), "401 invalid_token")
  assert.deepStrictEqual(ok(yield* post("/one-time-token/verify", { token: handOff.token }), "user").user, user)
  fails(yield* post("/one-time-token/verify", { token: handOff.token }), "401 invalid_token")
  assert.deepStrictEqual((yield* get("/multi-session/list")).json, { sessions: [] })
  for (const path of ["/multi-session/set-active", "/multi-session/revoke"])
    fails(yield* post(path, { session_id: "x" }), "404 session_not_found")
  ok(yield* get("/siwe/nonce"), "nonce", "chain_id")
  fails(yield* post("/siwe/verify", { message: "x", signature: "0x00" }), "401 invalid_message")
})

part("organizations", ["organization"], function* () {
  const [ada, bob] = [yield* join("ada@example.com"), yield* join("bob@example.com")]
  const as = (who: typeof ada) => (name: string, input: object) => post(`/organization/${name}`, input, who)
  const [owner, guest] = [as(ada), as(bob)]
  fails(yield* post("/organization/create", {}), "401 unauthorized")
  fails(yield* owner("create", {}), "400 invalid_request")
  const { organization } = ok(yield* owner("create", { name: "Acme", slug: "ACME" }), "organization")
  members(organization, "id", "name", "slug", "created_at")
  fails(yield* owner("create", { name: "Acme", slug: "acme" }), "409 slug_taken")
  const organization_id = organization.id
  const at = { organization_id }
  const list = ok(yield* get("/organization/list", ada), "organizations")
  members(list.organizations[0], "id", "name", "slug", "created_at", "role")
  for (const name of ["list-members", "list-teams", "list-invitations", "get-full"])
    fails(yield* get(`/organization/${name}?organization_id=${organization_id}`, bob), "403 forbidden")
  ok(yield* get(`/organization/get-full?organization_id=${organization_id}`, ada), "organization", "members", "invitations", "teams")
  assert.deepStrictEqual((yield* get("/organization/get-active", bob)).json, { active_organization_id: null, organization: null })
  fails(yield* get("/organization/get-full", bob), "400 invalid_request")
  assert.deepStrictEqual((yield* owner("set-active", at)).json, { active_organization_id: organization_id })
  fails(yield* owner("invite", { ...at, email: bob.user.email, role: "king" }), "400 invalid_role")
  const { invitation } = ok(yield* owner("invite", { ...at, email: "BOB@example.com" }), "invitation")
  members(invitation, "id", "organization_id", "email", "role", "status", "inviter_id", "expires_at", "created_at")
  assert.deepInclude(invitation, { email: "bob@example.com", role: "member", status: "pending" })
  fails(yield* owner("accept-invitation", { invitation_id: invitation.id }), "403 forbidden")
  fails(yield* guest("accept-invitation", { invitation_id: "x" }), "400 invalid_invitation")
  const { member } = ok(yield* guest("accept-invitation", { invitation_id: invitation.id }), "member")
  members(member, "id", "organization_id", "user_id", "role", "created_at")
  members(
    ok(yield* get(`/organization/list-members?organization_id=${organization_id}`, ada), "members").members[0],
    "user_id",
    "role",
    "email",
  )
  fails(yield* guest("update", { ...at, name: "Mine" }), "403 forbidden")
  fails(yield* owner("leave", at), "400 sole_owner")
  fails(yield* post("/delete-user", { password }, ada), "400 sole_owner")
  fails(yield* owner("update-role", { ...at, user_id: "x", role: "admin" }), "404 not_a_member")
  const { team } = ok(yield* owner("create-team", { ...at, name: "one" }), "team")
  members(team, "id", "organization_id", "name", "created_at")
  fails(yield* owner("add-team-member", { team_id: "x", user_id: bob.user.id }), "404 team_not_found")
  fails(yield* owner("add-team-member", { team_id: team.id, user_id: "x" }), "400 not_a_member")
  for (const _ of [1, 2]) succeeded(yield* owner("add-team-member", { team_id: team.id, user_id: bob.user.id }))
  assert.deepStrictEqual((yield* get(`/organization/list-team-members?team_id=${team.id}`, ada)).json, {
    members: [{ user_id: bob.user.id }],
  })
  const permissions = { team: ["create"] }
  assert.deepStrictEqual((yield* owner("has-permission", { ...at, permissions })).json, { allowed: true })
  assert.deepStrictEqual((yield* guest("has-permission", { ...at, permissions })).json, { allowed: false })
  fails(yield* owner("has-permission", { ...at, permissions: 1 }), "400 invalid_request")
  succeeded(yield* guest("leave", at))
  fails(yield* guest("leave", at), "404 not_a_member")
  succeeded(yield* owner("delete", at))
})

part("providers", ["social", "idp"], function* () {
  const { headers } = yield* join("ada@example.com")
  for (const input of [{}, { provider: 1 }, { provider: "x" }]) fails(yield* post("/sign-in/social", input), "400 unknown_provider")
  const { url } = ok(yield* post("/sign-in/social", { provider: "idp_one" }), "url")
  const parameters = ["client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method"]
  assert.includeMembers([...new URL(url).searchParams.keys()], parameters)
  fails(yield* post("/link-social", { provider: "idp_one" }), "401 unauthorized")
  fails(yield* post("/link-social", { provider: "x" }, { headers }), "400 unknown_provider")
  ok(yield* post("/link-social", { provider: "idp_one" }, { headers }), "url")
  fails(yield* get("/oauth/callback"), "400 invalid_request")
  fails(yield* get("/oauth/callback?code=x&state=x"), "400 invalid_state")
  const { keys } = ok(yield* get("/oauth2/jwks"), "keys")
  assert.deepInclude(keys[0], { kty: "OKP", crv: "Ed25519", alg: "EdDSA" })
  assert.strictEqual((yield* get("/.well-known/openid-configuration")).status, 200)
  assert.strictEqual((yield* get("/oauth2/userinfo")).status, 401)
})

describe("an extension that is off", () => {
  layer(served())((it) => {
    it.effect("has no endpoint", () =>
      Effect.gen(function* () {
        const { headers } = yield* join("ada@example.com")
        const extensions = everything.filter((own) => !core.includes(own))
        const endpoints = extensions.flatMap((own) => Object.values<AnyEndpoint>(own.endpoints))
        assert.isAbove(endpoints.length, 80)
        for (const { method, path } of endpoints) fails(yield* ask(method, `${base}${path}`, { headers }), "404 not_found")
      }),
    )
  })
})
