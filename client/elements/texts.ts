import type en from "./texts/en.ts"

export type Key = Exclude<keyof typeof en, "error.rate_limited">
type Catalog = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** The text of a key with these values. */
export interface Texts {
  (key: Key, values?: Readonly<Record<string, string | number>>): string
  readonly tag: string
  readonly dir: "ltr" | "rtl"
  readonly catalog: Catalog
}

/** A file for each language of the pages; a browser loads only its own. */
const catalogs: Readonly<Record<string, () => Promise<{ readonly default: Catalog }>>> = {
  en: () => import("./texts/en.ts"),
  de: () => import("./texts/de.ts"),
  fr: () => import("./texts/fr.ts"),
  es: () => import("./texts/es.ts"),
  pt: () => import("./texts/pt.ts"),
  ja: () => import("./texts/ja.ts"),
  zh: () => import("./texts/zh-Hans.ts"),
  ar: () => import("./texts/ar.ts"),
}

/** The language of the catalogs for a BCP 47 tag, or else `en`, as for Chinese in traditional characters. */
export const languageOf = (tag: string): string => {
  const [language = ""] = tag.toLowerCase().split("-")
  return Object.hasOwn(catalogs, language) && !/^zh(?!-hans).*-(hant|tw|hk|mo)/i.test(tag) ? language : "en"
}

/** Loads the texts for a BCP 47 tag. */
export const loadTexts = async (wanted: string): Promise<Texts> => {
  const tag = languageOf(wanted)
  const { default: catalog } = await catalogs[tag]!()
  return Object.assign((key: Key, values: Parameters<Texts>[1] = {}) => formatted(catalog[key] as string, values), {
    ...{ tag, catalog },
    dir: tag === "ar" ? ("rtl" as const) : ("ltr" as const),
  })
}

export const formatted = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
