import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Twilio from "../../../adapters/sms/twilio.ts"
import { always, gateway, senderOf, sms } from "./server.ts"

const settings = { account_sid: `AC${"0a".repeat(16)}`, auth_token: Redacted.make("hunter2"), from: "+15550000" }
const twilio = (origin: string, from = settings.from) => senderOf(Twilio.layer({ ...settings, from }, origin))
const authorization = `Basic ${Buffer.from(`${settings.account_sid}:hunter2`).toString("base64")}`

describe("Twilio", () => {
  it.effect("gets requests as its REST API requires", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway(always(201, '{"sid": "SM1"}'))
      yield* (yield* twilio(origin)).send({ ...sms, text: "Zwölf & 50 % = ✓" })
      const [{ method, path, headers, body } = assert.fail("no request")] = requests
      assert.strictEqual(`${method} ${path}`, `POST /2010-04-01/Accounts/${settings.account_sid}/Messages.json`)
      assert.strictEqual(headers.authorization, authorization)
      assert.strictEqual(headers["content-type"], "application/x-www-form-urlencoded")
      assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(body)), { From: "+15550000", To: sms.to, Body: "Zwölf & 50 % = ✓" })
    }),
  )

  it.effect("chooses the sender where a messaging service is configured", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway()
      const service = `MG${"0a".repeat(16)}`
      yield* (yield* twilio(origin, service)).send(sms)
      const sent = Object.fromEntries(new URLSearchParams(requests[0]?.body))
      assert.deepStrictEqual(sent, { MessagingServiceSid: service, To: sms.to, Body: sms.text })
    }),
  )

  it.effect.each([
    ['{"code": 21211, "message": "The \'To\' number +15550001 is not valid", "status": 400}', ", Twilio error 21211"],
    ['{"code":"<script>"}', ""],
    ['{"code": 12345678901234567890}', ""],
    ["", ""],
    ["\u0000".repeat(100_000), ""],
  ] as const)("says why by number: %#", ([body, said]) =>
    Effect.gen(function* () {
      const { origin } = yield* gateway(always(400, body))
      const { permanent, reason } = yield* Effect.flip((yield* twilio(origin)).send(sms))
      assert.deepStrictEqual([permanent, reason], [true, `the gateway answered 400${said}`])
    }),
  )

  it.effect.each([
    "whatsapp:+15550001",
    "messenger:1",
    "client:ada",
    "sip:a@b",
    "ada@example.com",
    "",
    "++1",
    `+${"1".repeat(41)}`,
    "12",
    "+1\u0000555",
  ])("gets no message to %j", (to) =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway()
      const { permanent, reason } = yield* Effect.flip((yield* twilio(origin)).send({ ...sms, to }))
      assert.deepStrictEqual([permanent, reason], [true, "the recipient is not a telephone number"])
      assert.lengthOf(requests, 0)
    }),
  )

  it.effect.each(["+1 (555) 000-1", "0151.234567", "12345", "030/1234567"])("gets a message to %s as it was typed", (to) =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway()
      yield* (yield* twilio(origin)).send({ ...sms, to })
      assert.strictEqual(new URLSearchParams(requests[0]?.body).get("To"), to)
    }),
  )

  it.effect("is called to check the credentials", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* gateway()
      yield* Twilio.check(settings, origin)
      assert.deepStrictEqual([requests[0]?.method, requests[0]?.path], ["GET", `/2010-04-01/Accounts/${settings.account_sid}.json`])
      assert.strictEqual(requests[0]?.headers.authorization, authorization)

      const other = yield* gateway(always(401, '{"code": 20003, "message": "Authenticate"}'))
      const { reason } = yield* Effect.flip(Twilio.check(settings, other.origin))
      assert.strictEqual(reason, "the gateway answered 401, Twilio error 20003")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici)),
  )
})
