import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { decodeJwt } from "jose"
import { Profiles } from "../../../../application/modules/idp/claims/profile-table.ts"
import { phone } from "../../../../application/modules/phone/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Module from "../../../../application/service/module.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { Accounts } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, endpoints, linked, onWire, password, rows, signedUp as signedUpTo } from "../../../world.ts"
import { builtWith, call, email, presented, requests, spa } from "./provider.ts"

const scopes = ["openid", "profile", "email", "address", "phone"]
const offered = {
  ...{ "https://example.com/plan": "gold", iss: "https://evil.example.com", sub: "root", amr: ["mfa"], email_verified: true, nonce: "x" },
  ...{ given_name: "Eve", acr: "3" },
}
/** A module with claims of its own, for one scope. */
const plans = Module.define({
  name: "plans",
  settings: Module.NoSettings,
  parts: () => ({ userClaims: ({ scopes }) => Effect.succeed(scopes.includes("profile") ? offered : {}) }),
}).build({})
const module = builtWith({
  clients: [
    { ...spa, scopes, refresh_tokens: true },
    { ...spa, client_id: "narrow", scopes: ["openid", "email"] },
    { ...spa, client_id: "strict", scopes, consent: true },
  ],
})
const phones = phone.build(Schema.decodeUnknownSync(phone.settings)({}))
const auth = AuthOf.make([...core, phones, module])
const rule = rulesOf([...core, phones, module])
const { oauth2Authorize, oauth2Token, oauth2Userinfo, oauth2Profile, oauth2ProfileUpdate } = module.endpoints

const signedUp = (address = email) => signedUpTo(address, auth)
type Browser = ReturnType<typeof browser>

/** What the client gets in the redirect. */
const sent = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, { ...requests.spa, ...input })
  return Object.fromEntries(new URL(redirect).searchParams) as Record<string, string>
})
const tokensFor = Effect.fnUntraced(function* (
  their: Browser,
  input: { readonly client_id?: string; readonly scope?: string },
  service = auth,
) {
  const { code = assert.fail("no code") } = yield* sent(their, input)
  return yield* call(oauth2Token, { ...presented.spa(code), client_id: input.client_id ?? "spa" }, null, service)
})
const userinfoOf = (token: string, service = auth) =>
  Effect.flatMap(call(oauth2Userinfo, {}, `Bearer ${token}`, service), (claims) => onWire(oauth2Userinfo, claims))
/** The claims of an ID token about the user. */
const aboutUser = (token = "") => {
  const protocol = ["iss", "aud", "iat", "exp", "auth_time", "at_hash", "sid", "acr", "amr", "sub", "updated_at"]
  return Object.fromEntries(Object.entries(decodeJwt(token)).filter(([name]) => !protocol.includes(name)))
}

const filled = {
  given_name: "Ada",
  family_name: "Lovelace",
  middle_name: "King",
  nickname: "Countess",
  preferred_username: "ada",
  profile: "https://example.com/ada",
  website: "https://ada.example.com",
  gender: "female",
  birthdate: "1815-12-10",
  zoneinfo: "Europe/London",
  address: { formatted: "12 St James's Square\nLondon", locality: "London", country: "GB" },
}
const { address, ...ofProfile } = filled

