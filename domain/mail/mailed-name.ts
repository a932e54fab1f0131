import { isSynthetic } from "../values/text.ts"

/**
 * One line of at most 64 characters: letters, digits and the punctuation of names. A dot may only end a word: mail clients turn `evil.com`
 * into a link.
 */
const nameShape = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} '’&,()-]|\.(?= |$)){0,63}$/u
const invisible = /\p{Default_Ignorable_Code_Point}/u

/** The maximum number of digits in a name: more could be a telephone number. */
const maxDigits = 4

/**
 * Whether a mail to an arbitrary address may contain a name that a user chose. Rejects links, telephone numbers, line breaks, and
 * characters that hide or reorder text: otherwise a user could send spam or phishing through the service.
 */
export const isMailedName = (name: string): boolean =>
  nameShape.test(name) && !invisible.test(name) && (name.match(/\p{N}/gu) ?? []).length <= maxDigits

/**
 * Whether a mail to an arbitrary address may contain a user's address: mail clients would turn a local part such as `www.evil.com/prize`
 * into a link.
 */
export const isMailedAddress = (email: string): boolean => /^(?!www\.)[\p{L}\p{M}\p{N}._+'-]{1,64}@/u.test(email) && !isSynthetic(email)
