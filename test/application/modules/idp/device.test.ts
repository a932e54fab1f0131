import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Consents } from "../../../../application/modules/idp/authorization/consent-table.ts"
import { DeviceCodes } from "../../../../application/modules/idp/grants/device-codes.ts"
import { AccessTokens, RefreshFamilies } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, endpoints, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { administrators, answer, builtWith, call } from "./provider.ts"

const grant_type = "urn:ietf:params:oauth:grant-type:device_code"
const scopes = ["openid", "email", "offline_access"]
const tv = { client_id: "tv", client_secret: "", grant_types: [grant_type], scopes, refresh_tokens: true, client_name: "The TV" }
const careful = { ...tv, client_id: "careful", consent: true, resources: ["https://api.example.com", "https://films.example.com"] }
const box = { ...tv, client_id: "box", client_secret: "a secret of the box", refresh_tokens: false, scopes: ["openid"] }
const web = { client_id: "web", client_secret: "another secret", redirect_uris: ["https://web.example.com/"] }
const module = builtWith({ clients: [tv, careful, box, web] })
const modules = [...core, administrators, module]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { oauth2DeviceAuthorization, oauth2Device, oauth2DeviceAllow, oauth2DeviceDeny, oauth2Token, oauth2Userinfo } = module.endpoints

const signedUp = (email = "ada@example.com") => signedUpTo(email, auth)
const begun = (input: object = {}) => call(oauth2DeviceAuthorization, { client_id: "tv", ...input }, null, auth)
const poll = (device_code: string, input: object = {}) =>
  call(oauth2Token, { grant_type, client_id: "tv", device_code, ...input }, null, auth)
const refusal = (device_code: string, input: object = {}) => Effect.map(Effect.flip(poll(device_code, input)), ({ _tag }) => _tag)
const subjectOf = (access_token: string) =>
  Effect.match(call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth), { onSuccess: ({ sub }) => sub, onFailure: ({ _tag }) => _tag })

