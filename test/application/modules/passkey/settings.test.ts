import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { passkey } from "../../../../application/modules/passkey/index.ts"
import { PasskeySettings } from "../../../../application/modules/passkey/settings.ts"
import { decode } from "../../../../domain/settings.ts"
import { ask, served } from "../../../adapters/http/served.ts"
import { authenticator, forgedNew } from "../../../passkeys.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, signedUp, withVerified } from "../../../world.ts"

const settings = Schema.decodeUnknownSync(PasskeySettings)
const application = `android:apk-key-hash:${"a".repeat(43)}`

describe("invalid settings", () => {
  const faults = Effect.fnUntraced(function* (told: object, public_url = "https://id.example.com") {
    return passkey.faults(settings(told), yield* decode({ public_url })).map(({ path }) => path.join("."))
  })

  it.effect("report each of these errors", () =>
    Effect.gen(function* () {
      for (const url of ["https://example.com", "https://id.example.com:8443", "http://localhost:3000", "http://app.localhost:3000"])
        assert.deepStrictEqual(yield* faults({}, url), [], url)
      for (const origins of [["https://example.com"], ["https://a.b.example.com:8443", application], ["https://id.example.com"]])
        assert.deepStrictEqual(yield* faults({ rp_id: "example.com", origins }), [], origins.join())
    }),
  )

  it.effect("report a relying party that is not a domain", () =>
    Effect.gen(function* () {
      for (const rp_id of ["", "https://example.com", "example.com:443", "example.com/", "Example.com", "192.0.2.1", "[::1]", "a b"])
        assert.deepStrictEqual(yield* faults({ rp_id }), ["rp_id"], rp_id)
      for (const url of ["http://127.0.0.1:3000", "https://[::1]"]) assert.deepStrictEqual(yield* faults({}, url), ["rp_id"], url)
    }),
  )

  it.effect("report an origin to which browsers offer none of its passkeys", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* faults({}, "http://id.example.com"), ["origins"])
      assert.deepStrictEqual(yield* faults({ rp_id: "example.org" }), ["origins"])
      const wrong = [
        "https://example.org",
        "https://notexample.com",
        "http://example.com",
        "https://example.com/",
        "https://*.example.com",
        "null",
        "android:apk-key-hash:short",
        "",
      ]
      const origins = ["https://example.com", ...wrong]
      assert.deepStrictEqual(
        yield* faults({ rp_id: "example.com", origins }),
        wrong.map((_, index) => `origins.${index + 1}`),
      )
    }),
  )
})

describe("related origins", () => {
  const related = "https://shop.example.org"
  const built = passkey.build(settings({ rp_id: "example.com", origins: ["https://example.com"], related_origins: [related] }))
  const { passkeyRegisterOptions, passkeyRegisterVerify, passkeyAuthenticateOptions, passkeyAuthenticateVerify } = built.endpoints

  it.effect("are https origins of domains", () =>
    Effect.gen(function* () {
      const faults = Effect.fnUntraced(function* (related_origins: ReadonlyArray<string>) {
        const told = settings({ related_origins })
        return passkey.faults(told, yield* decode({ public_url: "https://example.com" })).map(({ path }) => path.join("."))
      })
      assert.deepStrictEqual(yield* faults([]), [])
      assert.deepStrictEqual(yield* faults([related, "https://example.net:8443"]), [])
      const wrong = ["http://example.org", "https://example.org/", "https://192.0.2.1", "example.org", "https://*.example.org", application]
      assert.deepStrictEqual(
        yield* faults(wrong),
        wrong.map((_, index) => `related_origins.${index}`),
      )
    }),
  )

  it.layer(served({ modules: [...core, built] }))((it) => {
    it.effect("are served at the root of the host", () =>
      Effect.gen(function* () {
        const { status, json, headers } = yield* ask("GET", "/.well-known/webauthn")
        assert.deepStrictEqual([status, json], [200, { origins: [related] }])
        assert.match(String(headers["content-type"]), /^application\/json/)
      }),
    )
  })

  it.layer(served({ modules: [...core, passkey.build(settings({}))] }))((it) => {
    it.effect("are not served without the setting", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* ask("GET", "/.well-known/webauthn")).status, 404)
      }),
    )
  })

  rulesOf([...core, built])("may register and use passkeys, and no other origin may", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* withVerified(ada.user.id)
    const theirs = authenticator()
    const created = Effect.map(ada.body(passkeyRegisterOptions), (options) => theirs.create(options, "https://example.com"))
    const elsewhere = forgedNew(yield* created, { clientData: { origin: "https://example.org" } })
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response: elsewhere }), "invalid_passkey")
    yield* ada.body(passkeyRegisterVerify, { response: forgedNew(yield* created, { clientData: { origin: related } }) })
    const their = browser()
    for (const origin of [related, "https://example.com"]) {
      const answer = theirs.get(yield* their.body(passkeyAuthenticateOptions), "https://example.com")
      yield* their.body(passkeyAuthenticateVerify, { response: theirs.forged(answer, { clientData: { origin } }) })
    }
  })
})

describe("a configured relying party", () => {
  const built = passkey.build(settings({ rp_id: "example.com", rp_name: "Example", origins: ["https://app.example.com", application] }))
  const modules = [...core, built]
  const { passkeyRegisterOptions, passkeyRegisterVerify, passkeyAuthenticateOptions, passkeyAuthenticateVerify } = built.endpoints

  rulesOf(modules)("replaces the default, and only its origins are accepted", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* withVerified(ada.user.id)
    const options = yield* ada.body(passkeyRegisterOptions)
    assert.deepStrictEqual(options.rp, { id: "example.com", name: "Example" })
    const elsewhere = authenticator().create(options, "https://www.example.com")
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response: elsewhere }), "invalid_passkey")

    const theirs = authenticator()
    const response = theirs.create(yield* ada.body(passkeyRegisterOptions), "https://app.example.com")
    yield* ada.body(passkeyRegisterVerify, { response })
    const their = browser()
    const answer = theirs.get(yield* their.body(passkeyAuthenticateOptions), "https://app.example.com")
    assert.strictEqual(answer.id, response.id)
    yield* their.body(passkeyAuthenticateVerify, { response: theirs.forged(answer, { clientData: { origin: "https://app.example.com" } }) })
    const again = theirs.get(yield* their.body(passkeyAuthenticateOptions), "https://app.example.com")
    yield* their.body(passkeyAuthenticateVerify, { response: theirs.forged(again, { clientData: { origin: application } }) })
    const wrong = theirs.get(yield* their.body(passkeyAuthenticateOptions), "https://www.example.com")
    assert.strictEqual(yield* their.code(passkeyAuthenticateVerify, { response: wrong }), "invalid_passkey")
  })
})
