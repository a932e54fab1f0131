import en from "./catalogs/en.json" with { type: "json" }
import { type Catalog, makeTexts, type Texts } from "./texts.ts"

type Load = () => Promise<{ readonly default: Catalog }>
interface BuiltIn {
  /** The language's own name. */
  readonly name: string
  readonly load: Load
  /** The texts of the console. */
  readonly console: Load
}

/** The languages of the service; the first one is the default. A catalog is loaded at its first use. */
export const catalogs: Readonly<Record<string, BuiltIn>> = {
  en: {
    name: "English",
    load: async () => ({ default: en }),
    console: () => import("./console/en.json", { with: { type: "json" } }),
  },
  de: {
    name: "Deutsch",
    load: () => import("./catalogs/de.json", { with: { type: "json" } }),
    console: () => import("./console/de.json", { with: { type: "json" } }),
  },
  fr: {
    name: "Français",
    load: () => import("./catalogs/fr.json", { with: { type: "json" } }),
    console: () => import("./console/fr.json", { with: { type: "json" } }),
  },
  es: {
    name: "Español",
    load: () => import("./catalogs/es.json", { with: { type: "json" } }),
    console: () => import("./console/es.json", { with: { type: "json" } }),
  },
  pt: {
    name: "Português",
    load: () => import("./catalogs/pt.json", { with: { type: "json" } }),
    console: () => import("./console/pt.json", { with: { type: "json" } }),
  },
  ja: {
    name: "日本語",
    load: () => import("./catalogs/ja.json", { with: { type: "json" } }),
    console: () => import("./console/ja.json", { with: { type: "json" } }),
  },
  "zh-Hans": {
    name: "简体中文",
    load: () => import("./catalogs/zh-Hans.json", { with: { type: "json" } }),
    console: () => import("./console/zh-Hans.json", { with: { type: "json" } }),
  },
  ar: {
    name: "العربية",
    load: () => import("./catalogs/ar.json", { with: { type: "json" } }),
    console: () => import("./console/ar.json", { with: { type: "json" } }),
  },
}

/** A language that visitors can choose. */
export interface Language {
  /** A BCP 47 tag. */
  readonly tag: string
  readonly name: string
}

/** Texts of the operator, by language and key. They replace single texts, and add languages. */
export type OwnTexts = Readonly<Record<string, Catalog>>

/** The texts of all modules in a language. */
export type TextsOfModules = (tag: string) => Promise<Catalog>

/** The languages of a service. */
export interface Languages {
  readonly list: ReadonlyArray<Language>
  /** The best language for these preferences, the most important first: a tag, a list of tags, or the value of `Accept-Language`. */
  readonly best: (preferences: ReadonlyArray<string | null | undefined>) => string
  /** The texts in a language of the list. */
  readonly load: (tag: string) => Promise<Texts>
  /** The same, with those of the console, which are loaded when an administrator visits it. */
  readonly loadForConsole: (tag: string) => Promise<Texts>
}

const loadConsole = async (tag: string): Promise<Catalog> => (await catalogs[tag]?.console())?.default ?? {}

/** The texts of the service and its modules in English, which has every key. */
export const loadEnglish = async (ofModules: TextsOfModules): Promise<Catalog> => ({
  ...en,
  ...(await loadConsole("en")),
  ...(await ofModules("en")),
})

/** The built-in languages and those of the operator. */
export const makeLanguages = (own: OwnTexts, ofModules: TextsOfModules): Languages => {
  const added = Object.keys(own).filter((tag) => !Object.hasOwn(catalogs, tag))
  const list = [
    ...Object.entries(catalogs).map(([tag, { name }]) => ({ tag, name })),
    ...added.map((tag) => ({ tag, name: new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag })),
  ]
  const bestBuiltIn = makeBest(Object.keys(catalogs))

  /**
   * A text that an own language lacks is taken from the built-in language it is a variant of, such as `de` for `de-AT`. The operator's names
   * of scopes, roles and providers, which no catalog has, are in English where a language lacks them.
   */
  const catalogOf = async (tag: string, english: Catalog, more: TextsOfModules): Promise<Catalog> => {
    const base = bestBuiltIn([tag])
    const [built, further] = await Promise.all([catalogs[base]?.load(), more(base)])
    return { ...own["en"], ...english, ...built?.default, ...further, ...(base === tag ? {} : own[base]), ...own[tag] }
  }
  const loadWith = (more: TextsOfModules) => {
    const made = new Map<string, Texts>()
    return async (tag: string) => {
      const known = made.get(tag)
      if (known !== undefined) return known
      const english = { ...en, ...(await more("en")) }
      const texts = makeTexts(tag, await catalogOf(tag, english, more), english)
      made.set(tag, texts)
      return texts
    }
  }

  return {
    list,
    best: makeBest(list.map(({ tag }) => tag)),
    load: loadWith(ofModules),
    loadForConsole: loadWith(async (tag) => ({ ...(await ofModules(tag)), ...(await loadConsole(tag)) })),
  }
}

interface Known {
  readonly tag: string
  readonly language: string | undefined
}

/** Finds the best of these tags for a list of preferences, or else `en`, in time that their number and length do not change beyond the limits below. */
const makeBest = (tags: ReadonlyArray<string>) => {
  const known = new Map(tags.map((tag): [string, Known] => [tag.toLowerCase(), { tag, language: languageOf(tag) }]))

  return (preferences: ReadonlyArray<string | null | undefined>): string => {
    for (const preference of preferences.flatMap((each) => rangesOf(each ?? ""))) {
      const language = languageOf(preference)
      if (language === undefined) continue
      const found = sameOrBroader(known, preference, language) ?? [...known.values()].find((each) => each.language === language)
      if (found !== undefined) return found.tag
    }
    return "en"
  }
}

/** The tag itself, or the nearest tag that leaves out its last subtags (RFC 4647 section 3.4), as `pt` does for `pt-BR`. */
const sameOrBroader = (known: ReadonlyMap<string, Known>, preference: string, language: string): Known | undefined => {
  for (let range = preference.toLowerCase(); range !== ""; range = range.slice(0, Math.max(0, range.lastIndexOf("-")))) {
    const found = known.get(range)
    if (found?.language === language) return found
  }
  return undefined
}

/** The longest list of preferences that is read, in UTF-16 code units; the rest is ignored. */
const maxListLength = 500
/** Further ranges of a list are ignored. */
const maxRanges = 20
/** The longest tag that implementations must accept (RFC 5646 section 4.4.1), in UTF-16 code units; longer ones are ignored. */
const maxTagLength = 35

/** The tags of a list, by their weights (RFC 9110 section 12.5.4). */
const rangesOf = (list: string): ReadonlyArray<string> =>
  list
    .slice(0, maxListLength)
    .split(/[\s,]+(?!q=)/, maxRanges)
    .map((range) => {
      const [tag = "", weight = "1"] = range.split(/\s*;\s*q=/)
      return { tag, weight: Number(weight) }
    })
    .filter(({ tag, weight }) => tag.length <= maxTagLength && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)

/** The language and script of a tag, such as `zh-Hans` for `zh-CN`; undefined if it is no tag. */
const languageOf = (tag: string): string | undefined => {
  if (!/^[A-Za-z0-9-]{2,}$/.test(tag)) return undefined
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  } catch {
    return undefined
  }
}
