import { HtmlValidate } from "html-validate"
import { describe, expect, it } from "vitest"
import { nameOf, states } from "./states/index.ts"
import { rendered, tags } from "./states/rendered.ts"

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    // The serializer of templates leaves blanks between attributes and after the last one.
    "no-trailing-whitespace": "off",
    "attr-spacing": "off",
    "void-style": "off",
    "long-title": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "tel-non-breaking": "off",
    // HTML allows `autocapitalize` everywhere (section 6.8.6), also where it has no effect.
    "input-attributes": "off",
    // Styles that change the display of a table take its roles away, so they are written out.
    "no-redundant-role": "off",
    "valid-id": ["error", { relaxed: true }],
    "form-dup-name": ["error", { shared: ["radio", "checkbox", "submit", "button"] }],
    // Password managers read `passwordrules`, which HTML does not define.
    "no-unknown-attributes": "off",
  },
})

/** Types of events and permissions, which look like keys of texts, are in `<code>`. */
const hasMissing = (html: string) =>
  /\b(?:console|error|fault|field|layout|sign_in|sign_up)\.[a-z_]+\b/.exec(
    html.replace(/<code[^>]*>[^<]*<\/code>/g, " ").replace(/<[^>]*>/g, " "),
  )?.[0]

// In English and in one language in turn; `PAGES=all` validates each state in every language.
describe("the HTML of every state", () => {
  it("exists for at least the states of the list in the documentation", () => expect(states.length).toBeGreaterThan(100))
  it("has names of its own", () => expect(new Set(states.map(nameOf)).size).toBe(states.length))

  it.each(states.map((state, index) => ({ name: nameOf(state), state, index })))("$name", async ({ state, index }) => {
    const validated = process.env["PAGES"] === "all" ? tags : ["en", tags[index % tags.length]]
    for (const tag of tags) {
      const html = await rendered(state, tag)
      expect(hasMissing(html), `a key of a missing text in ${tag}`).toBeUndefined()
      if (!validated.includes(tag)) continue
      const { results } = await validator.validateString(html)
      const faults = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${tag} ${ruleId}: ${message} (${line})`),
      )
      expect(faults).toEqual([])
    }
  })
})
