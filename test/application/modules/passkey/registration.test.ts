import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { PasskeyChallenges } from "../../../../application/modules/passkey/challenges.ts"
import { Passkeys } from "../../../../application/modules/passkey/table.ts"
import { Accounts } from "../../../../domain/users/tables.ts"
import type { Changes } from "../../../passkeys.ts"
import { authenticator, flags, flipping, forgedNew, forParty, origin, withIdOf, withKeyOf } from "../../../passkeys.ts"
import { verified } from "../../../two-factor.ts"
import * as World from "../../../world.ts"
import { added, browser, email, endpoints, rule, signedUp as signedUpUnverified, withPasskey } from "./passkeys.ts"

const { passkeyList, passkeyRegisterOptions, passkeyRegisterVerify } = endpoints
const { atOnce, emails, onWire, rows, times } = World

/** A user with a verified address, which passkeys need. */
const signedUp = (address?: string) => Effect.tap(signedUpUnverified(address), verified)

describe("register/options", () => {
  rule("requests a discoverable passkey with user verification, without attestation", function* () {
    const ada = yield* signedUp()
    const { challenge, user, ...options } = yield* onWire(passkeyRegisterOptions, yield* ada.body(passkeyRegisterOptions))
    assert.match(challenge, /^[\w-]{43}$/)
    assert.deepStrictEqual(user, { id: Buffer.from(ada.user.id).toString("base64url"), name: email, displayName: email })
    assert.deepStrictEqual(options, {
      rp: { id: "localhost", name: "Sallyport" },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
    })
  })

  rule("excludes the user's own authenticators, and no others", function* () {
    const ada = yield* withPasskey()
    yield* verified(ada)
    const { excludeCredentials } = yield* ada.body(passkeyRegisterOptions)
    assert.deepStrictEqual(excludeCredentials, [{ type: "public-key", id: ada.registered.id, transports: ["usb"] }])
    const bob = yield* signedUp("bob@example.com")
    assert.deepStrictEqual((yield* bob.body(passkeyRegisterOptions)).excludeCredentials, [])
  })

  rule("requires a proof of the user younger than step_up_age, so that a stolen session adds no passkey", function* () {
    assert.strictEqual(yield* browser().code(passkeyRegisterOptions), "unauthorized")
    const ada = yield* signedUp()
    yield* TestClock.adjust("599 seconds")
    const response = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* ada.code(passkeyRegisterOptions), "session_not_fresh")
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response }), "session_not_fresh")
    assert.lengthOf(yield* rows(Passkeys), 0)
  })

  rule("requires a verified address, so that an attacker cannot add a passkey to an account with another person's address", function* () {
    const ada = yield* signedUpUnverified()
    assert.strictEqual(yield* ada.code(passkeyRegisterOptions), "email_not_verified")
    yield* World.withVerified(ada.user.id)
    const response = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    yield* World.withVerified(ada.user.id, false)
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response }), "email_not_verified")
    assert.lengthOf(yield* rows(Passkeys), 0)
  })
})