describe("standard claims", () => {
  rule("are those of the token's scopes, without those that have no value", function* () {
    const ada = yield* signedUp()
    const all = yield* tokensFor(ada, { scope: scopes.join(" ") })
    const sub = ada.user.id
    assert.deepStrictEqual(yield* userinfoOf(all.access_token), { sub, email, email_verified: false, updated_at: 0 })

    yield* ada.body(oauth2ProfileUpdate, filled)
    yield* ada.body(endpoints.updateUser, { name: "Ada Lovelace", locale: "en" })
    yield* linked(sub, "phone")
    const store = yield* Store
    const account = Option.getOrThrow(yield* store.read(Accounts, { provider_id: "phone", account_id: sub }))
    yield* Effect.orDie(store.commit([update(Accounts, account, { account_id: "+4915112345678" })]))

    const profile = { ...ofProfile, name: "Ada Lovelace", locale: "en", updated_at: 0 }
    const phone = { phone_number: "+4915112345678", phone_number_verified: true }
    assert.deepStrictEqual(yield* userinfoOf(all.access_token), { sub, email, email_verified: false, address, ...profile, ...phone })
    for (const [scope, claims] of [
      ["openid", {}],
      ["openid profile", profile],
      ["openid address", { address }],
      ["openid phone", phone],
    ] as const) {
      assert.deepStrictEqual(yield* userinfoOf((yield* tokensFor(ada, { scope })).access_token), { sub, ...claims }, scope)
    }
  })

  rule("are in ID tokens only where they were before: the others are read from userinfo", function* () {
    const ada = yield* signedUp()
    yield* ada.body(oauth2ProfileUpdate, filled)
    yield* ada.body(endpoints.updateUser, { name: "Ada" })
    const { id_token } = yield* tokensFor(ada, { scope: scopes.join(" ") })
    assert.deepStrictEqual(aboutUser(id_token), { name: "Ada", email, email_verified: false })
  })
})

describe("oauth2/profile", () => {
  rule("has what the user has filled in; null removes a claim, and what is absent stays", function* () {
    const ada = yield* signedUp()
    assert.deepStrictEqual((yield* ada.body(oauth2Profile)).profile, {})
    assert.deepStrictEqual((yield* ada.body(oauth2ProfileUpdate, filled)).profile, filled)
    const { profile } = yield* ada.body(oauth2ProfileUpdate, { nickname: null, gender: null, website: "https://other.example.com" })
    const { nickname: _, gender: __, ...others } = filled
    assert.deepStrictEqual(profile, { ...others, website: "https://other.example.com" })
    assert.deepStrictEqual((yield* ada.body(oauth2Profile)).profile, profile)
    const bob = yield* signedUp("bob@example.com")
    assert.deepStrictEqual((yield* bob.body(oauth2Profile)).profile, {})
    assert.strictEqual(yield* browser(auth).code(oauth2Profile), "unauthorized")
    yield* ada.body(endpoints.deleteUser, { password })
    assert.deepStrictEqual(yield* rows(Profiles), [])
  })

  rule("takes valid values only", function* () {
    const ada = yield* signedUp()
    for (const input of [
      { birthdate: "1815" },
      { birthdate: "0000-02-29" },
      { birthdate: "2000-02-29" },
      { zoneinfo: "Etc/GMT+3" },
      { nickname: "x".repeat(256) },
    ])
      yield* ada.body(oauth2ProfileUpdate, input)
    for (const input of [
      { birthdate: "1815-13-10" },
      { birthdate: "1900-02-29" },
      { birthdate: "10.12.1815" },
      { zoneinfo: "Atlantis/Capital" },
      { zoneinfo: "+01:00" },
      { website: "javascript:alert(1)" },
      { nickname: "" },
      { nickname: "x".repeat(257) },
      { nickname: "a\0b" },
      { address: "London" },
      { address: { country: "x".repeat(257) } },
    ])
      assert.strictEqual(yield* ada.code(oauth2ProfileUpdate, input), "invalid_request", JSON.stringify(input))
  })

  rule("keeps all of several changes at once", function* () {
    const ada = yield* signedUp()
    const names = ["given_name", "family_name", "middle_name", "nickname", "preferred_username"]
    const changes = names.map((name) => ada.body(oauth2ProfileUpdate, { [name]: "x" }))
    assert.deepStrictEqual(yield* atOnce(changes), { ok: names.length })
    assert.deepStrictEqual((yield* ada.body(oauth2Profile)).profile, Object.fromEntries(names.map((name) => [name, "x"])))
  })
})

