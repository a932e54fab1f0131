import { DateTime, Duration, Effect, Layer } from "effect"
import { type Language, type Phrase, Texts, type Value } from "../../domain/ports/texts.ts"
import type { Languages, OwnTexts, TextsOfModules } from "./languages.ts"
import { providerNameIn } from "./provider-name.ts"
import type { Texts as CatalogTexts } from "./texts.ts"

/** The texts of mails and short messages, from the catalogs, the modules and the operator. Loads them with the first message. */
export const layer = (own: OwnTexts, ofModules: TextsOfModules) =>
  Layer.sync(Texts, () => {
    let languages: Promise<Languages> | undefined
    const made = new Map<string, Language>()
    const languageOf = async (preferences: ReadonlyArray<string | null>) => {
      languages ??= import("./languages.ts").then(({ makeLanguages }) => makeLanguages(own, ofModules))
      const { best, load } = await languages
      const tag = best(preferences)
      const language = made.get(tag) ?? makeLanguage(await load(tag))
      made.set(tag, language)
      return language
    }
    return Texts.of({ language: (preferences) => Effect.promise(() => languageOf(preferences)) })
  })

/** The texts in one language, with values in its notation. */
const makeLanguage = (texts: CatalogTexts): Language => {
  const { tag, dir } = texts
  const list = new Intl.ListFormat(tag, { type: "conjunction", style: "narrow" })
  const time = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeStyle: "short", hourCycle: "h23", timeZone: "UTC" })
  const isolate = (text: string) => (needsIsolation(text, dir) ? `\u2068${text}\u2069` : text)

  const write = (value: Value): string | number => {
    if (typeof value === "number") return value
    if (typeof value === "string") return isolate(value)
    if (Array.isArray(value)) return list.format(value.map((each) => String(write(each))))
    if (Duration.isDuration(value)) return durationIn(tag, value)
    if (DateTime.isDateTime(value)) return time.format(DateTime.toEpochMillis(value))
    if ("provider" in value) return isolate(providerNameIn(texts, value.provider))
    return text(value as Phrase)
  }
  const text = ({ key, values = {} }: Phrase): string => {
    const found = texts.find(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, write(value)])))
    if (found === undefined) throw new Error(`no catalog has the text ${key}`)
    return found
  }
  return { tag, dir, text }
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/**
 * Whether a value would change the order of the words around it. In mails, the characters that isolate a value (Unicode UAX #9) are more
 * widely supported than `<bdi>`, and also work in subjects and text.
 */
const needsIsolation = (text: string, dir: "ltr" | "rtl") => !/^[\p{N}]*$/u.test(text) && (dir === "rtl" || rightToLeft.test(text))

/** A duration in the largest unit that divides it. */
const durationIn = (tag: string, duration: Duration.Duration): string => {
  const seconds = Duration.toSeconds(duration)
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? ["second", 1]
  return new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length)
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const
