import { isSynthetic } from "../values/text.ts"

/** One line of at most 64 letters, digits and signs that names are written with. A dot only ends a word: clients link `evil.com`. */
const nameShape = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} '’&,()-]|\.(?= |$)){0,63}$/u
const invisible = /\p{Default_Ignorable_Code_Point}/u

/** More digits than these can be a telephone number. */
const mostDigits = 4

/**
 * Whether a mail to an unknown receiver may repeat a name that a user chose. Users can have mails sent to any address, so that a name
 * must not carry a link, a telephone number, a line break, or characters that hide or reorder text. Other names are left out.
 */
export const isMailedName = (name: string): boolean =>
  nameShape.test(name) && !invisible.test(name) && (name.match(/\p{N}/gu) ?? []).length <= mostDigits

/** Whether such a mail may state a user's address: a local part such as `www.evil.com/prize` would be linked. */
export const isMailedAddress = (email: string): boolean => /^(?!www\.)[\p{L}\p{M}\p{N}._+'-]{1,64}@/u.test(email) && !isSynthetic(email)
