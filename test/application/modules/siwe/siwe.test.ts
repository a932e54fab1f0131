import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Wallet } from "ethers"
import { SiweNonces, siwe as siweModule } from "../../../../application/modules/siwe/index.ts"
import * as Endpoint from "../../../../application/service/endpoint.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rulesOf, verifying } from "../../../rule.ts"
import type { Parts } from "../../../siwe.ts"
import { parts, written } from "../../../siwe.ts"
import { at, atOnce, browser, core, emails, endpoints, isSignedIn, linked, onWire, rows, times } from "../../../world.ts"

const built = siweModule.build({ domain: "service.org", chain_id: 1, nonce_ttl: 600 })
const { siweNonce, siweVerify } = built.endpoints
const modules = [...core, built]
const rule = rulesOf(modules)
const visitor = () => browser()

const { getSession, listAccounts, unlinkAccount, deleteUser, updateUser } = endpoints

const ada = new Wallet(`0x${"a1".repeat(32)}`)
const bob = new Wallet(`0x${"b2".repeat(32)}`)

const nonced = Effect.map(visitor().body(siweNonce), ({ nonce }) => nonce)
const issuedAt = "1970-01-01T00:00:00Z"

/** A message signed by a wallet. */
const sign = (wallet: Wallet, changes: Parts) => {
  const message = written({ ...parts, issuedAt, address: wallet.address, ...changes })
  return Effect.map(
    Effect.promise(() => wallet.signMessage(message)),
    (signature) => ({ message, signature }),
  )
}

/** The same with a new nonce. */
const signed = Effect.fnUntraced(function* (wallet: Wallet, changes: Parts = {}) {
  return yield* sign(wallet, { nonce: yield* nonced, ...changes })
})

const signIn = Effect.fnUntraced(function* (wallet: Wallet, changes: Parts = {}) {
  const their = visitor()
  const { user } = yield* their.body(siweVerify, yield* signed(wallet, changes))
  return { ...their, user }
})

const code = (input: unknown) => visitor().code(siweVerify, input)

/** All linked addresses. */
const addresses = Effect.map(rows(Accounts), (accounts) =>
  accounts.flatMap(({ provider_id, account_id }) => (provider_id === "siwe" ? [account_id] : [])),
)

describe("the settings of siwe", () => {
  it.effect("may contain a domain; the rest has defaults", () =>
    Effect.gen(function* () {
      const decode = Schema.decodeUnknownEffect(siweModule.settings)
      assert.deepStrictEqual(yield* decode({ domain: "localhost:3000" }), { domain: "localhost:3000", chain_id: 1, nonce_ttl: 600 })
      assert.deepStrictEqual(yield* decode({}), { chain_id: 1, nonce_ttl: 600 })
      for (const domain of [undefined, null, "", "https://service.org", "service.org/", "a b", 7]) yield* Effect.flip(decode({ domain }))
      for (const bad of [0, -1, 1.5, "1", null]) {
        yield* Effect.flip(decode({ domain: "a", chain_id: bad }))
        yield* Effect.flip(decode({ domain: "a", nonce_ttl: bad }))
      }
    }),
  )
})

describe("siwe/nonce", () => {
  rule("returns a new nonce each time, and stores none in the clear", function* () {
    const { nonce, ...rest } = yield* visitor().body(siweNonce)
    assert.match(nonce, /^[0-9a-f]{32}$/)
    assert.deepStrictEqual(rest, { chain_id: 1 })
    assert.notStrictEqual(yield* nonced, nonce)
    const stored = yield* rows(SiweNonces)
    assert.lengthOf(stored, 2)
    assert.notInclude(JSON.stringify(stored), nonce)
  })
})

