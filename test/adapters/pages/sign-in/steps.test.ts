import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { organization } from "../../../../application/modules/organization/index.ts"
import { twoFactor } from "../../../../application/modules/two_factor/index.ts"
import { shownBy } from "../../../two-factor.ts"
import { core, emails, mailedCode, mailedToken, password } from "../../../world.ts"
import { addressOf, type Browse, browse, type Shown, signIn, signUp, withPages } from "../browse.ts"

// How many pages a person sees, of which the last one reaches the goal.

/** A browser that notes each page that it shows. */
const counted = (browser: Browse = browse()) => {
  const pages: Array<string> = []
  const noted = (shown: Shown) => {
    pages.push(shown.at.replace(/\?.*/, ""))
    return shown
  }
  return {
    ...browser,
    pages,
    open: (path: string) => Effect.map(browser.open(path), noted),
    press: (...given: Parameters<Browse["press"]>) => Effect.map(browser.press(...given), noted),
  }
}

type Counted = ReturnType<typeof counted>

const newestLink = Effect.map(
  emails,
  (sent) => /http:\/\/localhost:3000(\/\S+)/.exec(sent.at(-1)?.text ?? "")?.[1] ?? assert.fail("no link"),
)

/** Sets up the authenticator app that a page asks for. */
const enrolled = Effect.fnUntraced(function* (their: Counted, asked: Shown) {
  const page = yield* their.press(asked, "start")
  const secret = /id="secret" dir="ltr">([A-Z2-7 ]+)</.exec(page.html)?.[1]?.replaceAll(" ", "") ?? assert.fail("no secret")
  return yield* their.press(yield* their.press(page, "confirm", { code: yield* shownBy(secret) }), "saved")
})

const factor = twoFactor.build({ methods: ["totp"], issuer: "service", backup_code_count: 3, required: "everyone" })
const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const email_password = { enabled: true, require_email_verification: true }

describe("the number of pages", () => {
  it.layer(withPages(core, { email_password }))((it) => {
    it.effect("is two until a new user has a verified address", () =>
      Effect.gen(function* () {
        const her = counted()
        const sent = yield* her.press(yield* her.open("/sign-up"), "sign_up", { email: "ada@example.com", new_password: password })
        assert.deepStrictEqual(her.pages, ["/sign-up", "/verify-email/sent"])
        yield* her.press(sent, "code", { code: yield* mailedCode })
        assert.deepStrictEqual([her.pages.at(-1), yield* addressOf(her)], ["/account", "ada@example.com"])
      }),
    )

    it.effect("is three until a forgotten password is replaced and the user signed in", () =>
      Effect.gen(function* () {
        const email = "forgetful@example.com"
        yield* signUp(browse(), email)
        const her = counted()
        yield* her.press(yield* her.open("/forgot-password"), "send", { email })
        const page = yield* her.open(yield* newestLink)
        assert.deepStrictEqual(her.pages, ["/forgot-password", "/forgot-password/sent", "/reset-password"])
        yield* her.press(page, "reset", { new_password: "another long password" })
        assert.deepStrictEqual([her.pages.at(-1), yield* addressOf(her)], ["/account", email])
      }),
    )
  })

  it.layer(withPages([...core, organizations, factor], { email_password }))((it) => {
    it.effect("is four until an invited newcomer who needs a second factor is in the organization", () =>
      Effect.gen(function* () {
        const owner = counted()
        yield* signUp(owner, "owner@example.com")
        yield* owner.press(yield* owner.open(`/verify-email?token=${yield* mailedToken}`), "verify")
        yield* enrolled(owner, yield* signIn(owner, "owner@example.com"))
        const { organization } = yield* owner.api("/organization/create", { name: "Looms", slug: "looms" })
        yield* owner.api("/organization/invite", { organization_id: organization.id, email: "new@example.com" })
        const her = counted()
        const asked = yield* her.press(yield* her.open(yield* newestLink), "join", { new_password: password })
        yield* enrolled(her, asked)
        const seen = ["/accept-invitation", "/sign-in/enrol", "/sign-in/enrol", "/sign-in/recovery-codes", "/account/organization"]
        assert.deepStrictEqual(her.pages, seen)
      }),
    )
  })
})
