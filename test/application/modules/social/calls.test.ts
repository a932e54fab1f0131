import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Logger } from "effect"
import { HttpClient } from "effect/http"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"
import { TestClock } from "effect/testing"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { always, gateway } from "../../../adapters/sms/server.ts"
import { browser, rows, world } from "../../../world.ts"
import { began, configured, guest, including, rule, service, signedIn } from "./provider.ts"

const { oauthCallback } = service
const ada = { uid: "42", mail: "ada@example.com" }

/** The log lines of an effect, as JSON. */
const logged = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  yield* Effect.provide(work, Logger.layer([logger]))
  return lines.join("\n")
})

const json = (body: unknown, status = 200) => Response.json(body, { status })

describe("the token request", () => {
  const useless: ReadonlyArray<readonly [string, () => Response, string]> = [
    ["a refusal", () => json({ error: "invalid_client" }, 401), "the answer is 401, invalid_client"],
    ["a refusal that is called a success", () => json({ error: "bad_code" }), "there is no bearer token in the answer, bad_code"],
    ["a refusal in words", () => json({ error: "Hello <b>you</b>" }, 400), "the answer is 400"],
    ["a refusal in plain words", () => json({ error: "Hello you" }, 400), "the answer is 400"],
    ["a token with a bad status", () => json({ access_token: "t" }, 500), "the answer is 500"],
    ["a redirect", () => Response.redirect("https://elsewhere.example/", 302), "the answer is 302"],
    ["no token", () => json({ token_type: "bearer" }), "there is no bearer token in the answer"],
    ["an empty token", () => json({ access_token: "" }), "there is no bearer token in the answer"],
    ["a number", () => json({ access_token: 5 }), "there is no bearer token in the answer"],
    ["a token that no header can hold", () => json({ access_token: "a\r\nb" }), "there is no bearer token in the answer"],
    ["a token of another type", () => json({ access_token: "t", token_type: "DPoP" }), "there is no bearer token in the answer"],
    ["a form", () => new Response("access_token=t"), "the answer is not a JSON object"],
    ["a list", () => json([{ access_token: "t" }]), "the answer is not a JSON object"],
    ["nothing", () => new Response(null, { status: 200 }), "EmptyBodyError"],
    ["bytes that are no text", () => new Response(Uint8Array.of(0x22, 0xff, 0x22)), "the answer is not a JSON object"],
    ["a member twice", () => new Response('{"access_token":"a","access_token":"b"}'), "the answer is not a JSON object"],
    ["more than we read", () => json({ access_token: "t", more: "x".repeat(1_048_576) }), "the answer has more than 1048576 bytes"],
  ]
  for (const [what, answer, reason] of useless) {
    rule(`${what}: oauth_token_error, with the reason in the log`, function* (provider) {
      const their = guest()
      const back = yield* began(their, provider, ada)
      provider.answers.token = () => Effect.sync(answer)
      const lines = yield* logged(Effect.map(their.code(oauthCallback, back), (code) => assert.strictEqual(code, "oauth_token_error")))
      assert.lengthOf(provider.requests, 1)
      assert.deepInclude(JSON.parse(lines), { level: "WARN" })
      assert.include(lines, JSON.stringify({ provider: "acme", setting: "token_url", reason }).slice(1, -1))
      assert.lengthOf(yield* rows(Users), 0)
    })
  }

  rule("accepts a token without a type, and a long response", function* (provider) {
    const { token } = provider.answers
    provider.answers.token = (request) =>
      Effect.flatMap(token(request), (answer) =>
        Effect.promise(async () => {
          const { access_token } = (await answer.json()) as { readonly access_token: string }
          return json({ access_token, more: "x".repeat(1_000_000) })
        }),
      )
    yield* signedIn(provider, ada)
  })
})

