import { assert, describe, it } from "@effect/vitest"
import { caniemail } from "caniemail"
import { Effect, Layer } from "effect"
import { HtmlValidate } from "html-validate"
import { preview, written } from "../../../adapters/mail/preview.ts"
import { catalogs, loadEnglish } from "../../../adapters/texts/languages.ts"
import * as MailTexts from "../../../adapters/texts/mail-texts.ts"
import type { Phrase, Value } from "../../../domain/ports/texts.ts"
import { decode, Settings } from "../../../domain/settings.ts"
import { modules } from "../../everything.ts"
import { owned } from "../../owned.ts"

const tags = Object.keys(catalogs)
const branding = {
  name: "Söhne & Töchter",
  links: { support: "mailto:help@example.com" },
  colors: { brand: { light: "#7a1f5c", dark: "#e69bcb" } },
}
const configured = Layer.effect(Settings, Effect.orDie(decode({ public_url: "https://accounts.example.com", branding })))
const services = Layer.merge(configured, MailTexts.layer({}, owned.texts))

const files = await Effect.runPromise(preview(owned.mails, tags).pipe(Effect.provide(services)))
const mails = [...files].filter(([path]) => path.endsWith(".html") && path !== "index.html")
const inTag = (tag: string) => mails.filter(([path]) => path.startsWith(`${tag}/`))

/** The keys of a phrase and of its values. */
const keysOf = ({ key, values = {} }: Phrase): ReadonlyArray<string> => [key, ...Object.values(values).flatMap(keysIn)]
const keysIn = (value: Value): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(keysIn)
  return typeof value === "object" && "key" in value ? keysOf(value as Phrase) : []
}

const english = await loadEnglish(owned.texts)

/** The names of credentials, which modules declare with them. */
const labels = modules
  .flatMap(({ accountKinds, reclaimedTables }) => [...accountKinds, ...reclaimedTables])
  .flatMap(({ label }) => (label === undefined || typeof label === "string" ? [] : [label]))

/** The texts around the message. */
const around = ["mail.check_account", "mail.copy_link", "mail.details.browser", "mail.details.time", "mail.help"]

describe("the preview", () => {
  it.effect("has every text of mails", () =>
    Effect.gen(function* () {
      const phrases = Object.values(yield* written(owned.mails)).flatMap(({ subject, preheader, parts }) => [
        ...[subject, preheader].filter((text) => typeof text !== "string"),
        ...parts.flatMap((part) => (typeof part === "string" || "code" in part ? [] : "key" in part ? [part] : [part.label])),
      ])
      const shown = [...[...phrases, ...labels].flatMap(keysOf), ...around]
      assert.deepStrictEqual(
        [...new Set(shown)].toSorted(),
        Object.keys(english)
          .filter((key) => key.startsWith("mail."))
          .toSorted(),
      )
    }).pipe(Effect.provide(services)),
  )

  it("has each mail in each language as HTML and text, and an index of them", () => {
    assert.lengthOf(mails, tags.length * inTag("en").length)
    for (const [path] of mails) {
      assert.isTrue(files.has(path.replace(/html$/, "txt")))
      assert.include(files.get("index.html"), `href="${path}"`)
    }
  })
})

// Not Thunderbird, for which the data lack some features.
const clients = [
  ...["gmail.*", "apple-mail.*", "yahoo.*", "aol.*", "samsung-email.*", "protonmail.*", "fastmail.*", "hey.*", "mail-ru.*"],
  ...["outlook.windows", "outlook.macos", "outlook.outlook-com", "outlook.ios", "outlook.android"],
] as Parameters<typeof caniemail>[0]["clients"]

/** Features that some of these clients lack, and what their users see instead. */
const tolerated: Readonly<Record<string, string>> = {
  "@media": "the light colours",
  "color-scheme meta tag": "the light colours, or those that the client makes of them",
  "<style> element": "the light colours",
  "<body> element": "the styles of the <div> in its place",
  "display:none": "the sentence of the preheader twice, first in tiny letters",
  "max-height property": "the same",
  overflow: "the same",
  "system-ui, ui-serif, ui-sans-serif, ui-rounded, ui-monospace": "the next font of the list",
  "border-radius": "square corners",
  "rem unit": "square corners",
  "word-break": "a link that is broken by overflow-wrap",
  "overflow-wrap": "a link that is broken by word-break",
  "text-decoration": "an underlined label of a button",
  "lang attribute": "the voice of the reader's own language",
  "role attribute": "tables that screen readers announce",
  "width attribute": "the width of the style",
}

/** Rules for pages that mails violate: old clients support neither style sheets nor the newer name of the role. */
const lint = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    deprecated: "off",
    "long-title": "off",
    "no-inline-style": "off",
    "no-deprecated-attr": "off",
    "prefer-tbody": "off",
    "presentation-role-style": "off",
  },
})

// The other languages differ only in their texts.
describe.each(["en", "ar"])("the mails in %s", (tag) => {
  it("are valid HTML", () => {
    const faults = inTag(tag).flatMap(([path, html]) =>
      lint
        .validateStringSync(html)
        .results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${path}:${line} ${ruleId}: ${message}`)),
    )
    assert.deepStrictEqual(faults, [])
  })
})

describe.each(tags)("the mails in %s", (tag) => {
  it("use only features that clients support, except those that may be missing", () => {
    const unknown = new Set<string>()
    for (const [, html] of inTag(tag)) {
      for (const issues of caniemail({ clients, html }).issues.errors.values()) for (const { title } of issues) unknown.add(title)
    }
    assert.deepStrictEqual(
      [...unknown].filter((title) => !Object.hasOwn(tolerated, title)),
      [],
    )
    assert.isAbove(unknown.size, 5)
  })

  it("load nothing, and are smaller than 20 kB, which no client cuts", () => {
    for (const [path, html] of inTag(tag)) {
      assert.isBelow(Buffer.byteLength(html), 20_000, path)
      assert.notMatch(html, /src=|url\(|<link|<img|@import|<script/)
    }
  })

  it("state their language and its direction, outside and inside the body", () => {
    const attributes = `lang="${tag}" dir="${tag === "ar" ? "rtl" : "ltr"}"`
    for (const [, html] of inTag(tag)) {
      assert.include(html, `<html ${attributes}>`)
      assert.include(html, `<div ${attributes}`)
    }
  })

  it("have the brand, the links and the same parts as text and as HTML", () => {
    for (const [path, html] of inTag(tag)) {
      const text = files.get(path.replace(/html$/, "txt")) ?? ""
      assert.include(text, "Söhne & Töchter")
      assert.include(html, "Söhne &amp; Töchter")
      assert.include(text, "mailto:help@example.com")
      assert.include(html, 'href="mailto:help@example.com"')
      const written = decoded(html)
      for (const line of text
        .replace(/^Subject: /, "")
        .split("\n")
        .filter((line) => line !== "-- ")) {
        assert.include(written, line.replace(/:$/, ""), path)
      }
      assert.notMatch(text, /[{}]|undefined/)
    }
  })
})

const decoded = (html: string) =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&")
