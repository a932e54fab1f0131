import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { admin } from "../../../application/modules/admin/index.ts"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import { multiSession } from "../../../application/modules/multi_session/index.ts"
import { oneTimeToken } from "../../../application/modules/one_time_token/index.ts"
import { phone } from "../../../application/modules/phone/index.ts"
import { username } from "../../../application/modules/username/index.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { rulesOf } from "../../rule.ts"
import { browser as browserOf, core, emails, endpoints, isSignedIn, mailedToken, password, rows, signedUp, texts } from "../../world.ts"

// A ban between the steps of a sign-in, for each sign-in method.

const codes = Schema.decodeSync(CodeSettings)({})
const built = {
  admin: admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] }),
  emailOtp: emailOtp.build(codes),
  magicLink: magicLink.build({ expires_in: 600, disable_signup: false }),
  multiSession: multiSession.build({ max_sessions: 5 }),
  oneTimeToken: oneTimeToken.build({ expires_in: 60 }),
  phone: phone.build(codes),
  username: username.build({}),
}
const modules = [...core, ...Object.values(built)]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const browser = () => browserOf(auth)
const email = "ada@example.com"
const number = "+15550100"

const codeIn = (text: string | undefined) => Option.getOrThrow(Option.fromNullOr(/\b\d{6}\b/.exec(text ?? "")))[0]
const mailedCode = Effect.map(emails, (all) => codeIn(all.at(-1)?.text))
const textedCode = Effect.map(texts, (all) => codeIn(all.at(-1)?.text))

/** Ada, and an administrator who bans her. */
const both = Effect.gen(function* () {
  const root = yield* signedUp("root@example.com")
  const ada = yield* signedUp(email)
  const user_id = ada.user.id
  const ban = root.body(built.admin.endpoints.adminBanUser, { user_id })
  const unban = root.body(built.admin.endpoints.adminUnbanUser, { user_id })
  return { ada, ban, unban }
})

type Browser = ReturnType<typeof browser>

/** The steps before the ban, and the step after it. */
const ways: Readonly<Record<string, (ada: Browser) => Effect.Effect<(their: Browser) => Effect.Effect<string, any, any>, any, any>>> = {
  "the password": () => Effect.succeed((their) => their.code(endpoints.signInEmail, { email, password })),
  "a username": (ada) =>
    Effect.as(ada.body(built.username.endpoints.usernameSet, { username: "ada" }), (their: Browser) =>
      their.code(built.username.endpoints.signInUsername, { username: "ada", password }),
    ),
  "a mailed code": () =>
    Effect.gen(function* () {
      yield* browser().body(built.emailOtp.endpoints.emailOtpSend, { email })
      const otp = yield* mailedCode
      return (their: Browser) => their.code(built.emailOtp.endpoints.signInEmailOtp, { email, otp })
    }),
  "a mailed link": () =>
    Effect.gen(function* () {
      yield* browser().body(built.magicLink.endpoints.magicLinkSend, { email })
      const token = yield* mailedToken
      return (their: Browser) => their.code(built.magicLink.endpoints.magicLinkVerify, { token })
    }),
  "a telephone": (ada) =>
    Effect.gen(function* () {
      yield* ada.body(built.phone.endpoints.phoneSendOtp, { phone: number })
      yield* ada.body(built.phone.endpoints.phoneVerify, { phone: number, otp: yield* textedCode })
      yield* browser().body(built.phone.endpoints.phoneSendOtp, { phone: number })
      const otp = yield* textedCode
      return (their: Browser) => their.code(built.phone.endpoints.signInPhone, { phone: number, otp })
    }),
}

describe("a ban before the last step of a sign-in", () => {
  for (const [way, prepare] of Object.entries(ways)) {
    rule(`refuses the user at ${way}`, function* () {
      const { ada, ban } = yield* both
      const enter = (yield* prepare(ada)) as (their: Browser) => ReturnType<Browser["code"]>
      yield* ban
      const their = browser()
      assert.strictEqual(yield* enter(their), "banned")
      assert.isFalse(yield* isSignedIn(their))
      assert.lengthOf(yield* rows(Sessions), 1)
    })
  }

  rule("ends a session during its hand-off", function* () {
    const { ada, ban } = yield* both
    const { token } = yield* ada.body(built.oneTimeToken.endpoints.oneTimeTokenGenerate)
    yield* ban
    assert.strictEqual(yield* browser().code(built.oneTimeToken.endpoints.oneTimeTokenVerify, { token }), "invalid_token")
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("ends the other sessions, which stay ended after the ban", function* () {
    const { ada, ban, unban } = yield* both
    const { session } = yield* ada.body(endpoints.getSession)
    yield* ada.body(endpoints.signUpEmail, { email: "bob@example.com", password })
    yield* ban
    yield* unban
    const { sessions } = yield* ada.body(built.multiSession.endpoints.multiSessionList)
    assert.deepStrictEqual(
      sessions.map(({ user }) => user.email),
      ["bob@example.com"],
    )
    const { multiSessionSetActive } = built.multiSession.endpoints
    assert.strictEqual(yield* ada.code(multiSessionSetActive, { session_id: session?.id }), "session_not_found")
  })
})
