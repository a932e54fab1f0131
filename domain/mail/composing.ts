import type { DateTime } from "effect"
import { type Language, type Phrase, phrase } from "../ports/texts.ts"
import type { SettingsValue } from "../settings.ts"
import type { BrowserName } from "../values/browser-name.ts"
import { page } from "./html.ts"
import type { Message, Part, Written } from "./message.ts"

/** A mail without its recipient. */
export interface Text {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A BCP 47 tag. */
  readonly language: string
}

/** What a mail needs besides its message. */
export interface Setting {
  readonly language: Language
  readonly branding: SettingsValue["branding"]
  readonly links: Pick<SettingsValue["links"], "security">
  readonly time: DateTime.Utc
  /** The browser that caused the mail. */
  readonly browser: BrowserName | null
}

/** Renders a mail as text and HTML. Both have the same parts. */
export const compose = (message: Message, { language, branding, links, time, browser }: Setting): Text => {
  const service = oneLine(branding.name)
  const write = (text: string | Phrase) =>
    oneLine(typeof text === "string" ? text : language.text({ key: text.key, values: { ...text.values, service } }))
  const subject = write(message.subject)
  const account =
    message.leadsToAccount === true && links.security !== undefined ? [{ label: phrase("mail.check_account"), link: links.security }] : []
  const parts = [...message.parts, ...account].map((part) => written(part, write))
  const details = [
    write(phrase("mail.details.time", { time })),
    ...(browser === null || message.hidesCaller === true ? [] : [write(phrase("mail.details.browser", { ...browser }))]),
  ]
  const { support } = branding.links
  const help = support === undefined ? [] : [{ label: write(phrase("mail.help")), link: support }]
  return {
    subject,
    text: `${[...parts.map(inText), details.join("\n"), ...help.map(inText), `-- \n${service}`].join("\n\n")}\n`,
    html: page({
      ...{ language, branding, service, subject, parts, details, help },
      preheader: write(message.preheader),
      copy: write(phrase("mail.copy_link")),
    }),
    language: language.tag,
  }
}

const written = (part: Part, write: (phrase: Phrase) => string): Written => {
  if (typeof part === "string" || "code" in part) return part
  return "key" in part ? write(part) : { label: write(part.label), link: part.link }
}

const inText = (part: Written) => {
  if (typeof part === "string") return part
  return "code" in part ? part.code : `${part.label}:\n${part.link}`
}

/** Removes line breaks: in a subject, they would start another header, and in a paragraph another one. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim()
