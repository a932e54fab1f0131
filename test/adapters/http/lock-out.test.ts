import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { username } from "../../../application/modules/username/index.ts"
import { core, emails, password, times } from "../../world.ts"
import { codes, query } from "../graphql/asked.ts"
import type { Answer, Served } from "./served.ts"
import { cookieOf, get, post, refused, served } from "./served.ts"

const codesByMail = emailOtp.build({ length: 6, ttl: 300, max_attempts: 3, disable_signup: false })
const limited = (budgets: object = {}): Served => ({
  modules: [...core, username.build({}), codesByMail],
  settings: { rate_limit: { enabled: true, ...budgets }, trusted_proxies: ["127.0.0.0/8"] },
  graphql: {},
})
const email = "ada@example.com"
const wrong = { email, password: "a wrong password" }
const from = (address: string, headers: object = {}) => ({ headers: { "x-forwarded-for": address, ...headers } })
const document = "mutation ($input: SignInEmailInput!) { signInEmail(input: $input) { user { id } } }"

/** The cookies of an answer, by name, with their attributes. */
const cookiesOf = ({ headers }: Answer) =>
  Object.fromEntries((headers["set-cookie"] ?? []).map((cookie) => [cookie.split("=")[0], cookie] as const))
const device = "__Host-known_device"
const deviceOf = (answer: Answer) => cookiesOf(answer)[device]?.split(";")[0] ?? assert.fail(`no device cookie: ${answer.text}`)

/** Uses up the sign-in budget of one network; returns the last response. */
const guesses = (address: string) =>
  Effect.map(Effect.all(times(11, () => post("/sign-in/email", wrong, from(address)))), (answers) => answers[10]!)

