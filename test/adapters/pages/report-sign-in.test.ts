import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mailedToken, password } from "../../world.ts"
import { browse, signedUp, withPages } from "./browse.ts"

const path = "/report-sign-in"

describe("the report of a sign-in", () => {
  layer(withPages(undefined, { session: { notify_new_browser: true } }))((it) => {
    it.effect("waits for the button, and opens no session", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const eve = browse()
        yield* eve.api("/sign-in/email", { email: "ada@example.com", password })
        const token = yield* mailedToken

        const scanner = browse()
        for (let n = 0; n < 2; n++) yield* scanner.open(`${path}?token=${token}`)
        assert.strictEqual((yield* eve.api("/get-session")).user.email, "ada@example.com")

        const his = browse()
        const page = yield* his.open(`${path}?token=${token}`)
        assert.deepStrictEqual(page.via, [path])
        assert.include(page.text, "ada@example.com")
        const done = yield* his.press(page, "report")
        assert.include(done.text, "We have sent you an email with a link to set a new one.")
        assert.strictEqual((yield* his.api("/get-session")).session, null)
        for (const each of [ada, eve]) assert.strictEqual((yield* each.api("/get-session")).session, null)
        assert.include((yield* browse().open(`/reset-password?token=${yield* mailedToken}`)).heading, "password")

        const again = yield* browse().open(`${path}?token=${token}`)
        assert.include(again.heading, "This link no longer works")
      }),
    )

    it.effect("of an unknown token leads to the devices", () =>
      Effect.gen(function* () {
        const page = yield* browse().open(`${path}?token=unknown`)
        assert.include(page.heading, "This link no longer works")
        assert.include(page.html, 'href="/account/sessions"')
      }),
    )
  })
})
