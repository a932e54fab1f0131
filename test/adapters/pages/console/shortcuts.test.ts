import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { screens } from "../../../../adapters/pages/console/screens.ts"
import { browse } from "../browse.ts"
import { root, rootAgain, withConsole, withRole } from "./console.ts"

const letters = (html: string) =>
  [...html.matchAll(/href="\/admin([^"]*)"[^>]*data-go="(.)"/g)].map(([, path, key]) => [path, key] as const)

describe("the keyboard shortcuts of the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("lead to screens by keys of their own, and are listed for those that the visitor may see", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const page = yield* owner.open("/admin/shortcuts")
        const all = letters(page.html)
        assert.strictEqual(new Set(all.map(([, key]) => key)).size, all.length)
        const paths = screens.flatMap(({ path, section }) => (typeof section === "string" ? [] : [path === "/" ? "" : path]))
        assert.includeMembers(
          paths,
          all.map(([path = ""]) => path),
        )
        assert.isAbove(all.length, 8)
        for (const [, key] of all) assert.include(page.html, `<kbd>g</kbd> <kbd>${key}</kbd>`)

        const reader = yield* withRole(owner, "reader")
        const few = yield* reader.open("/admin/shortcuts")
        assert.deepStrictEqual(letters(few.html), [["/users", "u"]])
        assert.notInclude(few.html, "<kbd>g</kbd> <kbd>c</kbd>")
      }),
    )

    it.effect("are switched off and on again in one browser, for a year", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const isOn = Effect.map(owner.open("/admin/users"), ({ html }) => html.includes(" data-keys"))
        assert.isTrue(yield* isOn)
        const page = yield* owner.open("/admin/shortcuts")
        const { to, values } = owner.formOf(page, "off")
        const answer = yield* owner.request("POST", to, { ...values, action: "off" })
        assert.match(String(answer.headers["set-cookie"]), /console_keys=[^;]+;[^,]*Max-Age=31536000/i)
        assert.isFalse(yield* isOn)
        const other = browse()
        for (const [name, value] of owner.cookies) if (!name.includes("console_keys")) other.cookies.set(name, value)
        assert.include((yield* other.open("/admin/users")).html, " data-keys")

        const off = yield* owner.open("/admin/shortcuts")
        const on = yield* owner.press(off, "on")
        assert.strictEqual(on.notice, "The shortcuts are on in this browser.")
        assert.isTrue(yield* isOn)
      }),
    )
  })
})