describe("a device", () => {
  rule("gets a code for its user, an address, and tokens after the user has allowed it", function* () {
    const ada = yield* signedUp()
    const { device_code, user_code, ...rest } = yield* begun({ scope: "openid email" })
    assert.match(user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.match(device_code, /^[\w-]{43}$/)
    assert.deepStrictEqual(rest, {
      verification_uri: "http://localhost:3000/device",
      verification_uri_complete: `http://localhost:3000/device?user_code=${user_code}`,
      expires_in: 600,
      interval: 5,
    })
    assert.strictEqual(yield* refusal(device_code), "authorization_pending")
    assert.deepStrictEqual(yield* ada.body(oauth2Device, { user_code }), {
      client: { client_id: "tv", client_name: "The TV", client_uri: null, logo_uri: null, policy_uri: null, tos_uri: null },
      scopes: [
        { scope: "openid", granted: false },
        { scope: "email", granted: false },
      ],
    })
    yield* ada.body(oauth2DeviceAllow, { user_code })
    const { access_token, scope, refresh_token, id_token } = yield* poll(device_code)
    assert.strictEqual(scope, "openid email")
    assert.isString(refresh_token)
    assert.isString(id_token)
    assert.strictEqual(yield* subjectOf(access_token), ada.user.id)
    assert.deepStrictEqual(yield* rows(DeviceCodes), [])
    assert.deepStrictEqual(yield* rows(Consents), [])
  })

  rule("can be typed in lower case and without the hyphen", function* () {
    const ada = yield* signedUp()
    const { user_code } = yield* begun()
    yield* ada.body(oauth2Device, { user_code: ` ${user_code.toLowerCase().replace("-", " ")}` })
    yield* ada.body(oauth2DeviceAllow, { user_code: user_code.replace("-", "") })
  })

  rule("is refused after the user has denied it, and cannot be decided twice", function* () {
    const ada = yield* signedUp()
    const { device_code, user_code } = yield* begun()
    yield* ada.body(oauth2DeviceDeny, { user_code })
    assert.strictEqual(yield* refusal(device_code), "access_denied")
    assert.strictEqual(yield* ada.code(oauth2DeviceAllow, { user_code }), "invalid_otp")
    assert.strictEqual(yield* refusal(device_code), "access_denied")
  })

  rule("has to poll more slowly after slow_down, and no more slowly than once a minute", function* () {
    const { device_code } = yield* begun()
    const after = (seconds: string) => Effect.andThen(TestClock.adjust(`${Number(seconds)} seconds`), refusal(device_code))
    assert.strictEqual(yield* refusal(device_code), "authorization_pending")
    assert.strictEqual(yield* after("4.999"), "slow_down")
    assert.strictEqual(yield* after("9.999"), "slow_down")
    assert.strictEqual(yield* after("15"), "authorization_pending")
    assert.strictEqual(yield* after("14.999"), "slow_down")
    yield* Effect.all(times(20, () => refusal(device_code)))
    assert.strictEqual(yield* after("60"), "authorization_pending")
  })

  rule("has ten minutes", function* () {
    const ada = yield* signedUp()
    const [first, second] = [yield* begun(), yield* begun()]
    yield* TestClock.adjust("599 seconds")
    yield* ada.body(oauth2DeviceAllow, { user_code: first.user_code })
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* ada.code(oauth2DeviceAllow, { user_code: second.user_code }), "invalid_otp")
    assert.strictEqual(yield* refusal(first.device_code), "expired_token")
    assert.strictEqual(yield* refusal(second.device_code), "expired_token")
  })

  rule("gets one set of tokens, however often it polls at once", function* () {
    const ada = yield* signedUp()
    const { device_code, user_code } = yield* begun()
    yield* ada.body(oauth2DeviceAllow, { user_code })
    assert.deepStrictEqual(yield* atOnce(times(20, () => poll(device_code))), { ok: 1, invalid_grant: 19 })
    assert.strictEqual((yield* rows(AccessTokens)).length, 1)
    assert.strictEqual((yield* rows(RefreshFamilies)).length, 1)
  })

  rule("gets one authorization_pending for many polls at once", function* () {
    const { device_code } = yield* begun()
    assert.deepStrictEqual(yield* atOnce(times(20, () => poll(device_code))), { authorization_pending: 1, slow_down: 19 })
  })

  rule("belongs to one of two users who decide at once", function* () {
    const [ada, eve] = [yield* signedUp(), yield* signedUp("eve@example.com")]
    const { device_code, user_code } = yield* begun()
    const tried = (their: typeof ada) =>
      Effect.match(their.body(oauth2DeviceAllow, { user_code }), { onSuccess: () => their.user.id, onFailure: () => null })
    const [winner, ...others] = (yield* Effect.all([tried(ada), tried(eve)], { concurrency: 2 })).filter((each) => each !== null)
    assert.deepStrictEqual(others, [])
    assert.strictEqual(yield* subjectOf((yield* poll(device_code)).access_token), winner)
  })

  rule("gets nothing after the session that allowed it has ended", function* () {
    const ada = yield* signedUp()
    const { device_code, user_code } = yield* begun()
    yield* ada.body(oauth2DeviceAllow, { user_code })
    yield* ada.body(endpoints.signOut, {})
    assert.strictEqual(yield* refusal(device_code), "invalid_grant")
  })

  rule("keeps refresh tokens with offline_access after the session has ended", function* () {
    const ada = yield* signedUp()
    const { device_code, user_code } = yield* begun({ scope: "openid offline_access" })
    yield* ada.body(oauth2DeviceAllow, { user_code })
    const { refresh_token } = yield* poll(device_code)
    yield* ada.body(endpoints.signOut, {})
    yield* call(oauth2Token, { grant_type: "refresh_token", client_id: "tv", refresh_token }, null, auth)
  })

  rule("of a client with consent gets a consent, and resource servers that it narrows", function* () {
    const ada = yield* signedUp()
    const resource = careful.resources
    const { device_code, user_code } = yield* begun({ client_id: "careful", resource })
    yield* ada.body(oauth2DeviceAllow, { user_code })
    assert.deepStrictEqual(
      (yield* rows(Consents)).map(({ client_id, scope }) => [client_id, scope]),
      [["careful", scopes.join(" ")]],
    )
    yield* poll(device_code, { client_id: "careful", resource: "https://api.example.com" })
    assert.deepStrictEqual(
      (yield* rows(AccessTokens)).map((token) => token.resource),
      ["https://api.example.com"],
    )
  })
})

