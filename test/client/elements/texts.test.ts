import { describe, expect, it } from "vitest"
import { catalogs } from "../../../adapters/texts/languages.ts"
import { parsed } from "../../../adapters/texts/texts.ts"
import { errorText } from "../../../client/elements/errors.ts"
import { type Key, languageOf, loadTexts } from "../../../client/elements/texts.ts"
import { elementTexts, textsModule } from "../../../packaging/element-texts.ts"

const values = { minutes: 1, provider: "GitHub", to: "ada@example.com", user: "{to} $& Ada" }

describe.each(Object.keys(catalogs))("the texts of the elements in %s", (tag) => {
  it("are those of the pages; `npm run client:update` writes them", async () => {
    await expect(textsModule(tag)).toMatchFileSnapshot(`../../../client/elements/texts/${tag}.ts`)
  })

  it("run in the direction of their writing", async () => {
    const { textInfo } = new Intl.Locale(tag) as Intl.Locale & { readonly textInfo?: { readonly direction: string } }
    expect((await loadTexts(tag)).dir).toBe(textInfo?.direction)
  })

  it.each([1, 2, 3, 11, 1000])("read as on the pages, for %d", async (minutes) => {
    const t = await loadTexts(tag)
    const given = { ...values, minutes }
    for (const [key, text] of Object.entries(elementTexts(tag))) {
      const shown = key.startsWith("error.") ? errorText(t, { code: key.slice(6), retryAfter: 60 * minutes }) : t(key as Key, given)
      expect(shown).toBe(parsed(text, tag).format(given))
    }
  })
})

describe("the language of a tag", () => {
  it.each([
    ["de-AT", "de"],
    ["PT-br", "pt"],
    ["zh", "zh"],
    ["zh-CN", "zh"],
    ["zh-Hans-TW", "zh"],
    ["zh-Hant", "en"],
    ["zh-TW", "en"],
    ["ar-EG", "ar"],
    ["tlh", "en"],
    ["", "en"],
    ["not a tag", "en"],
    ["constructor", "en"],
  ])("%s is %s", (tag, language) => {
    expect(languageOf(tag)).toBe(language)
  })

  it("unknown errors have a text, and the pause of a limit is counted in minutes", async () => {
    const t = await loadTexts("en")
    expect(errorText(t, { code: "no_such_code" })).toBe("That did not work. Try again in a moment.")
    expect(errorText(t, { code: "rate_limited", retryAfter: 61 })).toBe("Too many attempts. Try again in 2 minutes.")
    expect(errorText(t, { code: "rate_limited", retryAfter: 60 })).toBe("Too many attempts. Try again in a minute.")
  })
})
