import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose"
import { ClientSessions } from "../../../../application/modules/idp/tokens/client-sessions.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import * as Channels from "../../../../application/service/channels.ts"
import * as Outbox from "../../../../domain/mail/outbox.ts"
import { DeadLetters, PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { Mailer } from "../../../../domain/ports/mailer.ts"
import { NoResponse, PublicFetch, type PublicRequest } from "../../../../domain/ports/public-fetch.ts"
import { SmsSender } from "../../../../domain/ports/sms-sender.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, endpoints, mailedToken, password, rows, signedUp as signedUpTo, times, type WorldServices } from "../../../world.ts"
import { responding } from "./client-keys.ts"
import { administrators, builtWith, call, issuer, presented, requests, root, spa } from "./provider.ts"

const client = { ...spa, backchannel_logout_uri: "https://spa.example.com/logout" }
const second = {
  ...client,
  client_id: "second",
  id_token_signed_response_alg: "ES256",
  backchannel_logout_uri: "https://second.example.com/",
}
const silent = { ...spa, client_id: "silent" }
const module = builtWith({ clients: [client, second, silent] })
const modules = [...core, administrators, module]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { oauth2Authorize, oauth2Token, oauth2Jwks } = module.endpoints
const { adminBanUser, adminRemoveUser, adminRevokeUserSessions } = administrators.endpoints

const signedUp = (email = "ada@example.com") => signedUpTo(email, auth)
type Browser = Pick<Effect.Success<ReturnType<typeof signedUp>>, "body">

const codeFor = Effect.fnUntraced(function* (their: Browser, client_id: string) {
  const { redirect } = yield* their.body(oauth2Authorize, { ...requests.spa, client_id })
  return new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
})
const exchanged = (code: string, client_id: string) => call(oauth2Token, { ...presented.spa(code), client_id }, null, auth)
/** The claims of the ID token with which a client knows the session of a browser. */
const knownBy = Effect.fnUntraced(function* (client_id: string, their: Browser) {
  const { id_token = "" } = yield* exchanged(yield* codeFor(their, client_id), client_id)
  return decodeJwt(id_token)
})

interface Received {
  readonly url: string
  readonly token: string
}

/** Delivers what is due. Clients answer with this status; null: they cannot be reached. */
const delivered = Effect.fnUntraced(function* (answer: (url: string) => number | null = () => 200) {
  const received: Array<Received> = []
  const fetch = ({ method, url, headers, body = "" }: PublicRequest) => {
    const status = answer(url)
    if (status === null) return Effect.fail(new NoResponse({ reason: "ECONNREFUSED", refused: false }))
    assert.strictEqual(method, "POST")
    assert.strictEqual(headers["content-type"], "application/x-www-form-urlencoded")
    const fields = [...new URLSearchParams(body)]
    assert.deepStrictEqual(
      fields.map(([name]) => name),
      ["logout_token"],
    )
    received.push({ url, token: fields[0]?.[1] ?? "" })
    return Effect.succeed(responding(status))
  }
  const senders = Layer.merge(
    Layer.succeed(Mailer, Mailer.of({ send: () => Effect.void })),
    Layer.succeed(SmsSender, SmsSender.of({ send: () => Effect.void })),
  )
  const outbox = Layer.fresh(Outbox.layer).pipe(
    Layer.provide(Layer.merge(senders, Layer.fresh(Channels.layer(modules)).pipe(Layer.provide(Layer.succeed(PublicFetch, { fetch }))))),
  )
  yield* Effect.flatMap(Outbox.Outbox, ({ drain }) => drain).pipe(Effect.provide(outbox))
  return received
})

const clientsIn = (received: ReadonlyArray<Received>) => received.map(({ token }) => decodeJwt(token).aud).toSorted()

describe("back-channel logout", () => {
  rule("sends each client of the session a logout token when the user signs out", function* () {
    const ada = yield* signedUp()
    const { sid } = yield* knownBy("spa", ada)
    yield* knownBy("second", ada)
    yield* knownBy("silent", ada)
    assert.deepStrictEqual(yield* delivered(), [])
    yield* TestClock.adjust("100 seconds")
    yield* ada.body(endpoints.signOut)
    const received = yield* delivered()
    assert.deepStrictEqual(received.map(({ url }) => url).toSorted(), ["https://second.example.com/", "https://spa.example.com/logout"])
    assert.deepStrictEqual([yield* rows(ClientSessions), yield* delivered()], [[], []])

    const { keys: published } = yield* call(oauth2Jwks, {}, null, auth)
    const keys = createLocalJWKSet({ keys: [...published] })
    const own = received.find(({ url }) => url.startsWith("https://spa"))?.token ?? ""
    const verified = yield* Effect.promise(() =>
      jwtVerify(own, keys, { issuer, audience: "spa", typ: "logout+jwt", currentDate: new Date(100_000) }),
    )
    const { jti, ...claims } = verified.payload
    assert.match(String(jti), /^[\da-f-]{36}$/)
    assert.deepStrictEqual(claims, {
      ...{ iss: issuer, aud: "spa", sub: ada.user.id, sid, iat: 100, exp: 220 },
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    })
  })

  rule("follows every end of a session, and concerns no other session", function* () {
    const renewed = { current_password: password, new_password: "another long password", revoke_other_sessions: true }
    const ends: ReadonlyArray<(their: Browser, email: string) => Effect.Effect<unknown, unknown, WorldServices>> = [
      (their) => their.body(endpoints.revokeSessions),
      (their) => their.body(endpoints.deleteUser, { password }),
      (their, email) => their.body(endpoints.signInEmail, { email, password }),
      (their) => their.body(endpoints.changePassword, renewed),
    ]
    for (const [index, end] of ends.entries()) {
      const email = `ada${index}@example.com`
      const ada = yield* signedUp(email)
      const bob = yield* signedUp(`bob${index}@example.com`)
      yield* knownBy("spa", ada)
      yield* knownBy("second", bob)
      yield* end(ada, email)
      // The last one ends the session twice in one commit, so the client may get two tokens.
      assert.deepStrictEqual([...new Set(clientsIn(yield* delivered()))], ["spa"], String(index))
      assert.deepStrictEqual(yield* delivered(), [])
    }
  })

  rule("follows a ban, a removal by an administrator, and the end of other sessions", function* () {
    const administrator = yield* signedUp(root)
    const ada = yield* signedUp()
    yield* knownBy("spa", ada)
    yield* administrator.body(adminBanUser, { user_id: ada.user.id })
    assert.deepStrictEqual(clientsIn(yield* delivered()), ["spa"])
    const bob = yield* signedUp("bob@example.com")
    yield* knownBy("spa", bob)
    yield* administrator.body(adminRemoveUser, { user_id: bob.user.id })
    assert.deepStrictEqual(clientsIn(yield* delivered()), ["spa"])

    const here = yield* signedUp("eve@example.com")
    const elsewhere = yield* signedUpTo("other@example.com", auth)
    yield* elsewhere.body(endpoints.signOut)
    yield* elsewhere.body(endpoints.signInEmail, { email: "eve@example.com", password })
    yield* knownBy("spa", here)
    const ended = yield* knownBy("second", elsewhere)
    yield* here.body(endpoints.revokeOtherSessions)
    const received = yield* delivered()
    assert.deepStrictEqual(
      received.map(({ token }) => decodeJwt(token)["sid"]),
      [ended["sid"]],
    )
    assert.lengthOf(yield* rows(ClientSessions), 1)
  })

  rule("follows a password reset, and the revocation of one session by its user and of all by an administrator", function* () {
    const administrator = yield* signedUp(root)
    const ada = yield* signedUp()
    const ends: ReadonlyArray<Effect.Effect<unknown, unknown, WorldServices>> = [
      Effect.gen(function* () {
        yield* ada.body(endpoints.requestPasswordReset, { email: "ada@example.com" })
        yield* ada.body(endpoints.resetPassword, { token: yield* mailedToken, new_password: password })
      }),
      Effect.gen(function* () {
        const { session } = yield* ada.body(endpoints.getSession)
        yield* ada.body(endpoints.revokeSession, { session_id: session?.id })
      }),
      administrator.body(adminRevokeUserSessions, { user_id: ada.user.id }),
    ]
    for (const [index, end] of ends.entries()) {
      const { sid } = yield* knownBy("spa", ada)
      yield* end
      const received = yield* delivered()
      assert.deepStrictEqual([...new Set(received.map(({ token }) => decodeJwt(token)["sid"]))], [sid], String(index))
      yield* ada.body(endpoints.signInEmail, { email: "ada@example.com", password })
    }
  })

  rule("is repeated with a new token after no answer and after a fault, at the client that failed", function* () {
    const ada = yield* signedUp()
    yield* knownBy("spa", ada)
    yield* knownBy("second", ada)
    yield* ada.body(endpoints.signOut)
    const first = yield* delivered((url) => (url.startsWith("https://spa") ? 503 : 204))
    assert.lengthOf(first, 2)
    assert.deepStrictEqual(yield* delivered(), [])
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(yield* delivered(() => null), [])
    yield* TestClock.adjust("10 seconds")
    const [again, ...rest] = yield* delivered()
    assert.deepStrictEqual([again?.url, rest], ["https://spa.example.com/logout", []])
    const failed = first.find(({ url }) => url.startsWith("https://spa"))?.token ?? ""
    assert.notStrictEqual(decodeJwt(again?.token ?? "").jti, decodeJwt(failed).jti)
    assert.strictEqual(decodeJwt(again?.token ?? "").exp, 15 + 120)
    assert.deepStrictEqual([yield* rows(ClientSessions), yield* rows(PendingMessages)], [[], []])
  })

  for (const status of [400, 302, 404])
    rule(`is not repeated after ${status}`, function* () {
      const ada = yield* signedUp()
      yield* knownBy("spa", ada)
      yield* ada.body(endpoints.signOut)
      assert.lengthOf(yield* delivered(() => status), 1)
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* delivered(), [])
      assert.deepStrictEqual([yield* rows(ClientSessions), yield* rows(DeadLetters)], [[], []])
    })

  rule("reaches the client of each code that is exchanged while the session ends", function* () {
    const ada = yield* signedUp()
    const codes = yield* Effect.forEach(times(10, String), () => codeFor(ada, "second"))
    const outcomes = yield* Effect.all(
      [
        ...codes.slice(0, 5).map((code) => Effect.option(exchanged(code, "second"))),
        Effect.option(ada.body(endpoints.signOut)),
        ...codes.slice(5).map((code) => Effect.option(exchanged(code, "second"))),
      ],
      { concurrency: "unbounded" },
    )
    const issued = outcomes.filter((each) => each._tag === "Some" && "id_token" in each.value)
    assert.deepStrictEqual(clientsIn(yield* delivered()), issued.length > 0 ? ["second"] : [])
    assert.deepStrictEqual(yield* rows(ClientSessions), [])
  })

  rule("stores one message for twenty sign-outs of a session at once", function* () {
    const ada = yield* signedUp()
    yield* knownBy("spa", ada)
    assert.deepStrictEqual(yield* atOnce(times(20, () => ada.body(endpoints.signOut))), { ok: 20 })
    assert.lengthOf(yield* rows(PendingMessages), 1)
  })
})
