import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { AccessTokens } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { browser, core, endpoints, onWire, rows, withSettings } from "../../../world.ts"
import {
  builtWith,
  call,
  codeFor,
  email,
  exchanged,
  oauth2Userinfo,
  oauth2UserinfoForm,
  requests,
  rule,
  signedUp,
  subjectOf,
  web,
} from "./provider.ts"

const tokenFor = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, scope = "openid email profile") {
  return (yield* exchanged(yield* codeFor(their, { ...requests.spa, scope }))).access_token
})

const bearer = (token: string) => `Bearer ${token}`
const code = (input: object, authorization: string | null) =>
  Effect.map(Effect.flip(call(oauth2UserinfoForm, input, authorization)), ({ _tag }) => _tag)

/** The claims as JSON. */
const userinfoOf = (token: string) => Effect.flatMap(call(oauth2Userinfo, {}, bearer(token)), (claims) => onWire(oauth2Userinfo, claims))

describe("oauth2/userinfo", () => {
  rule("returns the current claims of the token's scopes", function* () {
    const ada = yield* signedUp()
    const { id: sub } = ada.user
    const [all, none, mail, plain] = [
      yield* tokenFor(ada),
      yield* tokenFor(ada, "openid"),
      yield* tokenFor(ada, "openid email"),
      yield* tokenFor(ada, "profile"),
    ]
    assert.deepStrictEqual(yield* userinfoOf(all), { sub, email, email_verified: false, updated_at: 0 })
    yield* TestClock.adjust("1999 millis")
    yield* ada.body(endpoints.updateUser, { name: "Ada", image: "https://example.com/ada.png" })
    assert.deepStrictEqual(yield* userinfoOf(all), {
      ...{ sub, email, email_verified: false, name: "Ada", picture: "https://example.com/ada.png", updated_at: 1 },
    })
    assert.deepStrictEqual(yield* userinfoOf(none), { sub })
    assert.deepStrictEqual(yield* userinfoOf(mail), { sub, email, email_verified: false })
    assert.deepStrictEqual(yield* userinfoOf(plain), { sub, name: "Ada", picture: "https://example.com/ada.png", updated_at: 1 })
  })

  rule("returns a picture only over https, so that none is loaded in the clear or run as a script", function* () {
    const ada = yield* signedUp()
    const token = yield* tokenFor(ada, "profile")
    const store = yield* Store
    for (const image of ["http://example.com/ada.png", "javascript:alert(1)", "https://ada:secret@example.com/", "https:example.com", ""]) {
      const user = Option.getOrThrow(yield* store.read(Users, { id: ada.user.id }))
      yield* Effect.orDie(store.commit([update(Users, user, { image })]))
      assert.notProperty(yield* userinfoOf(token), "picture", image)
    }
  })

  rule(
    "returns a path as the URL on the origin of the service",
    function* () {
      const ada = yield* signedUp()
      const token = yield* tokenFor(ada, "profile")
      yield* ada.body(endpoints.updateUser, { image: "/uploads/ada.png" })
      assert.propertyVal(yield* userinfoOf(token), "picture", "https://own.example/uploads/ada.png")
    },
    { public_url: "https://own.example" },
  )

  rule("omits a synthetic address", function* () {
    const ada = yield* signedUp()
    const token = yield* tokenFor(ada, "openid email")
    const store = yield* Store
    for (const made of ["+4915112345678@phone.service", "0x00@siwe.local", "idp_two:42"]) {
      const user = Option.getOrThrow(yield* store.read(Users, { id: ada.user.id }))
      yield* Effect.orDie(store.commit([update(Users, user, { email: made })]))
      assert.deepStrictEqual(yield* userinfoOf(token), { sub: ada.user.id })
    }
  })

  rule("accepts the token in the header or in the form, but not in both", function* () {
    const ada = yield* signedUp()
    const access_token = yield* tokenFor(ada, "openid")
    const claims = { sub: ada.user.id }
    for (const scheme of ["Bearer", "bearer", "BEARER "]) {
      assert.deepStrictEqual(yield* call(oauth2UserinfoForm, {}, `${scheme} ${access_token}`), claims)
    }
    assert.deepStrictEqual(yield* call(oauth2UserinfoForm, { access_token }), claims)
    assert.strictEqual(yield* code({ access_token }, bearer(access_token)), "invalid_request")
    assert.strictEqual(yield* code({ access_token: [access_token, access_token] }, null), "invalid_request")
    assert.strictEqual((yield* Effect.flip(call(oauth2Userinfo, { access_token })))._tag, "unauthorized")
  })

  rule("refuses other credentials", function* () {
    const ada = yield* signedUp()
    const { access_token, id_token } = yield* exchanged(yield* codeFor(ada))
    for (const none of [null, "", "Bearer", "Bearer ", `Basic ${access_token}`, access_token, "Bearer a b"]) {
      assert.strictEqual(yield* code({}, none), "unauthorized", String(none))
    }
    const [session = ""] = (ada.jar.credential ?? "").split(".")
    for (const other of ["x", `${access_token}x`, access_token.slice(1), id_token, ada.jar.credential, session, yield* codeFor(ada)]) {
      assert.strictEqual(yield* code({}, bearer(String(other))), "invalid_token")
    }
  })

  rule("refuses the token of a removed client", function* () {
    const access_token = yield* tokenFor(yield* signedUp())
    for (const clients of [[], [web]]) {
      const without = builtWith({ clients })
      const refused = call(without.endpoints.oauth2Userinfo, {}, bearer(access_token), AuthOf.make([...core, without]))
      assert.strictEqual((yield* Effect.flip(refused))._tag, "invalid_token")
    }
  })
})