describe("device authorization", () => {
  rule("needs a client that may use it, authenticates it, and checks the scope", function* () {
    const code = (input: object) => Effect.map(Effect.flip(begun(input)), ({ _tag }) => _tag)
    assert.strictEqual(yield* code({ client_id: "unknown" }), "invalid_client")
    assert.strictEqual(yield* code({ client_id: "box" }), "invalid_client")
    assert.strictEqual(yield* code({ client_id: "web", client_secret: web.client_secret }), "unauthorized_client")
    assert.strictEqual(yield* code({ scope: "openid profile" }), "invalid_scope")
    assert.strictEqual(yield* code({ resource: "https://api.example.com" }), "invalid_target")
    assert.strictEqual(yield* code({ scope: ["openid", "email"] }), "invalid_request")
    yield* begun({ client_id: "box", client_secret: box.client_secret })
  })

  rule("gives a code to the client that requested it only", function* () {
    const ada = yield* signedUp()
    const { device_code, user_code } = yield* begun()
    yield* ada.body(oauth2DeviceAllow, { user_code })
    assert.strictEqual(yield* refusal(device_code, { client_id: "careful" }), "invalid_grant")
    assert.strictEqual(yield* refusal("unknown"), "invalid_grant")
    assert.strictEqual(yield* refusal("", {}), "invalid_request")
    yield* poll(device_code)
  })

  const limited = { rate_limit: { enabled: true } }
  const limits = function* () {
    const ada = yield* signedUp()
    const { user_code } = yield* begun()
    yield* Effect.all(times(10, () => ada.code(oauth2Device, { user_code: "BBBB-BBBB" })))
    yield* ada.body(endpoints.signOut, {})
    yield* ada.body(endpoints.signInEmail, { email: "ada@example.com", password })
    assert.strictEqual(yield* ada.code(oauth2Device, { user_code }), "rate_limited")
    const again = yield* signedUp("eve@example.com")
    yield* Effect.all(times(20, () => again.body(oauth2Device, { user_code })))
    yield* TestClock.adjust("300 seconds")
    yield* ada.body(oauth2Device, { user_code })
  }
  rule("limits the wrong codes of a user, in all of their sessions", limits, limited)

  rule("stores neither code", function* () {
    const { device_code, user_code } = yield* begun()
    const stored = JSON.stringify(yield* rows(DeviceCodes))
    for (const secret of [device_code, user_code, user_code.replace("-", "")]) assert.notInclude(stored, secret)
  })

  const shown = { links: { device: "https://app.example.com/#/activate?lang=en&user_code={user_code}" } }
  rule(
    "names the page of the configuration",
    function* () {
      const { verification_uri, verification_uri_complete, user_code } = yield* begun()
      assert.strictEqual(verification_uri, "https://app.example.com/#/activate?lang=en")
      assert.strictEqual(verification_uri_complete, `https://app.example.com/#/activate?lang=en&user_code=${user_code}`)
      const { body } = yield* answer(oauth2DeviceAuthorization, { client_id: "tv" }, null, auth)
      assert.notStrictEqual(body.user_code, user_code)
    },
    shown,
  )
})
