import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { attributeField, enteredAttributes } from "../../../adapters/pages/components/attribute-fields.ts"
import type { View } from "../../../adapters/pages/view.ts"
import { catalogs } from "../../../adapters/texts/languages.ts"
import { usersModules } from "../../../application/modules/index.ts"
import { attributesFrom } from "../../../domain/attributes/attributes.ts"
import { Settings } from "../../../domain/attributes/settings.ts"
import { UserAttributes } from "../../../domain/attributes/tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import { modules } from "../../everything.ts"
import { password, rows } from "../../world.ts"
import { browse, withPages } from "./browse.ts"
import { rendered } from "./states/rendered.ts"

const text = { type: "string", maxLength: 20 }
const declared = {
  nickname: { schema: { ...text, title: "Your '{nick}' name", description: "Others see it." }, sign_up: true, unique: true },
  plan: { schema: { enum: ["free", "pro", 3] }, sign_up: true },
  size: { schema: { type: "number", minimum: 0 }, sign_up: true },
  age: { schema: { type: "integer", minimum: 18 }, sign_up: true },
  birthday: { schema: { type: "string", format: "date" }, sign_up: true },
  site: { schema: { type: "string", format: "uri" }, sign_up: true },
  contact: { schema: { type: "string", format: "email" }, sign_up: true },
  newsletter: { schema: { type: "boolean" }, sign_up: true },
  terms: { schema: { const: true, title: "Terms" }, sign_up: true },
  tags: { schema: { type: "array", items: { enum: ["a", 1, "b"] } }, sign_up: true },
  source: { schema: text, read: "admin", sign_up: true },
  risk: { schema: { type: "integer" }, write: "user" },
}
const settings = Schema.decodeUnknownSync(Settings)(declared)
const email_password = { enabled: true }
const filled = (email: string, values: Record<string, string>) => ({
  email,
  new_password: password,
  ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`attributes.${name}`, value])),
})

