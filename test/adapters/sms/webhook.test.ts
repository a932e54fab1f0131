import { createHmac, hkdfSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Webhook from "../../../adapters/sms/webhook.ts"
import type { Request } from "./server.ts"
import { gateway, senderOf, sms } from "./server.ts"

const keyOf = (fill: number) => Buffer.alloc(32, fill)
const secretOf = (fill: number) => Redacted.make(`whsec_${keyOf(fill).toString("base64")}`)

const webhook = (url: string, secret: Webhook.Settings["secret"] = secretOf(1), headers: Webhook.Settings["headers"] = {}) =>
  senderOf(Webhook.layer({ url: Redacted.make(url), secret, headers }))

/** Verifies a signature as a receiver does, by the steps of the specification (Standard Webhooks). */
const isSigned = ({ headers, body }: Request, key: Buffer) => {
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  const expected = `v1,${createHmac("sha256", key).update(content).digest("base64")}`
  return String(headers["webhook-signature"]).split(" ").includes(expected)
}

describe("a webhook", () => {
  it.effect("gets JSON by POST, signed as Standard Webhooks requires", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway()
      yield* TestClock.adjust("1700000000500 millis")
      yield* (yield* webhook(`${origin}/sms?tenant=1`)).send({ ...sms, text: "Zwölf ✓" })
      const [request = assert.fail("no request")] = requests
      assert.strictEqual(`${request.method} ${request.path}`, "POST /sms?tenant=1")
      assert.strictEqual(request.headers["content-type"], "application/json")
      assert.deepStrictEqual(JSON.parse(request.body), { to: sms.to, body: "Zwölf ✓" })
      assert.strictEqual(request.headers["webhook-id"], sms.id)
      assert.strictEqual(request.headers["webhook-timestamp"], "1700000000")
      assert.isTrue(isSigned(request, keyOf(1)))
      assert.isFalse(isSigned(request, keyOf(2)))
      assert.isFalse(isSigned({ ...request, body: request.body.replace("5550001", "5550002") }, keyOf(1)))
    }),
  )

  it("is verified in these tests as the specification's own libraries do", () => {
    // The vector in the tests of https://github.com/standard-webhooks/standard-webhooks.
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    const key = Webhook.keyOf("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") ?? assert.fail("the key is not one")
    assert.isTrue(isSigned({ method: "POST", path: "/", headers, body: '{"test": 2432232314}' }, key))
  })

  it.effect("can recognise a repeated message by its id, and an old one by its time", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway()
      const { send } = yield* webhook(origin)
      yield* send(sms)
      yield* TestClock.adjust("10 seconds")
      yield* send(sms)
      assert.deepStrictEqual(
        requests.map(({ headers }) => [headers["webhook-id"], headers["webhook-timestamp"]]),
        [
          [sms.id, "0"],
          [sms.id, "10"],
        ],
      )
    }),
  )

  it.effect("gets a signature for every secret, so that it can change from one to the next", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway()
      yield* (yield* webhook(origin, [secretOf(1), secretOf(2)])).send(sms)
      const [request = assert.fail("no request")] = requests
      assert.deepStrictEqual(
        [1, 2, 3].map((fill) => isSigned(request, keyOf(fill))),
        [true, true, false],
      )
    }),
  )

  it.effect("gets the configured header fields", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway()
      yield* (yield* webhook(origin, secretOf(1), { Authorization: Redacted.make("Bearer x"), "X-Tenant": Redacted.make("1") })).send(sms)
      assert.strictEqual(requests[0]?.headers.authorization, "Bearer x")
      assert.strictEqual(requests[0]?.headers["x-tenant"], "1")
    }),
  )
})

describe("the settings", () => {
  it.each([
    [`whsec_${Buffer.alloc(24).toString("base64")}`, 24],
    [`whsec_${Buffer.alloc(25).toString("base64")}`, 25],
    [`whsec_${Buffer.alloc(64).toString("base64")}`, 64],
    [`whsec_${Buffer.alloc(23).toString("base64")}`, undefined],
    [`whsec_${Buffer.alloc(65).toString("base64")}`, undefined],
    [Buffer.alloc(32).toString("base64"), undefined],
    [`whsec_${Buffer.alloc(25).toString("base64").replace("=", "")}`, undefined],
    [`whsec_${Buffer.alloc(32, 255).toString("base64url")}`, undefined],
    [`whpk_${Buffer.alloc(32).toString("base64")}`, undefined],
    ["whsec_", undefined],
    ["", undefined],
  ])("%s has a key of %s bytes", (secret, length) => {
    assert.strictEqual(Webhook.keyOf(secret)?.length, length)
  })

  it.each([
    ["Authorization", "Bearer x", true],
    ["x-api-key", "", true],
    ["webhook-id", "1", false],
    ["Webhook-Signature", "v1,x", false],
    ["Content-Type", "text/plain", false],
    ["content-length", "0", false],
    ["Host", "example.com", false],
    ["transfer-encoding", "chunked", false],
    ["x y", "1", false],
    ["", "1", false],
    ["x", "1\r\ny: 2", false],
    ["x", "ü", false],
  ])("header field %j: %j can stand there: %s", (field, value, expected) => {
    assert.strictEqual(Webhook.isHeader(field, value), expected)
  })
})

it("has a key derived from each of the service's secrets, where none is configured", () => {
  const [first = "", second = ""] = Webhook.derivedFrom([Redacted.make("a".repeat(32)), Redacted.make("b".repeat(32))]).map(Redacted.value)
  assert.strictEqual(Webhook.keyOf(first)?.length, 32)
  assert.strictEqual(first, `whsec_${Buffer.from(hkdfSync("sha256", "a".repeat(32), "", "sallyport/sms/webhook", 32)).toString("base64")}`)
  assert.notStrictEqual(first, second)
})
