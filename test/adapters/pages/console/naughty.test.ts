import { assert, describe, it } from "@effect/vitest"
import list from "big-list-of-naughty-strings" with { type: "json" }
import { Effect, Option } from "effect"
import { type HtmlElement, Parser, StaticConfigLoader } from "html-validate"
import { Store, type Versioned } from "../../../../domain/ports/store.ts"
import { changed } from "../../http/served.ts"
import type { Browse } from "../browse.ts"
import { withConsole } from "./console.ts"
import { addressesOf, populated, withAttributes } from "./populated.ts"

/** An empty text is shown by other elements, as is none. */
const naughty = list.filter((text) => text !== "")

/** The text that is stored, and the one that reads of the store return in its place. */
const harmless = "Harmless"
let shown = harmless

const isPlain = (value: object) => [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))

const replaced = <A>(value: A): A => {
  if (typeof value === "string") return value.replaceAll(harmless, () => shown) as A
  if (typeof value !== "object" || value === null || !isPlain(value)) return value
  if (Array.isArray(value)) return value.map(replaced) as A
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each)])) as A
}

const withText = <R>(found: Versioned<R>): Versioned<R> => ({ ...found, row: replaced(found.row) })

const replacing = changed(Store, (store) => ({
  read: (table, where) => Effect.map(store.read(table, where), Option.map(withText)),
  readWithReferencing: (table, where, other, field, rest) =>
    Effect.map(
      store.readWithReferencing(table, where, other, field, rest),
      Option.map(([row, referencing]) => [withText(row), Option.map(referencing, withText)] as const),
    ),
  list: (table, where, options) => Effect.map(store.list(table, where, options), replaced),
  listForEach: (table, field, values, options) => Effect.map(store.listForEach(table, field, values, options), replaced),
}))

const parser = new Parser(await new StaticConfigLoader({ root: true, elements: ["html5"] }).getConfigFor("page.html"))

/** The attributes whose values are addresses. */
const addresses = new Set(["href", "src", "action", "formaction"])

/** Whether an address leads to this service, or to another one by HTTP. */
const isSafe = (value: string) => ["http:", "https:"].includes(new URL(value.replaceAll("&amp;", "&"), "http://localhost").protocol)

const elementsOf = (html: string): ReadonlyArray<HtmlElement> => parser.parseHtml(html).querySelectorAll("*")

/** The elements of a page in their order, each with the names of its attributes, and the texts that browsers run or apply. */
const structureOf = (elements: ReadonlyArray<HtmlElement>) =>
  elements.flatMap(({ tagName, attributes, textContent }) => {
    const names = attributes.map(({ key }) => key)
    // Where a long word may break depends on the word.
    if (tagName === "wbr") return []
    return [[tagName, ...names, ...(["script", "style"].includes(tagName) ? [textContent] : [])].join(" ")]
  })

const unsafeIn = (elements: ReadonlyArray<HtmlElement>) =>
  elements.flatMap(({ attributes }) =>
    attributes.filter(({ key, value }) => addresses.has(key) && !isSafe(String(value))).map(({ key, value }) => `${key}="${value}"`),
  )

/** Controls, marks of direction and line breaks are shown in other ways. */
const visible = (text: string) => text.replace(/[\p{C}\p{Z}\s]+/gu, "")

const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&")

const pageOf = Effect.fnUntraced(function* pageOf({ request }: Browse, address: string, text: string) {
  shown = text
  const answer = yield* Effect.ensuring(
    request("GET", address),
    Effect.sync(() => {
      shown = harmless
    }),
  )
  assert.strictEqual(answer.status, 200, `${address} with ${JSON.stringify(text)}`)
  return answer.text
})

/** Compares a page with these texts with the page with the harmless one. */
const compare = Effect.fnUntraced(function* compare(owner: Browse, address: string, texts: ReadonlyArray<string>) {
  const expected = structureOf(elementsOf(yield* pageOf(owner, address, harmless)))
  for (const text of texts) {
    const html = yield* pageOf(owner, address, text)
    const elements = elementsOf(html)
    const about = `${address} with ${JSON.stringify(text)}`
    assert.deepStrictEqual(structureOf(elements), expected, about)
    assert.deepStrictEqual(unsafeIn(elements), [], about)
    assert.include(visible(unescaped(html)), visible(text), about)
  }
})

/** The strings, several as one text of at most this length if they fit, which takes less time. */
const joined = (strings: ReadonlyArray<string>, most: number) => {
  const [first = "", ...others] = strings
  const texts = [first]
  for (const each of others) {
    const longer = `${texts.at(-1)} ${each}`
    if (longer.length > most) texts.push(each)
    else texts[texts.length - 1] = longer
  }
  return texts
}

const texts = joined(naughty, 1000)
/** The pages of clients, service accounts and keys. Their names are short, without controls, also in answers. */
const hasNames = /^\/admin\/(client|machines|service-account|api-key)/
const names = joined(
  naughty.filter((text) => /^[^\p{C}]{1,64}$/u.test(text)),
  64,
)

describe("a hostile text that is stored", () => {
  it.layer(withConsole({}, withAttributes, { instead: replacing }))((it) => {
    it.effect(
      "is a text on every screen of the console",
      () =>
        Effect.gen(function* () {
          const service = yield* populated(harmless)
          const { owner, other } = service
          const pages: Array<string> = []
          for (const address of yield* addressesOf(service)) {
            if ((yield* pageOf(owner, address, harmless)).includes(harmless)) pages.push(address)
          }
          assert.isAbove(pages.length, 20)
          for (const address of pages) yield* compare(owner, address, hasNames.test(address) ? names : texts)
          yield* compare(owner, `/admin/user?id=${other}`, naughty)
        }),
      300_000,
    )
  })
})
