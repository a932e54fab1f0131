import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { modules } from "../../../everything.ts"
import { core, mailedCode, password, rows } from "../../../world.ts"
import { served } from "../../http/served.ts"
import { addressOf, type Browse, browse, type Shown, signUp } from "../browse.ts"

const sign_in = { identifier_first: true }

let reads = 0
/** Counts what the store is asked. */
const counted = Layer.effect(
  Store,
  Effect.map(Store, (store) => ({
    ...store,
    read: (...given: Parameters<typeof store.read>) => {
      reads += 1
      return store.read(...given)
    },
  })),
)

/** A page without what differs for every browser and address. */
const alike = ({ html }: Shown) => html.replaceAll(/(form_token" value=")[^"]*/g, "$1").replaceAll(/(un)?known@example\.com/g, "")

const identified = (identifier: string, her: Browse = browse()) =>
  Effect.flatMap(her.open("/sign-in?return_to=%2Faccount%2Fsessions"), (page) => her.press(page, "identify", { identifier }))

describe("pages.sign_in.identifier_first", () => {
  it.layer(served({ modules, pages: { sign_in }, providers: ["google"], instead: counted }))((it) => {
    it.effect("asks for the name first, beside passkeys and providers, and then for the password", () =>
      Effect.gen(function* () {
        yield* signUp(browse())
        const her = browse()
        const page = yield* her.open("/sign-in?return_to=%2Faccount%2Fsessions")
        assert.notInclude(page.html, 'type="password"')
        assert.notInclude(page.text, "Send me a code by email")
        assert.match(page.html, /autocomplete="username webauthn"/)
        for (const text of ["Sign in with a passkey", "Continue with Google"]) assert.include(page.html, text)
        const proof = yield* her.press(page, "identify", { identifier: " ada@example.com" })
        assert.deepStrictEqual(proof.via, ["/sign-in/proof"])
        assert.match(proof.html, /autocomplete="username" value="ada@example.com" readonly/)
        assert.deepStrictEqual(Object.keys(proof.forms.at(-1)?.buttons ?? {}), ["password", "email_code", "magic_link"])
        const wrong = yield* her.press(proof, "password", { password: "wrong" })
        assert.deepStrictEqual([wrong.status, wrong.problem], [401, "The email address or the password is wrong."])
        const done = yield* her.press(wrong, "password", { password })
        assert.deepStrictEqual(done.via, ["/account/sessions"])
        assert.strictEqual(yield* addressOf(her), "ada@example.com")
      }),
    )

    it.effect("sends a code to the entered address", () =>
      Effect.gen(function* () {
        const her = browse()
        const sent = yield* her.press(yield* identified("code@example.com", her), "email_code")
        assert.strictEqual(sent.at, "/sign-in/code")
        assert.deepStrictEqual((yield* her.press(sent, "code", { code: yield* mailedCode })).via, ["/account/sessions"])
      }),
    )

    it.effect("offers numbers a code by SMS, and user names the password", () =>
      Effect.gen(function* () {
        const buttons = (page: Shown) => Object.keys(page.forms.at(-1)?.buttons ?? {})
        assert.deepStrictEqual(buttons(yield* identified("+44 20 7946 0018")), ["password", "phone_code"])
        assert.deepStrictEqual(buttons(yield* identified("ada")), ["password"])
        assert.strictEqual((yield* identified(" ")).problem, "Enter your email address or user name.")
      }),
    )

    it.effect("shows the same after the same work for known and unknown addresses", () =>
      Effect.gen(function* () {
        yield* signUp(browse(), "known@example.com")
        const results = []
        for (const address of ["known@example.com", "unknown@example.com"]) {
          const her = browse()
          const page = yield* her.open("/sign-in")
          reads = 0
          const proof = yield* her.press(page, "identify", { identifier: address })
          results.push([alike(proof), reads, (yield* rows(PendingMessages)).length])
        }
        assert.deepStrictEqual(results[0], results[1])
      }),
    )

    it.effect("leads back to the first page without a name", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* browse().open("/sign-in/proof")).via, ["/sign-in"])
      }),
    )
  })

  it.layer(served({ modules: core, pages: { sign_in } }))((it) => {
    it.effect("refuses a name that no way to sign in takes", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* identified("ada")).problem, "Enter an email address, such as name@example.com.")
      }),
    )
  })

  it.layer(served({ modules, pages: {} }))((it) => {
    it.effect("is off by default", () =>
      Effect.gen(function* () {
        const her = browse()
        const page = yield* her.open("/sign-in")
        assert.include(page.html, 'type="password"')
        yield* her.press(page, "password", { identifier: "ada@example.com", password: "wrong" })
        assert.deepStrictEqual((yield* her.open("/sign-in/proof")).via, ["/sign-in"])
      }),
    )
  })
})