describe("the parameter claims", () => {
  const claims = (value: unknown) => ({ scope: "openid", claims: typeof value === "string" ? value : JSON.stringify(value) })

  rule("adds single claims to the ID token or to userinfo, also after a refresh", function* () {
    const ada = yield* signedUp()
    yield* ada.body(oauth2ProfileUpdate, filled)
    const requested = {
      id_token: { nickname: null, auth_time: { essential: true } },
      userinfo: { zoneinfo: { essential: true }, email: null },
    }
    const { access_token, id_token, refresh_token } = yield* tokensFor(ada, claims(requested))
    const [inToken, inUserinfo] = [{ nickname: "Countess" }, { sub: ada.user.id, zoneinfo: "Europe/London", email }]
    assert.deepStrictEqual(aboutUser(id_token), inToken)
    assert.strictEqual(decodeJwt(id_token ?? "")["auth_time"], 0)
    assert.deepStrictEqual(yield* userinfoOf(access_token), inUserinfo)
    const again = yield* call(oauth2Token, { grant_type: "refresh_token", refresh_token, client_id: "spa" }, null, auth)
    assert.deepStrictEqual(aboutUser(again.id_token), inToken)
    assert.deepStrictEqual(yield* userinfoOf(again.access_token), inUserinfo)
  })

  rule("gives no claim of a scope that the client may not request, and ignores unknown ones", function* () {
    const ada = yield* signedUp()
    yield* ada.body(oauth2ProfileUpdate, filled)
    const requested = { id_token: { nickname: null, email: null, unheard_of: null, role: { value: "admin" } } }
    const { id_token } = yield* tokensFor(ada, { client_id: "narrow", ...claims(requested) })
    assert.deepStrictEqual(aboutUser(id_token), { email })
  })

  rule("needs the consent of the user for the scope of each claim", function* () {
    const ada = yield* signedUp()
    const { error } = yield* sent(ada, { client_id: "strict", ...claims({ userinfo: { email: null } }) })
    assert.strictEqual(error, "consent_required")
  })

  rule("names the user whom the client expects", function* () {
    const ada = yield* signedUp()
    const bob = yield* signedUp("bob@example.com")
    const expected = claims({ id_token: { sub: { value: ada.user.id } } })
    assert.isString((yield* sent(ada, expected))["code"])
    assert.strictEqual((yield* sent(bob, expected))["error"], "login_required")
  })

  rule("is refused in another form", function* () {
    const ada = yield* signedUp()
    for (const wrong of [
      "x",
      "[]",
      '{"id_token":1}',
      '{"id_token":{"email":true}}',
      '{"userinfo":{"email":{"essential":"yes"}}}',
      '{"a":1,"a":2}',
    ])
      assert.strictEqual((yield* sent(ada, claims(wrong)))["error"], "invalid_request", wrong)
    const long = (length: number) => claims(`{}${" ".repeat(length - 2)}`)
    assert.isString((yield* sent(ada, long(8192)))["code"])
    assert.strictEqual((yield* sent(ada, long(8193)))["error"], "invalid_request")
  })
})

describe("claims of a module", () => {
  rulesOf([...core, plans, module])("are added by scope, and replace no claim of the standards", function* () {
    const service = AuthOf.make([...core, plans, module])
    const ada = yield* signedUpTo(email, service)
    const { access_token, id_token } = yield* tokensFor(ada, { scope: "openid profile" }, service)
    const own = { "https://example.com/plan": "gold" }
    assert.deepStrictEqual(aboutUser(id_token), own)
    const { iss, sub, acr, amr } = decodeJwt(id_token ?? "")
    assert.deepStrictEqual({ iss, sub, acr, amr }, { iss: "http://localhost:3000/api/auth", sub: ada.user.id, acr: "1", amr: ["pwd"] })
    assert.deepStrictEqual(yield* userinfoOf(access_token, service), { sub: ada.user.id, updated_at: 0, ...own })
    const plain = yield* tokensFor(ada, { scope: "openid" }, service)
    assert.deepStrictEqual(yield* userinfoOf(plain.access_token, service), { sub: ada.user.id })
  })
})
