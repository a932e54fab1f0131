import { assert, describe, expect, it } from "@effect/vitest"
import { Cause, Clock, Context, Duration, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { KeyManagementSettings } from "../../../adapters/key-management/adapters.ts"
import { layer } from "../../../adapters/key-management/layer.ts"
import { KeyManagement } from "../../../domain/ports/key-management.ts"
import { pausing } from "../../pauses.ts"
import { until } from "../sms/server.ts"
import { isSigned, makeAws } from "./aws.ts"
import { type Reply, type StandIn, serve } from "./server.ts"
import { makeVault } from "./vault.ts"

const secret = new TextEncoder().encode("a secret that only the tests know, ü")
const context = "sallyport"

const served = (standIn: StandIn) =>
  Effect.acquireRelease(
    Effect.promise(() => serve(standIn)),
    ({ close }) => Effect.promise(close),
  )

const managementOf = (key_management: KeyManagementSettings) =>
  Effect.map(Layer.build(layer({ key_management })), Context.get(KeyManagement))

/** A stand-in that serves, and an adapter that is configured for it. */
const setUp = Effect.fnUntraced(function* (standIn: StandIn, port?: (origin: string) => KeyManagementSettings) {
  const server = yield* served(standIn)
  return { server, management: yield* managementOf((port ?? standIn.settings)(server.origin)) }
})

/** Pauses between attempts take no time. The time limit of an attempt does: it is longer than every pause. */
const withoutPauses = Effect.updateService(Clock.Clock, (clock) =>
  pausing(clock, (duration) => (Duration.toSeconds(duration) < 5 ? Effect.void : clock.sleep(duration))),
)

/** Every text of a failure. */
const textOf = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? `${Cause.pretty(exit.cause)} ${JSON.stringify(exit)}` : "")

const standIns = [
  { name: "vault", make: makeVault, other: "aws:AAAA" },
  { name: "aws", make: makeAws, other: "vault:v1:AAAA" },
]

describe.concurrent.each(standIns)("the key management $name", ({ make, other }) => {
  it.live("unwraps what it wrapped", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(make())
      const wrapped = yield* management.wrap(secret, context)
      assert.match(wrapped, /^[\x21-\x7e]+$/)
      assert.deepStrictEqual(new Uint8Array(yield* management.unwrap(wrapped, context)), secret)
      assert.notStrictEqual(yield* management.wrap(secret, context), wrapped)
      for (const { path } of server.requests) assert.notInclude(path, wrapped)
    }),
  )

  it.live("unwraps after the key got a newer version, and wraps under that version", () =>
    Effect.gen(function* () {
      const standIn = make()
      const { management } = yield* setUp(standIn)
      const before = yield* management.wrap(secret, context)
      standIn.rotate()
      assert.deepStrictEqual(new Uint8Array(yield* management.unwrap(before, context)), secret)
      const after = yield* management.wrap(secret, context)
      assert.deepStrictEqual(new Uint8Array(yield* management.unwrap(after, context)), secret)
    }),
  )

  it.live("refuses another context, a changed text, and the text of another key", () =>
    Effect.gen(function* () {
      const { management } = yield* setUp(make())
      const elsewhere = (yield* setUp(make())).management
      const wrapped = yield* management.wrap(secret, context)
      const changed = wrapped.replace(/.{8}$/, (end) => [...end].reverse().join("").replace("=", "A"))
      const refused = [management.unwrap(wrapped, "another"), management.unwrap(changed, context), elsewhere.unwrap(wrapped, context)]
      for (const each of refused) assert.strictEqual((yield* Effect.flip(each))._tag, "KeyManagementRefused")
    }),
  )

  it.live("refuses a text of another kind without a request", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(make())
      assert.strictEqual((yield* Effect.flip(management.unwrap(other, context)))._tag, "KeyManagementRefused")
      assert.lengthOf(server.requests, 0)
    }),
  )

  it.live("describes its key", () =>
    Effect.gen(function* () {
      const { management } = yield* setUp(make())
      assert.match(yield* management.health, /answers, and the .*key .*sallyport/)
    }),
  )

  it.live("refuses wrong credentials once, and no fault contains a secret", () =>
    Effect.gen(function* () {
      const standIn = make()
      const { server, management } = yield* setUp(standIn, standIn.strangers)
      for (const each of [management.wrap(secret, context), management.health]) {
        const exit = yield* Effect.exit(each)
        assert.include(textOf(exit), "KeyManagementRefused")
        for (const hidden of ["stranger", Buffer.from(secret).toString("base64").slice(0, 20)]) assert.notInclude(textOf(exit), hidden)
      }
      assert.lengthOf(server.requests, 2)
    }),
  )

  it.live("does not repeat what the answer quotes", () =>
    Effect.gen(function* () {
      const { management } = yield* setUp(make())
      const wrapped = yield* management.wrap(secret, context)
      assert.notInclude(textOf(yield* Effect.exit(management.unwrap(wrapped, "another"))), wrapped.slice(-30))
    }),
  )

  it.live("succeeds after a short outage", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(make())
      server.disturb({ status: 503, body: "" })
      const health = yield* Effect.forkChild(management.health)
      yield* Effect.sleep("400 millis")
      server.disturb(undefined)
      yield* Fiber.join(health)
      assert.isAbove(server.requests.length, 1)
    }),
  )

  const outages: ReadonlyArray<readonly [name: string, fault: Partial<Reply>, reason: RegExp]> = [
    ["answers 500", { status: 500, body: "<html>" }, /it answered 500/],
    ["limits requests", { status: 429, body: "{}" }, /it answered 429/],
    ["sends a long answer", { status: 200, body: JSON.stringify({ data: { plaintext: "A".repeat(100_000) } }) }, /too long/],
    ["is malformed", { status: 200, body: "{" }, /malformed/],
    ["has the wrong members", { status: 200, body: '{"data":{"plaintext":7},"Plaintext":"?"}' }, /malformed/],
  ]
  it.live.each(outages)("is unavailable if it %s", ([, fault, reason]) =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(make())
      const wrapped = yield* management.wrap(secret, context)
      server.disturb(fault)
      const found = yield* withoutPauses(Effect.flip(management.unwrap(wrapped, context)))
      assert.strictEqual(found._tag, "KeyManagementUnavailable")
      assert.match(found.reason, reason)
      assert.isAtMost(server.requests.length, 6)
    }),
  )

  it.live("is unavailable if nothing listens", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(make())
      yield* Effect.promise(server.close)
      const found = yield* withoutPauses(Effect.flip(management.health))
      assert.deepStrictEqual([found._tag, found.reason], ["KeyManagementUnavailable", "ECONNREFUSED"])
      yield* Effect.promise(server.reopen)
    }),
  )

  it.effect("is unavailable if it does not answer within five seconds, five times", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(make())
      server.disturb("silence")
      const fiber = yield* Effect.forkChild(Effect.flip(management.health))
      for (const [attempt, pause] of [250, 500, 1000, 2000, 0].entries()) {
        yield* until(() => server.requests.length > attempt)
        yield* TestClock.adjust("4999 millis")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        yield* TestClock.adjust(pause)
      }
      assert.strictEqual((yield* Fiber.join(fiber)).reason, "no answer after 5 seconds")
    }),
  )

  it.live("follows no redirect", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(make())
      const elsewhere = yield* served(make())
      server.disturb({ status: 307, body: "", headers: { location: `${elsewhere.origin}/` } })
      assert.strictEqual((yield* Effect.flip(management.wrap(secret, context)))._tag, "KeyManagementRefused")
      assert.lengthOf(elsewhere.requests, 0)
    }),
  )
})

