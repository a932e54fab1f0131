import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../../world.ts"
import type { Browse, Shown } from "./browse.ts"
import { browse, signedUp, withPages } from "./browse.ts"

/** The form of the footer. */
const menuOf = ({ html }: Shown) => {
  const [, to = "", token = ""] =
    /<form method="post" action="(\/language[^"]*)">\s*<input type="hidden" name="form_token" value="([^"]*)"/.exec(html) ?? []
  return { to, token }
}

const choose = Effect.fnUntraced(function* (their: Browse, page: Shown, tag: string) {
  const { to, token } = menuOf(page)
  const { headers } = yield* their.request("POST", to, { form_token: token, action: "save", tag })
  return yield* their.open(headers.location ?? "")
})

const localeOf = ({ api }: Browse) => Effect.map(api("/get-session"), ({ user }) => user.locale as string | undefined)

describe("the language", () => {
  it.layer(withPages())((it) => {
    it.effect("that a user chooses below a page is stored in the account", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const page = yield* choose(ada, yield* ada.open("/account/security"), "de")
        assert.deepStrictEqual([page.at, page.heading, yield* localeOf(ada)], ["/account/security", "Sicherheit", "de"])
        const other = browse()
        yield* other.press(yield* other.open("/sign-in"), "password", { identifier: "ada@example.com", password })
        assert.strictEqual((yield* other.open("/account")).heading, "Profil")
      }),
    )

    it.effect("is not stored without the token of the form, and only in the browser without a session", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("grace@example.com")
        const { to } = menuOf(yield* ada.open("/account"))
        yield* ada.request("POST", to, { action: "save", tag: "de" })
        yield* ada.request("GET", "/language?tag=fr")
        assert.isUndefined(yield* localeOf(ada))

        const visitor = browse()
        const page = yield* visitor.open("/sign-in")
        assert.strictEqual(menuOf(page).to, "")
        assert.include((yield* visitor.open("/language?tag=de&return_to=%2Fsign-in")).heading, "Anmelden")
      }),
    )

    it.effect("is a field of the profile, which can be emptied", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("mary@example.com")
        const page = yield* ada.open("/account")
        assert.strictEqual(page.forms[0]?.values["locale"], "")
        const french = yield* ada.press(yield* choose(ada, page, "de"), "save", { locale: "fr" })
        assert.deepStrictEqual([french.heading, yield* localeOf(ada)], ["Profil", "fr"])
        assert.include(french.html, '<html lang="fr"')
        const none = yield* ada.press(french, "save", { locale: "" })
        assert.deepStrictEqual([none.heading, yield* localeOf(ada)], ["Profile", undefined])
        yield* ada.api("/update-user", { locale: "it" })
        const kept = yield* ada.press(yield* ada.open("/account"), "save", { name: "Mary" })
        assert.deepStrictEqual([kept.heading, yield* localeOf(ada)], ["Profile", "it"])
      }),
    )
  })
})
