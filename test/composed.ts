import { DateTime, Effect } from "effect"
import * as MailTexts from "../adapters/texts/mail-texts.ts"
import { compose, type Text } from "../domain/mail/composing.ts"
import type { Message } from "../domain/mail/message.ts"
import type { Language } from "../domain/ports/texts.ts"
import { Texts } from "../domain/ports/texts.ts"
import { decode } from "../domain/settings.ts"
import { owned } from "./owned.ts"

/** The texts in one language, as mails get them. */
export const languageOf = (tag: string, own: Parameters<typeof MailTexts.layer>[0] = {}): Promise<Language> =>
  Effect.runPromise(Effect.flatMap(Texts, ({ language }) => language([tag])).pipe(Effect.provide(MailTexts.layer(own, owned.texts))))

const english = await languageOf("en")
const { branding } = await Effect.runPromise(decode({}))

interface Own {
  readonly service?: string
  readonly language?: Language
  readonly links?: { readonly security?: string }
}

/** A mail in English, or another language, from a service with this name. */
export const composed = (message: Message, { service = branding.name, language = english, links = {} }: Own = {}): Text =>
  compose(message, {
    language,
    branding: { ...branding, name: service },
    links,
    time: DateTime.makeUnsafe("2026-11-05T14:03:00Z"),
    browser: { browser: "Firefox", system: "Linux" },
  })
