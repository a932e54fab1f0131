import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Duration } from "effect"
import type { IntlMessageFormat } from "intl-messageformat"
import { describe, expect, it } from "vitest"
import { catalogs, loadEnglish } from "../../../adapters/texts/languages.ts"
import { messageFault } from "../../../adapters/texts/messages.ts"
import type { Catalog } from "../../../adapters/texts/texts.ts"
import { parsed } from "../../../adapters/texts/texts.ts"
import { State as JobState } from "../../../application/modules/admin/jobs/tables.ts"
import { core, optional } from "../../../application/modules/index.ts"
import { eventTypes } from "../../../domain/events/event-types.ts"
import { Party } from "../../../domain/events/security-event.ts"
import { principalKinds } from "../../../domain/initiator.ts"
import { ImpersonationState } from "../../../domain/sessions/impersonation.ts"
import { languageOf } from "../../composed.ts"
import { owned } from "../../owned.ts"

const root = join(import.meta.dirname, "../../..")
const sources = ["domain", "application", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(root, folder, name), "utf8")),
)
const code = sources.join("\n")
const literals = new Set([...code.matchAll(/"([a-z_]+(?:\.[a-z0-9_]+)*)"/g)].map(([, text = ""]) => text))

/** The prefixes of keys that the code completes: with the code of an error, the name of a field, a role or a scope, or a type of event. */
const completed = [
  "account.activity.event.",
  "error.",
  "fault.",
  "role.",
  "scope.",
  ...[...code.matchAll(/`(console\.[a-z_.]+)\$\{/g)].map(([, prefix = ""]) => prefix),
]

const english = await loadEnglish(owned.texts)
const keys = Object.keys(english)

/** The English texts of the service without those of modules, and those of each module. */
const parts = await Promise.all(
  [
    { name: "the service", texts: catalogs["en"]?.load().then((loaded) => loaded.default) ?? {} },
    { name: "the console", texts: catalogs["en"]?.console().then((loaded) => loaded.default) ?? {} },
    ...[...core, ...optional].map(({ name, texts }) => ({ name, texts: texts("en") })),
  ].map(async ({ name, texts }) => ({ name, keys: Object.keys(await texts) })),
)

const modulesWithErrors = [...core, ...optional].map(({ name, errors }) => ({ name, codes: errors.map(({ code }) => code) }))

describe("the English texts", () => {
  it("has every key that the code names", () => {
    const calls = [...code.matchAll(/\b(?:t|find|rich|phrase)\(\s*"([^"]+)"/g)].map(([, key = ""]) => key)
    const ofMessages = [...literals].filter((text) => /^(mail|sms|console)\.(?!css|js)/.test(text))
    expect(calls.length).toBeGreaterThan(100)
    expect([...calls, ...ofMessages].filter((key) => english[key] === undefined)).toEqual([])
  })

  it("has no key that the code does not name in one literal", () => {
    const isUsed = (key: string) => literals.has(key) || completed.some((prefix) => key.startsWith(prefix))
    expect(keys.filter((key) => !isUsed(key))).toEqual([])
  })

  it("has a word for each value that the console shows by one", () => {
    const words = {
      kind: [...Party.fields.kind.literals, ...principalKinds],
      job: JobState.literals,
      impersonation: ImpersonationState.literals,
      outcome: ["success", "failure"],
    }
    const wanted = Object.entries(words).flatMap(([name, values]) => values.map((value) => `console.${name}.${value}`))
    expect(wanted.filter((key) => english[key] === undefined)).toEqual([])
  })

  it("has texts of activity for types of events that exist", () => {
    const types = new Set([eventTypes, ...[...core, ...optional].map(({ events }) => events)].flatMap(Object.keys))
    const named = keys.filter((key) => key.startsWith("account.activity.event.")).map((key) => key.slice("account.activity.event.".length))
    expect(named.filter((name) => !types.has(name))).toEqual([])
  })

  it("has texts of errors for codes that exist", () => {
    const codes = new Set([...code.matchAll(/\bdefine\(\s*"([a-z_]+)"/g)].map(([, name]) => name))
    const named = keys.filter((key) => key.startsWith("error.")).map((key) => key.slice("error.".length))
    expect(named.filter((name) => !codes.has(name) && !literals.has(`error.${name}`))).toEqual([])
  })

  it.each(parts)("of $name are sorted by key", ({ keys }) => {
    expect(keys).toEqual(keys.toSorted())
  })

  it.each(parts.slice(2))(
    "of $name are of mails, messages and errors; those of adapters/pages belong in adapters/texts/catalogs",
    ({ keys }) => {
      expect(keys.filter((key) => !/^(mail|sms|error)\./.test(key))).toEqual([])
    },
  )

  it("have each key once", () => {
    expect(parts.flatMap(({ keys }) => keys).toSorted()).toEqual(keys.toSorted())
  })

  it.each(modulesWithErrors)("of errors of $name stand beside the errors", ({ name, codes }) => {
    const own = parts.find((part) => part.name === name)?.keys ?? []
    expect(codes.map((code) => `error.${code}`).filter((key) => keys.includes(key) && !own.includes(key))).toEqual([])
  })
})

const languages = await Promise.all(
  Object.entries(catalogs).map(async ([tag, { load, console }]) => ({
    tag,
    catalog: { ...(await load()).default, ...(await console()).default, ...(await owned.texts(tag)) },
  })),
)

/** The plural categories of the counts that occur; French, for example, has another one for millions. */
const categoriesOf = (tag: string) => new Set(Array.from({ length: 1000 }, (_, count) => new Intl.PluralRules(tag).select(count)))

type Elements = ReturnType<IntlMessageFormat["getAst"]>
const pluralsIn = (elements: Elements): ReadonlyArray<ReadonlyArray<string>> =>
  elements.flatMap((element) => {
    if (!("options" in element)) return []
    const inner = Object.values(element.options).flatMap(({ value }) => pluralsIn(value))
    return "pluralType" in element ? [Object.keys(element.options), ...inner] : inner
  })

const pluralFaults = (tag: string, message: string) =>
  pluralsIn(parsed(message, tag).getAst()).flatMap((options) => [...categoriesOf(tag)].filter((category) => !options.includes(category)))

/** The width of a text in the cells of a terminal: ideographs are as wide as two letters. */
const widthOf = (text: string) =>
  [...text].reduce((width, character) => width + (/\p{M}/u.test(character) ? 0 : /[\u1100-\u115f\u2e80-\uffdc]/.test(character) ? 2 : 1), 0)

/** The alphabet in which a segment has 153 characters in place of 67 (3GPP TS 23.038), without Greek capitals. */
const gsm = /^[@£$¥èéùìòÇ\nØøÅå_ÆæßÉ !"#¤%&'()*+,./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà-]*$/

/** Labels of buttons, fields and links: short texts that end no sentence. */
const isLabel = (text: string) => text.length <= 30 && !/[.:?{]/.test(text)
/** A label must fit beside others at 320 pixels; a text may be longer than the English one, but not as long as two of it. */
const isTooLong = (text: string, original: string) =>
  isLabel(original) ? widthOf(text) > Math.min(40, Math.max(24, 2.2 * original.length)) : widthOf(text) > 40 + 1.6 * original.length

describe.each(languages)("the texts in $tag", ({ tag, catalog }) => {
  const messages = keys.map((key) => ({ key, message: catalog[key] ?? "", original: english[key] ?? "" }))
  const faulty = (isFault: (message: string, original: string) => boolean) =>
    messages.flatMap(({ key, message, original }) => (isFault(message, original) ? [`${key}: ${message}`] : []))

  it("has the keys of the English one", () => {
    expect(keys.filter((key) => catalog[key] === undefined)).toEqual([])
    expect(Object.keys(catalog).filter((key) => english[key] === undefined)).toEqual([])
    expect(faulty((message) => message.trim() !== message || message === "")).toEqual([])
  })

  it("has ICU messages with the same placeholders", () => {
    expect(messages.flatMap(({ key, message, original }) => messageFault(message, original)?.concat(`: ${key}`) ?? [])).toEqual([])
  })

  it("has a text for every plural category", () => {
    expect(faulty((message) => pluralFaults(tag, message).length > 0)).toEqual([])
  })

  it("has texts that fit where the English ones do", () => {
    expect(faulty(isTooLong)).toEqual([])
  })

  it("has no apostrophe that would quote a placeholder, and no straight quotation mark", () => {
    expect(faulty((message) => /'[{}]/.test(message) || message.includes('"'))).toEqual([])
  })

  it("writes a code for a phone in at most two segments of a short message", async () => {
    const { text } = await languageOf(tag)
    const values = { code: "1234567890", service: "Analytical Engines", duration: Duration.minutes(15) }
    const sms = `${text({ key: "sms.code", values })}\n\n@accounts.example.com #1234567890`
    expect(sms.length).toBeLessThanOrEqual(gsm.test(sms) ? 306 : 134)
  })
})

describe("the checks above", () => {
  it("find the faults", () => {
    expect(pluralFaults("ar", "{count, plural, one {#} other {#}}")).toEqual(["zero", "two", "few", "many"])
    expect(pluralFaults("fr", "{count, plural, one {#} other {#}}")).toEqual([])
    expect(messageFault("{other}", "{name}")).toBe("a text with {name}")
    expect(messageFault("{name", "{name}")).toMatch(/^an ICU message \(/)
    expect(isTooLong("Einverständniserklärung senden", "Send")).toBe(true)
    expect(isTooLong("Absenden", "Send")).toBe(false)
    const catalog: Catalog = { greeting: "l'{name}" }
    expect(/'[{}]/.test(catalog["greeting"] ?? "")).toBe(true)
  })
})
