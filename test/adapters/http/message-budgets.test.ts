import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import { phone } from "../../../application/modules/phone/index.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { core, emails, texts, times } from "../../world.ts"
import { query } from "../graphql/request.ts"
import { post, refused, type Served, served } from "./served.ts"

const codes = Schema.decodeSync(CodeSettings)({})
const place: Served = {
  modules: [...core, phone.build(codes), emailOtp.build(codes), magicLink.build({ expires_in: 600, disable_signup: false })],
  // Requests have more room than by default, so that only the budgets of messages refuse.
  settings: { rate_limit: { enabled: true, requests: { limit: 10_000 } }, trusted_proxies: ["127.0.0.0/8"] },
  graphql: {},
}
const from = (address: string) => ({ headers: { "x-forwarded-for": address } })
const statuses = (answers: ReadonlyArray<{ readonly status: number }>) =>
  Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all = []]) => [status, all.length])

describe("messages over HTTP, with their default budgets", () => {
  layer(served(place))((it) => {
    it.effect("300 numbers from one address get 100 messages, whichever shell is used", () =>
      Effect.gen(function* () {
        const numbers = times(300, (index) => `+8823467${index}`)
        const answers = yield* Effect.forEach(numbers, (number) => post("/phone/send-otp", { phone: number }, from("203.0.113.1")), {
          concurrency: 10,
        })
        assert.deepStrictEqual(statuses(answers), [
          ["200", 100],
          ["429", 200],
        ])
        assert.lengthOf(yield* texts, 100)

        const last = answers.findLast(({ status }) => status === 429)!
        assert.strictEqual(refused(last), "429 rate_limited")
        const { "ratelimit-limit": limit, "ratelimit-remaining": remaining, "ratelimit-reset": reset } = last.headers
        assert.deepStrictEqual([limit, remaining, reset], ["100", "0", last.headers["retry-after"]])
        assert.isAtLeast(Number(reset), 3590)

        const document = 'mutation { phoneSendOtp(input: { phone: "+15551234567" }) { success } }'
        const answer = yield* query(document, {}, from("203.0.113.1"))
        assert.include(JSON.stringify(answer), "rate_limited")
        assert.strictEqual((yield* post("/phone/send-otp", { phone: "+15551234567" }, from("203.0.113.2"))).status, 200)
      }),
    )

    it.effect("400 addresses from one client get 300 mails", () =>
      Effect.gen(function* () {
        const send = (path: string) =>
          Effect.forEach(
            times(200, (index) => `${path.slice(1, 6)}${index}@example.com`),
            (email) => post(path, { email }, from("203.0.113.3")),
            { concurrency: 10 },
          )
        assert.deepStrictEqual(statuses([...(yield* send("/email-otp/send")), ...(yield* send("/magic-link/send"))]), [
          ["200", 300],
          ["429", 100],
        ])
        assert.lengthOf(yield* emails, 300)
      }),
    )
  })
})