describe("an access token", () => {
  rule("is no browser session, and not in the user's list of sessions", function* () {
    const ada = yield* signedUp()
    const access_token = yield* tokenFor(ada)
    const other = browser()
    for (const credential of [access_token, `${access_token}.`, `${access_token}.${(ada.jar.credential ?? "").split(".")[1]}`]) {
      other.jar.credential = credential
      assert.isNull((yield* other.body(endpoints.getSession)).session)
      assert.strictEqual(yield* other.code(endpoints.listSessions), "unauthorized")
    }
    assert.lengthOf((yield* ada.body(endpoints.listSessions)).sessions, 1)
  })

  rule("ends with its own session, and with no other", function* () {
    const ada = yield* signedUp()
    const elsewhere = browser()
    yield* elsewhere.body(endpoints.signInEmail, { email, password: "correct horse battery staple" })
    const [here, there] = [yield* tokenFor(ada), yield* tokenFor(elsewhere)]
    yield* ada.body(endpoints.signOut)
    assert.strictEqual(yield* subjectOf(here), "invalid_token")
    assert.strictEqual(yield* subjectOf(there), ada.user.id)
    yield* elsewhere.body(endpoints.revokeOtherSessions)
    assert.strictEqual(yield* subjectOf(there), ada.user.id)
    yield* elsewhere.body(endpoints.signOut)
    assert.strictEqual(yield* subjectOf(there), "invalid_token")
    assert.lengthOf(yield* rows(AccessTokens), 0)
  })

  rule("ends with its session also after the sessions' lifetime was shortened", function* () {
    const ada = yield* signedUp()
    const access_token = yield* tokenFor(ada)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* withSettings({ session: { max_lifetime: 11 } })(subjectOf(access_token)), ada.user.id)
    assert.strictEqual(yield* withSettings({ session: { max_lifetime: 10 } })(subjectOf(access_token)), "invalid_token")
  })

  rule("lives for its lifetime, and no longer when the session is refreshed", function* () {
    const ada = yield* signedUp()
    const access_token = yield* tokenFor(ada)
    yield* TestClock.adjust("604799999 millis")
    assert.strictEqual(yield* subjectOf(access_token), ada.user.id)
    yield* ada.body(endpoints.getSession)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* subjectOf(access_token), "invalid_token")
    assert.isNotNull((yield* ada.body(endpoints.getSession)).session)
  })
})