describe("siwe/verify", () => {
  rule("creates a user with an unverified synthetic address, and links the wallet", function* () {
    const their = visitor()
    const reply = yield* their.call(siweVerify, yield* signed(ada))
    const { user, address } = yield* onWire(siweVerify, reply.body)
    const { id, ...rest } = user
    const at = { created_at: "1970-01-01T00:00:00.000Z", updated_at: "1970-01-01T00:00:00.000Z" }
    const email = `${ada.address.toLowerCase()}@siwe.local`
    assert.deepStrictEqual(rest, { email, email_verified: false, name: null, image: null, ...at })
    assert.strictEqual(address, ada.address)
    assert.strictEqual((yield* their.body(getSession)).user?.id, id)
    const { accounts } = yield* their.body(listAccounts)
    assert.deepStrictEqual(
      accounts.map(({ provider_id, account_id }) => [provider_id, account_id]),
      [["siwe", ada.address]],
    )
    assert.lengthOf(yield* rows(SiweNonces), 0)
    assert.lengthOf(yield* emails, 0)
  })

  rule(
    "signs in the user who has the wallet, without a verified address",
    function* () {
      const first = yield* signIn(ada)
      yield* first.body(updateUser, { name: "Ada" })
      const again = yield* signIn(ada)
      assert.deepStrictEqual([again.user.id, again.user.name, again.user.email_verified], [first.user.id, "Ada", false])
      assert.isTrue(yield* isSignedIn(again))
      assert.notStrictEqual((yield* signIn(bob)).user.id, first.user.id)
      assert.lengthOf(yield* rows(Users), 2)
      assert.lengthOf(yield* rows(Sessions), 3)
    },
    verifying,
  )

  rule("accepts messages with every optional field, of any wallet", function* () {
    const full = {
      scheme: "https",
      statement: "Sign in to the service.",
      expirationTime: "1970-01-01T01:00:00+00:30",
      notBefore: "1969-12-31T23:00:00-01:00",
      requestId: "request-1",
      resources: ["https://service.org/terms", "ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu"],
    }
    yield* signIn(ada, full)
    const wallets = times(10, () => new Wallet(Wallet.createRandom().privateKey))
    for (const wallet of wallets) yield* signIn(wallet)
    assert.sameMembers(yield* addresses, [ada.address, ...wallets.map(({ address }) => address)])
  })

  rule("accepts a recovery id of 0 or 1 as well as 27 or 28", function* () {
    for (const wallet of [ada, bob]) {
      const { message, signature } = yield* signed(wallet)
      const small = signature.replace(/1b$/, "00").replace(/1c$/, "01")
      assert.notStrictEqual(small, signature)
      yield* visitor().body(siweVerify, { message, signature: small })
    }
  })

  rule("answers missing and ill-typed members with 401, like wrong ones", function* () {
    const { message, signature } = yield* signed(ada)
    const refusals = [
      ...[null, [], {}, { signature }, { message: null, signature }, { message: 7, signature }, { message: [message], signature }].map(
        (input) => [input, "invalid_message"] as const,
      ),
      ...["", "x", message.slice(0, -1), `${message}\n`, `${message}\0`, "\ud800", "x".repeat(1e6)].map(
        (text) => [{ message: text, signature }, "invalid_message"] as const,
      ),
      ...[{}, { signature: null }, { signature: 7 }, { signature: [signature] }, { signature: "" }, { signature: "x".repeat(1e6) }].map(
        (rest) => [{ message, ...rest }, "invalid_signature"] as const,
      ),
    ]
    for (const [input, expected] of refusals) {
      const error = yield* Effect.flip(visitor().call(siweVerify, input))
      assert.deepStrictEqual([error._tag, Endpoint.statusOf(siweVerify, error)], [expected, 401], JSON.stringify(input)?.slice(0, 80))
    }
    assert.lengthOf(yield* rows(Users), 0)
  })

  rule("refuses the signature of another wallet, of another message, and the malleated one", function* () {
    const message = yield* signed(ada)
    const others = [yield* signed(bob), yield* signed(ada)]
    for (const { signature } of others) assert.strictEqual(yield* code({ message: message.message, signature }), "invalid_signature")
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const { message: text, signature } = yield* signed(ada)
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0")
    const mirror = `${signature.slice(0, 66)}${s}${signature.endsWith("1b") ? "1c" : "1b"}`
    assert.strictEqual(yield* code({ message: text, signature: mirror }), "invalid_signature")
    assert.lengthOf(yield* rows(Sessions), 0)
  })

  rule("refuses an address with a wrong checksum", function* () {
    const digits = ada.address.slice(2)
    const oneLetter = digits.replace(/[a-z]/, (letter) => letter.toUpperCase())
    assert.notStrictEqual(oneLetter, digits)
    for (const address of [ada.address.toLowerCase(), `0x${digits.toUpperCase()}`, `0x${oneLetter}`])
      assert.strictEqual(yield* code(yield* signed(ada, { address })), "invalid_message")
  })

  rule("accepts a nonce once", function* () {
    const input = yield* signed(ada)
    yield* visitor().body(siweVerify, input)
    assert.strictEqual(yield* code(input), "invalid_nonce")
    const [, nonce = ""] = /Nonce: (\w+)/.exec(input.message) ?? []
    assert.strictEqual(yield* code(yield* sign(ada, { nonce, statement: "Again." })), "invalid_nonce")
  })

  rule("accepts no unissued or differently spelled nonce", function* () {
    const nonce = `${"a".repeat(8)}${yield* nonced}`
    for (const other of [nonce, nonce.slice(8).toUpperCase(), "32891757", "a".repeat(10_000)])
      assert.strictEqual(yield* code(yield* sign(ada, { nonce: other })), "invalid_nonce")
  })

  rule("deletes a nonce when it is presented, whatever else is wrong", function* () {
    const wrongs = [
      [Effect.map(signed(ada), ({ message }) => ({ message, signature: "0x" })), "invalid_signature"],
      [Effect.map(signed(ada), ({ message }) => ({ message })), "invalid_signature"],
      [signed(ada, { domain: "other.org" }), "invalid_message"],
      [signed(ada, { chainId: 5 }), "invalid_message"],
      [signed(ada, { notBefore: "1970-01-01T00:00:01Z" }), "invalid_message"],
      [signed(ada, { expirationTime: issuedAt }), "expired_message"],
    ] as const
    for (const [wrong, expected] of wrongs) {
      const input = yield* wrong
      assert.strictEqual(yield* code(input), expected)
      const [, nonce = ""] = /Nonce: (\w+)/.exec(input.message) ?? []
      assert.strictEqual(yield* code(yield* sign(ada, { nonce })), "invalid_nonce")
    }
    assert.lengthOf(yield* rows(SiweNonces), 0)
  })

  rule("keeps a nonce in a malformed message", function* () {
    const nonce = yield* nonced
    assert.strictEqual(yield* code(yield* sign(ada, { nonce, version: "2" })), "invalid_message")
    yield* visitor().body(siweVerify, yield* sign(ada, { nonce }))
  })

  rule("checks message, signature, nonce and then the message's fields", function* () {
    const wrongInAll = { nonce: "32891757", domain: "other.org", expirationTime: issuedAt }
    const { message, signature } = yield* sign(ada, wrongInAll)
    assert.strictEqual(yield* code({ message: `${message} `, signature: "0x" }), "invalid_message")
    assert.strictEqual(yield* code({ message, signature: "0x" }), "invalid_signature")
    assert.strictEqual(yield* code({ message, signature }), "invalid_nonce")
    assert.strictEqual(yield* code(yield* signed(ada, { ...wrongInAll, nonce: yield* nonced })), "invalid_message")
    assert.strictEqual(yield* code(yield* signed(ada, { expirationTime: issuedAt })), "expired_message")
  })

  rule("accepts a nonce for ten minutes, and removes an expired one", function* () {
    const late = yield* signed(ada)
    yield* TestClock.adjust("1 millis")
    const timely = yield* signed(ada)
    yield* TestClock.adjust("599999 millis")
    assert.strictEqual(yield* code(late), "invalid_nonce")
    assert.lengthOf(yield* rows(SiweNonces), 1)
    yield* visitor().body(siweVerify, timely)
  })

  rule("accepts a message from its start until just before its end", function* () {
    const from = { notBefore: "1970-01-01T00:00:10Z", expirationTime: "1970-01-01T00:00:20Z" }
    const [early, first, last, late] = yield* Effect.all(times(4, () => signed(ada, from)))
    yield* TestClock.adjust("9999 millis")
    assert.strictEqual(yield* code(early), "invalid_message")
    yield* TestClock.adjust("1 millis")
    yield* visitor().body(siweVerify, first)
    yield* TestClock.adjust("9999 millis")
    yield* visitor().body(siweVerify, last)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* code(late), "expired_message")
  })

  rule("accepts a message for its own domain and chain only", function* () {
    for (const domain of ["service.org:443", "www.service.org", "ada@service.org", "SERVICE.ORG", "service.org.example"])
      assert.strictEqual(yield* code(yield* signed(ada, { domain })), "invalid_message", domain)
    const other = siweModule.build({ domain: "localhost:3000", chain_id: 137, nonce_ttl: 600 })
    const elsewhere = other.endpoints
    const visitor = () => at(browser(), other)
    assert.deepStrictEqual((yield* visitor().body(elsewhere.siweNonce)).chain_id, 137)
    const there = yield* signed(ada, { domain: "localhost:3000", chainId: 137 })
    yield* visitor().body(elsewhere.siweVerify, there)
    assert.strictEqual(yield* visitor().code(elsewhere.siweVerify, yield* signed(ada)), "invalid_message")
    assert.strictEqual(yield* visitor().code(elsewhere.siweVerify, yield* signed(ada, { domain: "localhost:3000" })), "invalid_message")
  })

  rule(
    "accepts a message for the host of public_url where no domain is configured",
    function* () {
      const other = siweModule.build({ chain_id: 1, nonce_ttl: 600 })
      const { siweVerify } = other.endpoints
      const visitor = () => at(browser(), other)
      yield* visitor().body(siweVerify, yield* signed(ada, { domain: "id.example.com:8443" }))
      assert.strictEqual(yield* visitor().code(siweVerify, yield* signed(ada, { domain: "id.example.com" })), "invalid_message")
    },
    { public_url: "https://id.example.com:8443" },
  )

  rule(
    "an attacker cannot lock a wallet out by failed attempts",
    function* () {
      const { message } = yield* signed(ada)
      for (const _ of times(5, String)) assert.strictEqual(yield* code({ message, signature: "0x" }), "invalid_signature")
      yield* signIn(ada)
    },
    { rate_limit: { enabled: true, sign_in: { limit: 1, window: 300 } } },
  )
})

