import { html, isSafeHtml, type SafeHtml } from "@remix-run/html-template"
import { IntlMessageFormat } from "intl-messageformat"
import en from "./catalogs/en.json" with { type: "json" }

/** The key of a text. Those of the console are loaded on its pages only, so a test compares them with the code. */
export type Key = keyof typeof en | `console.${string}`
/** The texts of a language by their keys, as ICU messages. */
export type Catalog = Readonly<Record<string, string>>
type Values = Readonly<Record<string, string | number | Date>>

/** The texts in one language. */
export interface Texts {
  /** A BCP 47 tag. */
  readonly tag: string
  readonly dir: "ltr" | "rtl"
  /** The text of a key with these values. */
  readonly t: (key: Key, values?: Values) => string
  /** The text of a key that is computed at run time; undefined if no catalog has it. */
  readonly find: (key: string, values?: Values) => string | undefined
  /** As HTML: values are in `<bdi>`, so that they do not change the direction of the sentence; HTML values stay as they are. */
  readonly rich: (key: Key, values: Readonly<Record<string, string | number | SafeHtml>>) => SafeHtml
  /** One after another, as the language lists words. */
  readonly listed: (parts: ReadonlyArray<string | SafeHtml>) => SafeHtml
  /** With the time zone, which is UTC. */
  readonly utc: (date: string | Date) => string
}

/** Texts of a language. A text that its catalog lacks is taken from `fallback`. */
export const makeTexts = (tag: string, catalog: Catalog, fallback: Catalog): Texts => {
  const formats = new Map<string, IntlMessageFormat>()
  const formatOf = (key: string): IntlMessageFormat | undefined => {
    const known = formats.get(key)
    const message = catalog[key] ?? fallback[key]
    if (known !== undefined || message === undefined) return known
    const format = parsed(message, catalog[key] === undefined ? "en" : tag)
    formats.set(key, format)
    return format
  }
  const find: Texts["find"] = (key, values) => formatOf(key)?.format(values) as string | undefined
  const lists = new Intl.ListFormat(tag, { style: "narrow" })
  const utcDates = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })

  return {
    tag,
    dir: rightToLeft.has(new Intl.Locale(tag).language) ? "rtl" : "ltr",
    find,
    t: (key, values) => find(key, values) ?? key,
    rich: (key, values) => {
      const marked = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)]))
      const parts = formatOf(key)?.formatToParts(marked) ?? []
      return html`${parts.map(({ value }) => (isSafeHtml(value) ? value : String(value)))}`
    },
    listed: (parts) => {
      if (parts.length < 2) return html`${[...parts]}`
      const shown = lists.formatToParts(parts.map((_, at) => String(at)))
      return html`${shown.map(({ type, value }) => (type === "element" ? parts[Number(value)] : value))}`
    },
    utc: (date) => `${utcDates.format(new Date(date))} UTC`,
  }
}

/** An ICU message. Angle brackets are text. Throws if the message has a syntax error. */
export const parsed = (message: string, tag: string) => new IntlMessageFormat(message, tag, undefined, { ignoreTag: true })

const rightToLeft = new Set(["ar", "fa", "he", "ur"])

const isolated = (value: string | number | SafeHtml) => (typeof value === "string" ? html`<bdi>${value}</bdi>` : value)