describe("the key management vault", () => {
  it.live("sends the token, the namespace and the context as associated data", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(makeVault())
      yield* management.wrap(secret, context)
      const [{ method, path, headers, body } = expect.fail()] = server.requests
      assert.deepStrictEqual([method, path], ["POST", "/v1/team-transit/encrypt/sallyport"])
      assert.deepStrictEqual([headers["x-vault-token"], headers["x-vault-namespace"]], ["hvs.a-token-of-the-stand-in", "team/one"])
      assert.deepStrictEqual(JSON.parse(body), {
        plaintext: Buffer.from(secret).toString("base64"),
        associated_data: Buffer.from(context).toString("base64"),
      })
    }),
  )
})

describe("the key management aws", () => {
  it.live("signs the whole request", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(makeAws())
      yield* management.wrap(secret, context)
      const [request = expect.fail()] = server.requests
      assert.isTrue(isSigned(request))
      assert.deepStrictEqual(JSON.parse(request.body).EncryptionContext, { context })
      const forged = [
        { ...request, body: `${request.body} ` },
        { ...request, path: "/other" },
        { ...request, headers: { ...request.headers, "x-amz-target": "TrentService.Decrypt" } },
        { ...request, headers: { ...request.headers, host: "kms.example.com" } },
      ]
      assert.deepStrictEqual(
        forged.map((each) => isSigned(each)),
        [false, false, false, false],
      )
      assert.isFalse(isSigned(request, "another secret"))
    }),
  )

  it.live("refuses a disabled key", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(makeAws())
      const disabled = { KeyMetadata: { KeyState: "Disabled", KeyUsage: "ENCRYPT_DECRYPT" } }
      server.disturb({ status: 200, body: JSON.stringify(disabled) })
      assert.match((yield* Effect.flip(management.health)).message, /alias\/sallyport cannot be used \(Disabled/)
    }),
  )

  it.live("retries requests above its limits", () =>
    Effect.gen(function* () {
      const { server, management } = yield* setUp(makeAws())
      server.disturb({ status: 400, body: '{"__type":"ThrottlingException"}' })
      const health = yield* Effect.forkChild(management.health)
      yield* Effect.sleep("400 millis")
      server.disturb(undefined)
      yield* Fiber.join(health)
    }),
  )
})

describe("the key management local", () => {
  it.effect("wraps nothing", () =>
    Effect.gen(function* () {
      const management = yield* managementOf({ kind: "local" })
      assert.strictEqual(yield* management.health, "the secrets are not wrapped")
      assert.strictEqual((yield* Effect.flip(management.wrap(secret, "")))._tag, "KeyManagementRefused")
    }),
  )
})

it.live("an HTTP client of your own sends the requests", () =>
  Effect.gen(function* () {
    const standIn = makeVault()
    const server = yield* served(standIn)
    const urls: Array<string> = []
    const send = (request: Request) => {
      urls.push(request.url)
      return fetch(request)
    }
    const http = { fetch: send }
    const built = yield* Layer.build(layer({ key_management: standIn.settings(server.origin), http }))
    yield* Context.get(built, KeyManagement).health
    assert.deepStrictEqual(urls, [`${server.origin}/v1/team-transit/keys/sallyport`])
  }),
)
