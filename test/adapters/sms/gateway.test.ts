import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import * as Twilio from "../../../adapters/sms/twilio.ts"
import * as Webhook from "../../../adapters/sms/webhook.ts"
import { always, gateway, senderOf, sms, until } from "./server.ts"

const sid = `AC${"0a".repeat(16)}`
const token = "hunter2hunter2"
const key = `whsec_${Buffer.alloc(24, 7).toString("base64")}`

const twilio = (origin: string) => senderOf(Twilio.layer({ account_sid: sid, auth_token: Redacted.make(token), from: "+15550000" }, origin))
const webhook = (origin: string) =>
  senderOf(Webhook.layer({ url: Redacted.make(`${origin}/hunter2?x=hunter2`), secret: Redacted.make(key), headers: {} }))

for (const [name, sender] of [
  ["Twilio", twilio],
  ["a webhook", webhook],
] as const) {
  /** The result of a message with this answer. */
  const refusedBy = Effect.fnUntraced(function* (...answer: Parameters<typeof always>) {
    const { origin } = yield* gateway(always(...answer))
    const { permanent, reason } = yield* Effect.flip((yield* sender(origin)).send(sms))
    return { permanent, reason }
  })

  describe(`a message to ${name}`, () => {
    it.effect.each([200, 201, 202, 204])("that answers %i is delivered", (status) =>
      Effect.gen(function* () {
        const { origin, requests } = yield* gateway(always(status))
        yield* (yield* sender(origin)).send(sms)
        assert.lengthOf(requests, 1)
      }),
    )

    it.effect.each([
      [400, true],
      [403, true],
      [404, true],
      [410, true],
      [422, true],
      [401, false],
      [408, false],
      [429, false],
      [500, false],
      [503, false],
      [599, false],
      [304, false],
    ] as const)("that answers %i is refused for good: %s", ([status, permanent]) =>
      Effect.gen(function* () {
        const body = status === 304 ? "" : `{"message": "no such number ${sms.to}"}`
        assert.deepStrictEqual(yield* refusedBy(status, body), { permanent, reason: `the gateway answered ${status}` })
      }),
    )

    it.effect.each([301, 302, 303, 307, 308])("does not follow a %i", (status) =>
      Effect.gen(function* () {
        const elsewhere = yield* gateway()
        const refused = yield* refusedBy(status, "", { location: `${elsewhere.origin}/x` })
        assert.deepStrictEqual(refused, { permanent: false, reason: `the gateway answered ${status}` })
        assert.lengthOf(elsewhere.requests, 0)
      }),
    )

    it.effect("is delivered by the status alone, even if the rest of the answer is lost", () =>
      Effect.gen(function* () {
        const { origin, broken } = yield* gateway((_, response) => response.writeHead(200, { "content-length": "1000000000" }).write("{"))
        yield* (yield* sender(origin)).send(sms)
        yield* until(() => broken.length === 1)
      }),
    )

    it.effect("is refused without waiting for the end of the answer", () =>
      Effect.gen(function* () {
        const { origin, broken } = yield* gateway((_, response) => {
          const more = () => {
            while (response.write("x".repeat(65_536)));
          }
          response.writeHead(400).on("drain", more)
          more()
        })
        const refused = yield* Effect.flip((yield* sender(origin)).send(sms))
        assert.deepStrictEqual([refused.permanent, refused.reason], [true, "the gateway answered 400"])
        yield* until(() => broken.length === 1)
      }),
    )

    it.effect("that does not answer is aborted when the attempt is interrupted", () =>
      Effect.gen(function* () {
        const { origin, requests, broken } = yield* gateway(() => undefined)
        const sending = yield* Effect.forkChild((yield* sender(origin)).send(sms))
        yield* until(() => requests.length === 1)
        yield* Fiber.interrupt(sending)
        yield* until(() => broken.length === 1)
      }),
    )

    it.effect("that disconnects or is unreachable causes a retry, and the reason contains nothing secret", () =>
      Effect.gen(function* () {
        const { origin } = yield* gateway((request) => request.socket.destroy())
        const hung = yield* Effect.flip((yield* sender(origin)).send(sms))
        assert.deepStrictEqual([hung.permanent, hung.reason], [false, "UND_ERR_SOCKET"])

        const away = yield* Effect.scoped(gateway())
        const refused = yield* Effect.flip((yield* sender(away.origin)).send(sms))
        assert.deepStrictEqual([refused.permanent, refused.reason], [false, "ECONNREFUSED"])
      }),
    )

    it.effect("sends no trace headers", () =>
      Effect.gen(function* () {
        const { origin, requests } = yield* gateway()
        yield* Effect.withSpan((yield* sender(origin)).send(sms), "test")
        assert.notProperty(requests[0]?.headers, "traceparent")
        assert.notProperty(requests[0]?.headers, "b3")
      }),
    )
  })
}