describe("the sign-up page", () => {
  it.layer(withPages([...modules, ...usersModules({ attributes: settings })], { email_password }))((it) => {
    it.effect("has a field for each attribute with sign_up, by its schema", () =>
      Effect.gen(function* () {
        const { forms, html, text } = yield* browse().open("/sign-up")
        const names = Object.keys(declared).filter((name) => name !== "risk" && name !== "plan")
        assert.deepStrictEqual(
          forms[0]?.fields.filter((name) => name.startsWith("attributes.")),
          names.map((name) => `attributes.${name}`),
        )
        assert.include(text, "Your '{nick}' name (optional) Others see it.")
        assert.include(html, '<label for="attributes.terms">Terms</label>')
        assert.include(html, '<option value="3" dir="auto">3</option>')
        assert.match(html, /<select id="attributes\.plan"/)
        for (const [name, type] of Object.entries({
          birthday: "date",
          contact: "email",
          site: "url",
          newsletter: "checkbox",
          size: "text",
        }))
          assert.match(html, new RegExp(`name="attributes\\.${name}" type="${type}"`), name)
      }),
    )

    it.effect("sends what is entered", () =>
      Effect.gen(function* () {
        const her = browse()
        const entered = {
          ...{ nickname: " Ada ", plan: "3", size: "1,5", age: "36", birthday: "1815-12-10", site: "https://example.com" },
          ...{ contact: "ada@example.com", newsletter: "yes", terms: "yes", tags: "a, 1", source: "" },
        }
        yield* her.press(yield* her.open("/sign-up"), "sign_up", filled("ada@example.com", entered))
        const [row] = yield* rows(UserAttributes)
        const { source: _, ...others } = entered
        const values = { ...others, nickname: "Ada", plan: 3, size: 1.5, age: 36, newsletter: true, terms: true, tags: ["a", 1] }
        assert.deepEqual(row?.values, values)
      }),
    )

    it.effect("shows all faults at once, with what was entered", () =>
      Effect.gen(function* () {
        const her = browse()
        const entered = { nickname: "x".repeat(21), size: "-1", age: "old", plan: "free", birthday: "1815-13-10" }
        const answer = yield* her.press(yield* her.open("/sign-up"), "sign_up", filled("nowhere", entered))
        assert.strictEqual(answer.status, 400)
        for (const fault of [
          "Enter an email address",
          "Your '{nick}' name: enter a valid value.",
          "size: enter",
          "age: enter",
          "birthday: enter",
        ])
          assert.include(answer.problem, fault)
        assert.notInclude(answer.problem, "plan")
        for (const name of ["email", "attributes.nickname", "attributes.size", "attributes.age", "attributes.birthday"]) {
          assert.include(answer.html, `href="#${name}"`)
          assert.include(answer.html, `id="${name}-fault"`)
        }
        assert.deepInclude(answer.forms[0]?.values ?? {}, { "attributes.nickname": entered.nickname, "attributes.plan": "free" })
        assert.lengthOf(
          (yield* rows(Users)).filter(({ email }) => email === "nowhere"),
          0,
        )
      }),
    )

    it.effect("says that another user has a unique value", () =>
      Effect.gen(function* () {
        const first = browse()
        yield* first.press(yield* first.open("/sign-up"), "sign_up", filled("one@example.com", { nickname: "Rare" }))
        const her = browse()
        const answer = yield* her.press(yield* her.open("/sign-up"), "sign_up", filled("two@example.com", { nickname: "Rare" }))
        assert.strictEqual(answer.status, 400)
        assert.include(answer.problem, "Another account has this value already.")
        assert.include(answer.html, 'id="attributes.nickname-fault"')
      }),
    )

    it.effect("is in the language of the visitor", () =>
      Effect.gen(function* () {
        for (const tag of Object.keys(catalogs)) {
          const her = browse()
          const page = yield* her.open(`/sign-up?ui_locales=${tag}`)
          const answer = yield* her.press(page, "sign_up", filled("nowhere", { size: "x", tags: "c" }))
          assert.notInclude(answer.text, "fault.", tag)
          assert.notInclude(answer.text, "field.", tag)
          if (tag !== "en") assert.notInclude(answer.text, "enter a valid value", tag)
        }
      }),
    )
  })

  it.layer(withPages(modules, { email_password }))((it) => {
    it.effect("sends no attributes where none are asked for", () =>
      Effect.gen(function* () {
        const her = browse()
        const page = yield* her.open("/sign-up")
        assert.notInclude(page.html, "attributes.")
        yield* her.press(page, "sign_up", filled("ada@example.com", {}))
        assert.lengthOf(yield* rows(Users), 1)
      }),
    )
  })
})

describe("the attributes of a form", () => {
  const attributes = attributesFrom(settings)
  const entered = (values: Record<string, string>) =>
    enteredAttributes(Object.fromEntries(Object.entries(values).map(([name, value]) => [`attributes.${name}`, value])), attributes)

  it("are left out if they are empty; a box that is not ticked is false where that is a value", () => {
    assert.deepStrictEqual(entered({ nickname: " ", plan: "", size: "", tags: "" }), { newsletter: false })
  })

  it("are sent as they are if they are no values, so that the service refuses them", () => {
    const values = { plan: "gold", size: "1.000,5", age: "0x10", tags: ",c;d,," }
    assert.deepStrictEqual(entered(values), { ...values, newsletter: false, tags: ["c;d"] })
  })

  it("have no field that a value could break out of", async () => {
    const [attribute] = attributesFrom(Schema.decodeUnknownSync(Settings)({ plan: { schema: { enum: ['"><b>'] }, sign_up: true } }))
    const main = (view: View) => attributeField(view, attribute ?? assert.fail("none"))
    const html = await rendered({ page: "/sign-up", name: "escaped", title: () => "", main }, "en")
    assert.include(html, "&lt;b&gt;")
    assert.notInclude(html, "<b>")
  })
})