describe("an attacker's guesses over HTTP", () => {
  layer(served(limited()))((it) => {
    it.effect("block neither the owner's sign-in nor their change of password and deletion", () =>
      Effect.gen(function* () {
        const signedUp = yield* post("/sign-up/email", { email, password }, from("203.0.113.1"))
        const [session = ""] = cookiesOf(signedUp)["__Host-session"]?.split(";") ?? []
        const over = yield* guesses("198.51.100.7")
        assert.strictEqual(refused(over), "429 rate_limited")
        const { "ratelimit-limit": limit, "ratelimit-remaining": remaining, "ratelimit-reset": reset } = over.headers
        assert.deepStrictEqual([limit, remaining, reset], ["10", "0", over.headers["retry-after"]])
        assert.strictEqual(refused(yield* post("/sign-in/email", { email, password }, from("198.51.100.8"))), "429 rate_limited")

        assert.strictEqual((yield* post("/sign-in/email", { email, password }, from("203.0.113.1"))).status, 200)
        const owner = from("198.51.100.9", { cookie: session })
        const change = { current_password: password, new_password: "another fine password" }
        assert.strictEqual((yield* post("/change-password", change, owner)).status, 200)
        assert.strictEqual((yield* post("/delete-user", { password: change.new_password }, owner)).status, 200)
      }),
    )

    it.effect("do not block the password reset with requested codes", () =>
      Effect.gen(function* () {
        const answers = yield* Effect.all(times(6, () => post("/email-otp/send", { email }, from("198.51.100.7"))))
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 200, 200, 429],
        )
        assert.strictEqual(answers[5]?.headers["ratelimit-limit"], "5")
        assert.strictEqual((yield* post("/request-password-reset", { email }, from("198.51.100.7"))).status, 200)
      }),
    )
  })

  layer(served(limited()))((it) => {
    it.effect("block no step-up: neither requested messages nor wrong codes affect the owner's own code", () =>
      Effect.gen(function* () {
        const attacker = from("198.51.100.7")
        // A user without a password: only these step up by a mailed code.
        assert.strictEqual((yield* post("/email-otp/send", { email }, from("203.0.113.1"))).status, 200)
        const [first = ""] = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "") ?? []
        const cookie = cookieOf(yield* post("/sign-in/email-otp", { email, otp: first }, from("203.0.113.1")))
        const owner = from("203.0.113.1", { cookie })
        for (const _ of times(4, String)) assert.strictEqual((yield* post("/email-otp/send", { email }, attacker)).status, 200)
        assert.strictEqual((yield* post("/email-otp/send", { email }, attacker)).status, 429)
        assert.strictEqual((yield* post("/email-otp/send", { email }, owner)).status, 200)
        const [otp = ""] = /\b\d{6}\b/.exec((yield* emails).at(-1)?.text ?? "") ?? []
        for (const _ of times(3, String))
          assert.strictEqual(refused(yield* post("/sign-in/email-otp", { email, otp: "no code" }, attacker)), "400 invalid_otp")
        assert.strictEqual(refused(yield* post("/sign-in/email-otp", { email, otp }, attacker)), "400 invalid_otp")
        assert.strictEqual((yield* post("/step-up", { otp }, owner)).status, 200)
      }),
    )

    it.effect("at a username do not reveal whether an address has an account", () =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach([email, "unknown@example.com"], (address) =>
          Effect.gen(function* () {
            const guess = { email: address, password: "a wrong password" }
            for (const _ of times(10, String)) yield* post("/sign-in/email", guess, from("198.51.101.7"))
            return refused(yield* post("/sign-in/username", { username: address, password: "wrong" }, from("198.51.101.7")))
          }),
        )
        assert.deepStrictEqual(answers, Array(2).fill("401 invalid_credentials"))
      }),
    )
  })

  layer(served(limited()))((it) => {
    it.effect("are bounded in total for browsers that signed in before, whose cookies are invalid after a change of password", () =>
      Effect.gen(function* () {
        const here = from("203.0.113.1")
        const devices = [deviceOf(yield* post("/sign-up/email", { email, password }, here))]
        for (const _ of times(10, String)) devices.push(deviceOf(yield* post("/sign-in/email", { email, password }, here)))
        const codes = yield* Effect.forEach(
          devices.flatMap((cookie) => times(10, () => cookie)),
          (cookie) => Effect.map(post("/sign-in/email", wrong, from("198.51.100.7", { cookie })), ({ status }) => status),
        )
        assert.deepStrictEqual([codes.filter((code) => code === 401).length, codes.filter((code) => code === 429).length], [100, 10])

        yield* TestClock.adjust("300 seconds")
        const answer = yield* post("/sign-in/email", { email, password }, here)
        const change = { current_password: password, new_password: "another fine password" }
        const changed = yield* post("/change-password", change, from("203.0.113.1", { cookie: cookieOf(answer) }))
        yield* guesses("198.51.100.7")
        const known = (cookie: string) => post("/sign-in/email", wrong, from("198.51.100.7", { cookie }))
        assert.strictEqual((yield* known(devices[0] ?? "")).status, 429)
        assert.strictEqual((yield* known(deviceOf(changed))).status, 401)
      }),
    )
  })

  layer(served(limited({ sign_in_total: { limit: 10, window: 300 } })))((it) => {
    it.effect("do not lock out a browser that signed in before, by REST or by GraphQL", () =>
      Effect.gen(function* () {
        const first = yield* post("/sign-up/email", { email, password }, from("203.0.113.1"))
        assert.deepStrictEqual(Object.keys(cookiesOf(first)), ["__Host-session", device])
        assert.match(cookiesOf(first)[device] ?? "", /; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
        assert.isUndefined((yield* get("/get-session", from("203.0.113.1"))).headers["set-cookie"])
        yield* guesses("198.51.100.7")
        const input = { email, password }
        assert.strictEqual((yield* post("/sign-in/email", input, from("203.0.113.1"))).status, 429)

        const second = yield* post("/sign-in/email", input, from("203.0.113.1", { cookie: deviceOf(first) }))
        assert.strictEqual(second.status, 200)
        assert.notStrictEqual(deviceOf(second), deviceOf(first))
        const third = yield* query(document, { input }, from("203.0.113.1", { cookie: deviceOf(second) }))
        assert.deepStrictEqual([third.status, ...codes(third)], [200])
        assert.strictEqual((yield* post("/sign-in/email", input, from("203.0.113.1", { cookie: deviceOf(third) }))).status, 200)
        const withoutCookie = yield* query(document, { input }, from("203.0.113.1"))
        assert.deepStrictEqual(
          [...codes(withoutCookie), withoutCookie.headers["ratelimit-limit"], withoutCookie.headers["ratelimit-remaining"]],
          ["rate_limited", "10", "0"],
        )
      }),
    )
  })
})
