import { Schema } from "effect"
import { isLanguageTag } from "../../domain/values/text.ts"
import type { Fault } from "../configuration-faults.ts"
import type { TextsOfModules } from "./languages.ts"

/** Texts of the operator, by language and key. */
export const Settings = Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.String))
export type Settings = typeof Settings.Type

/** The faults of texts: unknown languages and keys, and messages that cannot be formatted with the values of the English text. */
export const faultsOf = async (texts: Settings, ofModules: TextsOfModules): Promise<ReadonlyArray<Fault>> => {
  if (Object.keys(texts).length === 0) return []
  const [{ messageFault }, { loadEnglish }] = await Promise.all([import("./messages.ts"), import("./languages.ts")])
  const english = await loadEnglish(ofModules)
  return Object.entries(texts).flatMap(([tag, catalog]) => {
    if (!isLanguageTag(tag)) return [{ path: ["texts", tag], wanted: "a language tag such as de or pt-BR as the key" }]
    return Object.entries(catalog).flatMap(([key, message]): ReadonlyArray<Fault> => {
      const path = ["texts", tag, key]
      const original = isName(key) ? (english[key] ?? "") : english[key]
      if (original === undefined) return [{ path, known: Object.keys(english), wanted: "the key of a text (docs/configuration.md)" }]
      const wanted = messageFault(message, original)
      return wanted === null ? [] : [{ path, wanted }]
    })
  })
}

/** Names of the operator's own scopes, roles and providers, which no catalog has. */
const isName = (key: string) => /^(scope|role|provider)\../.test(key)
