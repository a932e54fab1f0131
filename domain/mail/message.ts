import { type Phrase, phrase, type Values } from "../ports/texts.ts"

/** The content of a mail, before its language is chosen. */
export interface Message {
  readonly subject: string | Phrase
  /** The line that lists of mails show after the subject. It contains no code: such lists are visible on locked screens. */
  readonly preheader: string | Phrase
  readonly parts: ReadonlyArray<Part>
  /** Whether the caller's browser is left out, because the recipient is another person. */
  readonly hidesCaller?: true
  /** Whether a button leads to the page on which users secure their account (`links.security`). */
  readonly leadsToAccount?: true
}

/** A paragraph, a link with its label, or a code to enter. A text that is a string is the same in every language. */
export type Part = string | Phrase | { readonly label: Phrase; readonly link: string } | { readonly code: string }

/** A part in its language. */
export type Written = string | { readonly label: string; readonly link: string } | { readonly code: string }

/** A notice: a text with these values, and what a recipient who did not cause the change should do. */
export const notice = (subject: string, text: string, notYou: string, values?: Values): Message => ({
  subject: phrase(subject),
  preheader: phrase(notYou),
  parts: [phrase(text, values), phrase(notYou)],
})

/** A notice of a change that a stranger may have made, which the recipient can undo in the account. */
export const accountNotice = (...given: Parameters<typeof notice>): Message => ({ ...notice(...given), leadsToAccount: true })

/** A notice of what an administrator did, without the administrator's browser. */
export const administratorsNotice = (...given: Parameters<typeof notice>): Message => ({ ...notice(...given), hidesCaller: true })