describe("the profile", () => {
  const useless: ReadonlyArray<readonly [string, () => Response, string]> = [
    ["a refusal", () => json({ error: "invalid_token" }, 401), "the answer is 401, invalid_token"],
    ["an outage", () => new Response("", { status: 503 }), "the answer is 503"],
    ["a redirect", () => Response.redirect("https://elsewhere.example/", 307), "the answer is 307"],
    ["text", () => new Response("Ada"), "the answer is not a JSON object"],
    ["a list", () => json([ada]), "the answer is not a JSON object"],
    ["more than we read", () => json({ ...ada, more: "x".repeat(1_048_576) }), "the answer has more than 1048576 bytes"],
  ]
  for (const [what, answer, reason] of useless) {
    rule(`${what}: is requested once more, then oauth_userinfo_error`, function* (provider) {
      const their = guest()
      const back = yield* began(their, provider, ada)
      provider.answers.userinfo = () => Effect.sync(answer)
      const lines = yield* logged(Effect.map(their.code(oauthCallback, back), (code) => assert.strictEqual(code, "oauth_userinfo_error")))
      assert.deepStrictEqual(
        provider.requests.map(({ method }) => method),
        ["POST", "GET", "GET"],
      )
      assert.include(lines, JSON.stringify({ provider: "acme", setting: "userinfo_url", reason }).slice(1, -1))
      assert.strictEqual(yield* their.code(oauthCallback, back), "invalid_state")
      for (const table of [Users, Accounts, Sessions]) assert.lengthOf(yield* rows(table), 0)
    })
  }

  rule("is accepted after one failed request", function* (provider) {
    const { userinfo } = provider.answers
    provider.answers.userinfo = (request) =>
      provider.requests.length === 2 ? Effect.sync(() => new Response("", { status: 502 })) : userinfo(request)
    yield* signedIn(provider, ada)
    assert.lengthOf(provider.requests, 3)
  })

  rule("without an account id is not requested again", function* (provider) {
    const their = guest()
    const back = yield* began(their, provider, {})
    assert.strictEqual(yield* their.code(oauthCallback, back), "oauth_userinfo_error")
    assert.lengthOf(provider.requests, 2)
  })
})

describe("the log", () => {
  rule("contains no secret, whatever fails", function* (provider) {
    const secrets = ["hunter2", "ada@example.com", "lovelace"]
    const lines = yield* logged(
      Effect.gen(function* () {
        const their = guest()
        for (const [id, profile] of [
          ["acme", { mail: "ada@example.com", nick: "lovelace" }],
          ["mapped", { person: "lovelace" }],
        ] as const) {
          const back = yield* began(their, provider, profile, id)
          secrets.push(back.code, back.state)
          assert.strictEqual(yield* their.code(oauthCallback, back), "oauth_userinfo_error")
        }
        const back = yield* began(their, provider, ada)
        provider.answers.userinfo = () => Effect.sync(() => json({ error: "lovelace@" }, 400))
        yield* their.code(oauthCallback, back)
      }),
    )
    for (const { form, headers } of provider.requests) {
      const token = headers["authorization"]?.slice(7)
      secrets.push(...form.getAll("code_verifier"), ...(token === undefined ? [] : [token]))
    }
    assert.isAtLeast(lines.split("\n").length, 3)
    for (const secret of secrets) assert.notInclude(lines, secret)
  })
})

rule("both are requested as JSON, with a User-Agent", function* (provider) {
  yield* signedIn(provider, ada)
  for (const { headers } of provider.requests) assert.include(headers, { accept: "application/json", "user-agent": "sallyport" })
  assert.lengthOf(provider.requests, 2)
})

describe("a failed connection", () => {
  rule("is logged by its code alone", function* (provider) {
    for (const [code, reason] of [
      ["ECONNREFUSED", "ECONNREFUSED"],
      ["sent to ADA", "TransportError"],
      ["refused by ADA", "TransportError"],
      [7, "TransportError"],
    ] as const) {
      const their = guest()
      const back = yield* began(their, provider, ada)
      const client = HttpClient.make((request) =>
        Effect.fail(new HttpClientError({ reason: new TransportError({ request, cause: { code } }) })),
      )
      const lines = yield* logged(Effect.provideService(Effect.ignore(their.call(oauthCallback, back)), HttpClient.HttpClient, client))
      assert.include(lines, `"reason":"${reason}"`)
    }
  })
})

/** A provider that does not answer; `isRequested` opens when it gets a request. */
const silent = () => {
  const isRequested = Latch.makeUnsafe()
  return { isRequested, answer: () => Effect.andThen(isRequested.open, Effect.never) }
}

