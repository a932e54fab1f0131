import type { Failure } from "../http.ts"
import { formatted, type Texts } from "./texts.ts"

/** The text of an error; a general one without it, or for an unknown code. */
export const errorText = ({ catalog, tag }: Texts, error?: Pick<Failure<string>, "code" | "retryAfter"> | null): string => {
  const { code, retryAfter = 60 } = error ?? {}
  const minutes = Math.ceil(retryAfter / 60)
  const text = catalog[`error.${code}`] ?? catalog["error.unknown"] ?? ""
  const counted = typeof text === "string" ? text : (text[new Intl.PluralRules(tag).select(minutes)] ?? text["other"] ?? "")
  return formatted(counted, { minutes: minutes.toLocaleString(tag) })
}
