import { describe, expect, it } from "vitest"
import { makeLanguages } from "../../../adapters/texts/languages.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import { languageOf } from "../../composed.ts"
import { owned } from "../../owned.ts"

const subject = phrase("mail.magic_link.subject", { service: "Acme" })

describe("the best language", () => {
  const { best } = makeLanguages({ "de-AT": {}, nl: {}, "pt-PT": {} }, owned.texts)

  it.each([
    ["de-CH", "de"],
    ["de-AT", "de-AT"],
    ["DE-at", "de-AT"],
    ["de-at-1996", "de-AT"],
    ["nl-BE", "nl"],
    ["pt-BR", "pt"],
    ["pt-PT", "pt-PT"],
    ["zh-CN", "zh-Hans"],
    ["zh", "zh-Hans"],
    ["zh-TW", "en"],
    ["fr;q=0.2, ja;q=0.9", "ja"],
    ["fr;q=0, xx", "en"],
    ["", "en"],
    [null, "en"],
  ])("for %s is %s", (wish, tag) => expect(best([wish])).toBe(tag))

  it("is the first preference that exists", () => {
    expect(best([null, "xx", "ar", "de"])).toBe("ar")
  })
})

describe("the operator's texts", () => {
  it("replace single texts of a language, and of English", async () => {
    const own = { en: { "mail.magic_link.subject": "Your {service} link" }, de: { "mail.magic_link.subject": "Ihr Link für {service}" } }
    expect((await languageOf("en", own)).text(subject)).toBe("Your Acme link")
    const german = await languageOf("de", own)
    expect(german.text(subject)).toBe("Ihr Link für Acme")
    expect(german.text(phrase("mail.help"))).toBe("Hilfe")
  })

  it("name scopes, roles and providers, in English where a language lacks them", async () => {
    const own = { en: { "scope.notes": "Read your notes", "role.owner": "Boss" }, de: { "scope.looms": "Webstühle" } }
    const german = await makeLanguages(own, owned.texts).load("de")
    expect(["scope.notes", "scope.looms", "role.owner"].map((key) => german.find(key))).toEqual(["Read your notes", "Webstühle", "Inhaber"])
  })

  it("add languages, whose other texts are those of the language that they are a variant of, or English", async () => {
    const own = { "de-AT": { "mail.help": "Unterstützung" }, nl: { "mail.help": "Hulp" } }
    const austrian = await languageOf("de-AT", own)
    expect([austrian.text(phrase("mail.help")), austrian.text(subject)]).toEqual(["Unterstützung", "Anmelden bei Acme"])
    const dutch = await languageOf("nl", own)
    expect([dutch.text(phrase("mail.help")), dutch.text(subject)]).toEqual(["Hulp", "Sign in to Acme"])
    expect(makeLanguages(own, owned.texts).list.slice(-2)).toEqual([
      { tag: "de-AT", name: "Österreichisches Deutsch" },
      { tag: "nl", name: "Nederlands" },
    ])
  })
})

describe("a value in a text", () => {
  it("is isolated where it would change the direction of the sentence", async () => {
    expect((await languageOf("ar")).text(subject)).toBe("تسجيل الدخول إلى \u2068Acme\u2069")
    const english = await languageOf("en")
    expect(english.text(subject)).toBe("Sign in to Acme")
    expect(english.text(phrase(subject.key, { service: "שלום" }))).toBe("Sign in to \u2068שלום\u2069")
  })

  it("that is a provider has the operator's name, or one by its id", async () => {
    const own = { en: { "provider.okta": "Work account" } }
    const labels = async (tag: string) => {
      const { text } = await languageOf(tag, own)
      return ["okta", "github", "my_idp"].map((provider) => text(phrase("mail.credential.provider", { provider: { provider } })))
    }
    expect(await labels("en")).toEqual(["account at Work account", "account at GitHub", "account at My idp"])
    expect((await labels("ar"))[1]).toContain("\u2068GitHub\u2069")
  })

  it("may have braces, apostrophes and angle brackets", async () => {
    const service = "{x} 'y' <b> #"
    expect((await languageOf("en")).text(phrase(subject.key, { service }))).toBe(`Sign in to ${service}`)
  })

  it("of an unknown key is a defect", async () => {
    const english = await languageOf("en")
    expect(() => english.text(phrase("mail.unknown"))).toThrow("no catalog has the text mail.unknown")
  })
})