describe("time", () => {
  rule("the time-out of a request is the configured one, 10 s by default", function* (provider) {
    const their = guest()
    const back = yield* began(their, provider, ada)
    const { isRequested, answer } = silent()
    provider.answers.token = answer
    const waiting = yield* Effect.forkChild(their.code(oauthCallback, back))
    yield* isRequested.await
    yield* TestClock.adjust("9999 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* Fiber.join(waiting), "oauth_token_error")
  })

  rule("the profile has twice the time, for its two requests", function* (provider) {
    const their = guest()
    const back = yield* began(their, provider, ada)
    const { isRequested, answer } = silent()
    provider.answers.userinfo = answer
    const waiting = yield* Effect.forkChild(their.code(oauthCallback, back))
    yield* isRequested.await
    yield* TestClock.adjust("19999 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* Fiber.join(waiting), "oauth_userinfo_error")
  })
})

describe("over real connections", () => {
  const live = (name: string, shown: Effect.Effect<void, unknown, any>) =>
    it.live(
      name,
      () => shown.pipe(Effect.provide([world(service.modules), NodeHttpClient.layerUndici, Logger.layer([])])) as Effect.Effect<void>,
    )

  /** The code of a callback whose provider responds like this, and the requests to that provider. */
  const comesBack = Effect.fnUntraced(function* (listener: Parameters<typeof gateway>[0], settings: Record<string, unknown> = {}) {
    const { origin, requests } = yield* gateway(listener)
    const urls = { token_url: `${origin}/token`, userinfo_url: `${origin}/userinfo` }
    const { auth, signInSocial, oauthCallback } = including({ providers: [configured("acme", urls)], ...settings })
    const their = browser(auth)
    const { url } = yield* their.body(signInSocial, { provider: "acme" })
    const state = new URL(url).searchParams.get("state")
    const outcome = Effect.match(their.call(oauthCallback, { code: "c", state }), { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
    const client = yield* HttpClient.HttpClient
    return { code: yield* Effect.provideService(outcome, HttpClient.HttpClient, client), requests }
  }, Effect.scoped)

  const token = JSON.stringify({ access_token: "t" })

  live(
    "signs in",
    Effect.gen(function* () {
      const { code, requests } = yield* comesBack((request, response) =>
        response.end(request.url === "/token" ? token : JSON.stringify({ uid: 1 })),
      )
      assert.strictEqual(code, "ok")
      const [first, second] = requests
      assert.strictEqual(new URLSearchParams(first?.body).get("client_secret"), "hunter2&=")
      assert.strictEqual(second?.headers.authorization, "Bearer t")
      for (const { headers } of requests) {
        assert.notProperty(headers, "traceparent")
        assert.notProperty(headers, "b3")
      }
    }),
  )

  live(
    "follows no redirect: neither the code nor the token is sent elsewhere",
    Effect.gen(function* () {
      const elsewhere = yield* gateway()
      for (const status of [301, 302, 303, 307, 308]) {
        const code = yield* comesBack(always(status, "", { location: `${elsewhere.origin}/token` }))
        assert.strictEqual(code.code, "oauth_token_error")
        const profile = yield* comesBack((request, response) =>
          request.url === "/token" ? response.end(token) : response.writeHead(status, { location: `${elsewhere.origin}/userinfo` }).end(),
        )
        assert.strictEqual(profile.code, "oauth_userinfo_error")
      }
      assert.lengthOf(elsewhere.requests, 0)
    }).pipe(Effect.scoped),
  )

  live(
    "aborts an endless response at its size limit and a stalled one at the time-out",
    Effect.gen(function* () {
      const endless = yield* comesBack((_, response) => {
        const chunk = Buffer.alloc(65_536, " ")
        const more = () => {
          if (!response.destroyed && response.write(chunk)) setImmediate(more)
        }
        response.on("drain", more)
        more()
      })
      assert.strictEqual(endless.code, "oauth_token_error")
      const stalls = comesBack((_, response) => void response.write("{"), { timeout: 1 })
      const says = comesBack(() => undefined, { timeout: 1 })
      for (const given of yield* Effect.all([stalls, says], { concurrency: 2 })) assert.strictEqual(given.code, "oauth_token_error")
    }),
  )

  live(
    "a refused connection and a reset one give the same code",
    Effect.gen(function* () {
      const gone = yield* comesBack((request) => void request.socket.destroy())
      assert.strictEqual(gone.code, "oauth_token_error")
      const halfway = yield* comesBack((request, response) => (request.url === "/token" ? response.end(token) : request.socket.destroy()))
      assert.strictEqual(halfway.code, "oauth_userinfo_error")
      assert.lengthOf(halfway.requests, 3)
    }),
  )
})
