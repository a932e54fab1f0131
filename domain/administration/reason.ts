import { Schema, SchemaTransformation } from "effect"
import { Text } from "../values/text.ts"

/** The maximum length of a reason, in UTF-16 code units. */
const longest = 500

/**
 * A reason without characters that reorder or hide the text around it, on one line: logs and consoles show it beside other texts. No mail
 * contains it.
 */
const plain = (typed: string) =>
  typed
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim()

/** Why an administrator does something. */
export const Reason = Text.check(Schema.isMaxLength(longest)).pipe(
  Schema.decode(SchemaTransformation.transform({ decode: plain, encode: (reason: string) => reason })),
  Schema.check(Schema.isNonEmpty()),
)

/** A reason of more than a word. */
export const FullReason = Reason.check(Schema.isMinLength(10))

/** A reason as the audit log keeps it, of any text; null if nothing is left of it. */
export const noteOf = (typed: string): string | null => plain(typed.slice(0, longest).toWellFormed()) || null