describe("a linked wallet", () => {
  rule("cannot be unlinked as the only account", function* () {
    const their = yield* signIn(ada)
    const [account] = yield* rows(Accounts)
    assert.strictEqual(yield* their.code(unlinkAccount, { account_id: account?.id, provider_id: "siwe" }), "last_account")
  })

  rule("is free after unlinking: the next sign-in with it creates a new user with its synthetic address", function* () {
    const first = yield* signIn(ada)
    yield* linked(first.user.id, "idp_one")
    yield* first.body(unlinkAccount, { provider_id: "siwe" })
    assert.deepStrictEqual(yield* addresses, [])
    const next = yield* signIn(ada)
    assert.notStrictEqual(next.user.id, first.user.id)
    assert.strictEqual(next.user.email, `${ada.address.toLowerCase()}@siwe.local`)
    assert.strictEqual((yield* first.body(getSession)).user?.email, `${first.user.id}@siwe.local`)
  })

  rule("is removed with its user", function* () {
    const their = yield* signIn(ada)
    yield* their.body(deleteUser)
    assert.lengthOf(yield* rows(Accounts), 0)
    assert.notStrictEqual((yield* signIn(ada)).user.id, their.user.id)
  })
})

describe("concurrent wallets", () => {
  rule("twenty verifications of one nonce make one session", function* () {
    const input = yield* signed(ada)
    const browsers = times(20, visitor)
    const tally = yield* atOnce(browsers.map((their) => their.call(siweVerify, input)))
    assert.deepStrictEqual(tally, { ok: 1, invalid_nonce: 19 })
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.lengthOf(yield* Effect.filter(browsers, isSignedIn), 1)
  })

  rule("two wallets with one nonce make one session", function* () {
    const nonce = yield* nonced
    const inputs = [yield* sign(ada, { nonce }), yield* sign(bob, { nonce })]
    assert.deepStrictEqual(yield* atOnce(inputs.map((input) => visitor().call(siweVerify, input))), { ok: 1, invalid_nonce: 1 })
    assert.lengthOf(yield* rows(Users), 1)
  })

  rule("first sign-ins of one wallet make one user and as many sessions", function* () {
    for (const count of [2, 10]) {
      const wallet = count === 2 ? ada : bob
      const inputs = yield* Effect.all(times(count, () => signed(wallet)))
      assert.deepStrictEqual(yield* atOnce(inputs.map((input) => visitor().call(siweVerify, input))), { ok: count })
    }
    assert.lengthOf(yield* rows(Users), 2)
    assert.lengthOf(yield* rows(Sessions), 12)
    assert.sameMembers(yield* addresses, [ada.address, bob.address])
  })
})
