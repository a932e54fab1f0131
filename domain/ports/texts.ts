import { Context, type DateTime, type Duration, type Effect } from "effect"

/** A text of the catalogs: its key, and the values of its placeholders. */
export interface Phrase {
  readonly key: string
  readonly values?: Values
}

export type Values = Readonly<Record<string, Value>>

/** The name of a social provider, by its id. */
export interface ProviderName {
  readonly provider: string
}

/** A value in a text, written as its language writes numbers, durations, times and lists. */
export type Value = string | number | Duration.Duration | DateTime.Utc | Phrase | ProviderName | ReadonlyArray<string | Phrase>

/** A text of the catalogs. */
export const phrase = (key: string, values?: Values): Phrase => (values === undefined ? { key } : { key, values })

/** The texts in one language. */
export interface Language {
  /** A BCP 47 tag. */
  readonly tag: string
  readonly dir: "ltr" | "rtl"
  /** The text of a phrase. A key that no catalog has is a defect. */
  readonly text: (phrase: Phrase) => string
}

/** The texts of mails and short messages. */
export class Texts extends Context.Service<
  Texts,
  {
    /** The best available language for these preferences, the most important first: language tags, or values of `Accept-Language`. */
    language(preferences: ReadonlyArray<string | null>): Effect.Effect<Language>
  }
>()("sallyport/Texts") {}