describe("register/verify", () => {
  rule("adds the passkey to the user's accounts, and notifies them", function* () {
    const ada = yield* signedUp()
    yield* TestClock.adjust("1 minute")
    const response = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    const reply = yield* ada.call(passkeyRegisterVerify, { response, name: "Laptop" })
    assert.strictEqual(reply.session, "keep")
    const { passkey } = yield* onWire(passkeyRegisterVerify, reply.body)
    const { id, ...shown } = passkey
    assert.isString(id)
    assert.deepStrictEqual(shown, {
      name: "Laptop",
      created_at: "1970-01-01T00:01:00.000Z",
      last_used_at: null,
      backed_up: true,
      transports: ["usb"],
      authenticator: null,
    })
    const { accounts } = yield* ada.body(World.endpoints.listAccounts)
    assert.deepStrictEqual(
      accounts.map(({ provider_id, account_id }) => [provider_id, account_id]),
      [
        ["credential", ada.user.id],
        ["passkey", response.id],
      ],
    )
    const [notice, ...more] = yield* emails
    assert.deepStrictEqual([notice?.to, notice?.subject], [email, "A passkey was added to your Sallyport account"])
    assert.notInclude(`${notice?.text}${notice?.html}`, "Laptop")
    assert.lengthOf(more, 0)
  })

  rule("names the password manager of a passkey, if it is known", function* () {
    const ada = yield* signedUp()
    const known = { aaguid: Buffer.from("bada5566a7aa401fbd9645619a55120d", "hex") }
    yield* added(ada, authenticator(known))
    yield* added(ada, authenticator({ aaguid: Buffer.alloc(16) }))
    const { passkeys } = yield* onWire(passkeyList, yield* ada.body(passkeyList))
    assert.deepStrictEqual(
      passkeys.map(({ authenticator }: { readonly authenticator: string | null }) => authenticator),
      ["1Password", null],
    )
    assert.notProperty(passkeys[0], "aaguid")
    assert.deepStrictEqual(
      (yield* rows(Passkeys)).map(({ aaguid }) => aaguid),
      ["bada5566-a7aa-401f-bd96-45619a55120d", null],
    )
  })

  for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
    rule(`accepts keys for ${algorithm}`, function* () {
      yield* added(yield* signedUp(), authenticator({ algorithmIdentifiers: [algorithm] }))
      assert.lengthOf(yield* rows(Passkeys), 1)
    })
  }

  rule("accepts a name of 1 to 100 characters, or none", function* () {
    const ada = yield* signedUp()
    assert.isNull((yield* added(ada, authenticator())).name)
    for (const name of ["x", "x".repeat(100), "  名前 👩‍👩‍👧 <b>"])
      assert.strictEqual((yield* added(ada, authenticator(), name)).name, name)
    for (const name of ["", "x".repeat(101), "\0", "\ud800", null, 7, {}]) {
      const response = authenticator().create(yield* ada.body(passkeyRegisterOptions))
      assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response, name }), "invalid_request", JSON.stringify(name))
    }
    assert.lengthOf(yield* rows(Passkeys), 4)
  })

  rule("stores only known transports", function* () {
    const ada = yield* signedUp()
    const response = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    const transports = ["usb", "nfc", "usb", "teleport", "\0", "x".repeat(10_000)]
    const { passkey } = yield* ada.body(passkeyRegisterVerify, {
      response: { ...response, response: { ...response.response, transports } },
    })
    assert.deepStrictEqual(passkey.transports, ["nfc", "usb"])
  })

  rule("refuses malformed responses as invalid_request", function* () {
    const ada = yield* signedUp()
    const good = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    const { clientDataJSON, ...lacking } = good.response
    for (const response of [
      undefined,
      null,
      "x",
      [],
      {},
      { ...good, id: undefined },
      { ...good, rawId: 7 },
      { ...good, type: null },
      { ...good, id: "ä" },
      { ...good, response: null },
      { ...good, response: lacking },
      { ...good, response: { ...good.response, attestationObject: "not base64url!" } },
      { ...good, response: { ...good.response, clientDataJSON: `${clientDataJSON}=` } },
      { ...good, response: { ...good.response, transports: "usb" } },
    ])
      assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response }), "invalid_request", JSON.stringify(response))
    yield* ada.body(passkeyRegisterVerify, { response: good })
  })

  const tamperings: Readonly<Record<string, Changes>> = {
    "an unknown challenge": { clientData: { challenge: Buffer.alloc(32, 7).toString("base64url") } },
    "a challenge that is no text": { clientData: { challenge: 7 } },
    "another origin": { clientData: { origin: "https://localhost:3000" } },
    "another port": { clientData: { origin: "http://localhost:3001" } },
    "a sign-in": { clientData: { type: "webauthn.get" } },
    "a page within another one": { clientData: { crossOrigin: true } },
    "a page that says so otherwise": { clientData: { crossOrigin: "true" } },
    "a page below another one": { clientData: { topOrigin: "https://evil.example" } },
    "another relying party": { data: forParty("evil.example") },
    "no user present": { data: flipping(flags.userPresent) },
    "an unverified user": { data: flipping(flags.userVerified) },
    "a backup of what cannot have one": { data: flipping(flags.backupEligible) },
    "no passkey": { data: flipping(64) },
  }
  for (const [what, changes] of Object.entries(tamperings)) {
    rule(`refuses ${what}`, function* () {
      const ada = yield* signedUp()
      const response = forgedNew(authenticator().create(yield* ada.body(passkeyRegisterOptions)), changes)
      const refusal = yield* Effect.flip(ada.call(passkeyRegisterVerify, { response }))
      assert.strictEqual(refusal._tag, "invalid_passkey")
      assert.lengthOf(yield* rows(Passkeys), 0)
      assert.lengthOf(yield* rows(Accounts), 1)
    })
  }

  rule("refuses another type, a mismatching identifier, and undecodable data", function* () {
    const ada = yield* signedUp()
    const other = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    const unlike = [
      { type: "password" },
      { id: other.id, rawId: other.rawId },
      { rawId: other.rawId },
      { response: { ...other.response, clientDataJSON: "eA" } },
      { response: { ...other.response, attestationObject: "oA" } },
    ]
    for (const difference of unlike) {
      const response = { ...authenticator().create(yield* ada.body(passkeyRegisterOptions)), ...difference }
      assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response }), "invalid_passkey", JSON.stringify(difference))
    }
    assert.lengthOf(yield* rows(Passkeys), 0)
  })

  rule("refuses client data with a duplicate member", function* () {
    const ada = yield* signedUp()
    const good = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    const text = Buffer.from(good.response.clientDataJSON, "base64url").toString()
    const clientDataJSON = Buffer.from(text.replace("{", `{"origin":"${origin}",`)).toString("base64url")
    const response = { ...good, response: { ...good.response, clientDataJSON } }
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response }), "invalid_passkey")
  })

  rule("consumes a challenge with the first response, also a wrong one", function* () {
    const ada = yield* signedUp()
    const good = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    assert.strictEqual(
      yield* ada.code(passkeyRegisterVerify, { response: forgedNew(good, { data: forParty("evil.example") }) }),
      "invalid_passkey",
    )
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response: good }), "invalid_passkey")
    assert.lengthOf(yield* rows(PasskeyChallenges), 0)
  })

  rule("accepts a response after 299 seconds and none after 300", function* () {
    const ada = yield* signedUp()
    const [early, late] = [authenticator(), authenticator()]
    const options = [yield* ada.body(passkeyRegisterOptions), yield* ada.body(passkeyRegisterOptions)] as const
    yield* TestClock.adjust("299 seconds")
    yield* ada.body(passkeyRegisterVerify, { response: early.create(options[0]) })
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response: late.create(options[1]) }), "invalid_passkey")
  })

  rule("accepts a response only from the session that requested the options", function* () {
    const ada = yield* signedUp()
    const elsewhere = browser()
    yield* elsewhere.body(World.endpoints.signInEmail, { email, password: World.password })
    const bob = yield* signedUp("bob@example.com")
    for (const their of [elsewhere, bob, browser()]) {
      const response = authenticator().create(yield* ada.body(passkeyRegisterOptions))
      const code = yield* their.code(passkeyRegisterVerify, { response })
      assert.strictEqual(code, their.jar.credential === null ? "unauthorized" : "invalid_passkey")
    }
    assert.lengthOf(yield* rows(Passkeys), 0)
  })

  rule("accepts no challenge of a sign-in", function* () {
    const ada = yield* signedUp()
    const { challenge } = yield* ada.body(endpoints.passkeyAuthenticateOptions)
    const options = { ...(yield* ada.body(passkeyRegisterOptions)), challenge }
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response: authenticator().create(options) }), "invalid_passkey")
  })

  rule("refuses a registered passkey", function* () {
    const ada = yield* withPasskey()
    yield* verified(ada)
    for (const their of [ada, yield* signedUp("bob@example.com")]) {
      const { challenge } = yield* their.body(passkeyRegisterOptions)
      const response = forgedNew(ada.registered, { clientData: { challenge } })
      assert.strictEqual(yield* their.code(passkeyRegisterVerify, { response }), "passkey_exists")
    }
    assert.lengthOf(yield* rows(Passkeys), 1)
  })

  rule("allows at most fifty per user", function* () {
    const ada = yield* signedUp()
    for (const _ of times(49, String)) yield* added(ada, authenticator())
    const responses = []
    for (const _ of times(5, String)) responses.push(authenticator().create(yield* ada.body(passkeyRegisterOptions)))
    const tally = yield* atOnce(responses.map((response) => ada.call(passkeyRegisterVerify, { response })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_request: 4 })
    assert.lengthOf(yield* rows(Passkeys), 50)
  })

  rule("twenty concurrent responses to one challenge: one is accepted", function* () {
    const ada = yield* signedUp()
    const options = yield* ada.body(passkeyRegisterOptions)
    const tally = yield* atOnce(times(20, () => ada.call(passkeyRegisterVerify, { response: authenticator().create(options) })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_passkey: 19 })
    assert.lengthOf(yield* rows(Passkeys), 1)
  })

  rule("one passkey that two users register concurrently belongs to one of them", function* () {
    const [ada, bob] = [yield* signedUp(), yield* signedUp("bob@example.com")]
    const made = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    const { challenge } = yield* bob.body(passkeyRegisterOptions)
    const tally = yield* atOnce([
      ada.call(passkeyRegisterVerify, { response: made }),
      bob.call(passkeyRegisterVerify, { response: forgedNew(made, { clientData: { challenge } }) }),
    ])
    assert.deepStrictEqual(tally, { ok: 1, passkey_exists: 1 })
    assert.lengthOf(yield* rows(Passkeys), 1)
  })

  rule("accepts an identifier of 1023 bytes and none of 1024", function* () {
    const ada = yield* signedUp()
    for (const [length, outcome] of [
      [1, "ok"],
      [1023, "ok"],
      [1024, "invalid_passkey"],
    ] as const) {
      const response = withIdOf(length, authenticator().create(yield* ada.body(passkeyRegisterOptions)))
      assert.deepStrictEqual(yield* atOnce([ada.call(passkeyRegisterVerify, { response })]), { [outcome]: 1 }, String(length))
    }
    assert.lengthOf((yield* ada.body(passkeyRegisterOptions)).excludeCredentials, 2)
  })

  rule("refuses long texts of an unauthenticated caller before decoding them, and keeps the challenge", function* () {
    const ada = yield* signedUp()
    const posed = yield* ada.body(passkeyRegisterOptions)
    const created = authenticator().create(posed)
    for (const [member, longest] of Object.entries({ clientDataJSON: 4096, attestationObject: 16_384 })) {
      const withLength = (length: number) => ({ ...created, response: { ...created.response, [member]: "e".repeat(length) } })
      assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response: withLength(longest + 1) }), "invalid_request", member)
    }
    assert.strictEqual((yield* ada.body(passkeyRegisterVerify, { response: created })).passkey.id.length, 36)
    assert.strictEqual(
      yield* ada.code(passkeyRegisterVerify, {
        response: { ...created, response: { ...created.response, clientDataJSON: "e".repeat(4096) } },
      }),
      "invalid_passkey",
    )
  })

  rule("accepts a public key of 2048 bytes and none that is longer", function* () {
    const ada = yield* signedUp()
    for (const [length, outcome] of [
      [2048, "ok"],
      [2049, "invalid_passkey"],
      [700_000, "invalid_request"],
    ] as const) {
      const response = withKeyOf(length, authenticator().create(yield* ada.body(passkeyRegisterOptions)))
      assert.deepStrictEqual(yield* atOnce([ada.call(passkeyRegisterVerify, { response })]), { [outcome]: 1 }, String(length))
    }
    assert.lengthOf(yield* rows(Passkeys), 1)
  })

  rule("refuses attestation that was not requested", function* () {
    const ada = yield* signedUp()
    const response = authenticator().create(yield* ada.body(passkeyRegisterOptions))
    const attested = Buffer.from(response.response.attestationObject, "base64url").toString("latin1").replace("dnone", "eapple")
    const attestationObject = Buffer.from(attested, "latin1").toString("base64url")
    const apple = { ...response, response: { ...response.response, attestationObject } }
    assert.strictEqual(yield* ada.code(passkeyRegisterVerify, { response: apple }), "invalid_passkey")
  })
})
