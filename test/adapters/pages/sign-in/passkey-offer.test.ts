import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emailOtp } from "../../../../application/modules/email_otp/index.ts"
import { passkey } from "../../../../application/modules/passkey/index.ts"
import { authenticator } from "../../../passkeys.ts"
import { core, password, withVerified } from "../../../world.ts"
import { served } from "../../http/served.ts"
import { type Browse, browse, type Shown, signedUp, signIn } from "../browse.ts"

const codes = emailOtp.build({ length: 6, ttl: 300, max_attempts: 3, disable_signup: false })
const modules = [...core, codes, passkey.build({})]
const offering = (offer_passkeys: boolean) => served({ modules, pages: { offer_passkeys } })
const day = "1 day"

const offer = "Sign in faster next time"

/** Signs in by the page, which leads to a target. */
const signInFor = Effect.fnUntraced(function* (their: Browse, identifier: string) {
  const page = yield* their.open("/sign-in?another=yes&return_to=%2Faccount%2Fsessions")
  return yield* their.press(page, "password", { identifier, password })
})

/** Follows the offer, and adds a passkey as the script of the page does. */
const addOffered = Effect.fnUntraced(function* (their: Browse, offered: Shown) {
  const [link = ""] = /\/account\/passkeys\/add\?offered=yes/.exec(offered.html) ?? []
  const page = yield* their.open(link)
  const { json: options } = yield* their.request("POST", "/account/passkey-options", their.formOf(page, "add").values)
  const response = JSON.stringify(authenticator().create(options))
  return yield* their.press(page, "add", { response, rp: options.rp.id, name: "Laptop" })
})

describe("the offer of a passkey", () => {
  it.layer(offering(true))((it) => {
    it.effect("comes after a sign-in without one, is skipped, and comes again in this browser after 30 days", () =>
      Effect.gen(function* () {
        yield* signedUp("ada@example.com")
        const her = browse()
        const offered = yield* signInFor(her, "ada@example.com")
        assert.deepStrictEqual([offered.via, offered.heading], [["/sign-in/passkey"], offer])
        assert.deepStrictEqual((yield* her.press(offered, "skip")).via, ["/account/sessions"])
        assert.deepStrictEqual((yield* signInFor(her, "ada@example.com")).via, ["/account/sessions"])
        for (const _ of Array(29)) yield* TestClock.adjust(day)
        assert.deepStrictEqual((yield* signInFor(her, "ada@example.com")).via, ["/account/sessions"])
        yield* TestClock.adjust(day)
        assert.deepStrictEqual((yield* signInFor(her, "ada@example.com")).via, ["/sign-in/passkey"])
        assert.deepStrictEqual((yield* signInFor(browse(), "ada@example.com")).via, ["/sign-in/passkey"])
      }),
    )

    it.effect("leads to the target once the passkey is added, and then comes no more", () =>
      Effect.gen(function* () {
        yield* signedUp("grace@example.com")
        const her = browse()
        const done = yield* addOffered(her, yield* signInFor(her, "grace@example.com"))
        assert.deepStrictEqual(done.via, ["/account/sessions"])
        assert.deepStrictEqual((yield* signInFor(browse(), "grace@example.com")).via, ["/sign-in/passkey", "/account/sessions"])
        assert.deepStrictEqual((yield* her.open("/sign-in/passkey")).via, ["/account"])
      }),
    )

    it.effect("does not come where no passkey can be added, and not to strangers", () =>
      Effect.gen(function* () {
        const { user } = yield* signedUp("new@example.com")
        yield* withVerified(user.id, false)
        assert.deepStrictEqual((yield* signInFor(browse(), "new@example.com")).via, ["/sign-in/passkey", "/account/sessions"])
        assert.strictEqual((yield* browse().open("/sign-in/passkey")).at, "/sign-in?return_to=%2Fsign-in%2Fpasskey")
      }),
    )

    it.effect("leads a user who adds a passkey later to the security page", () =>
      Effect.gen(function* () {
        yield* signedUp("later@example.com")
        const her = browse()
        yield* signInFor(her, "later@example.com")
        const page = yield* her.open("/account/passkeys/add")
        const { json: options } = yield* her.request("POST", "/account/passkey-options", her.formOf(page, "add").values)
        const response = JSON.stringify(authenticator().create(options))
        const added = yield* her.press(page, "add", { response, rp: options.rp.id, name: "Laptop" })
        assert.deepStrictEqual(added.via, ["/account/security"])
      }),
    )
  })

  it.layer(offering(false))((it) => {
    it.effect("is off by default", () =>
      Effect.gen(function* () {
        yield* signedUp("ada@example.com")
        assert.deepStrictEqual((yield* signIn(browse())).via, ["/account"])
      }),
    )
  })
})
