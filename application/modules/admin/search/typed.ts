import { isUuid } from "../../../../domain/storage/new-id.ts"
import type { User } from "../../../../domain/users/user.ts"
import { addressTyped, domainTyped, searchable, searchableLastWord } from "../../../../domain/values/text.ts"

/** What a text that an administrator typed is the beginning of; an id is whole. `text` is as the index has it. */
export interface Typed {
  readonly kind: "id" | "domain" | "phone" | "address" | "name"
  readonly text: string
}

const phone = /^\+[\d ()./-]*$/

/** By its form: an id, `@` and a domain, `+` and a phone number, an address, or else a name. */
export const typedIn = (typed: string): Typed => {
  const text = typed.trim()
  const id = text.toLowerCase()
  if (isUuid(id)) return { kind: "id", text: id }
  if (text.startsWith("@")) return { kind: "domain", text: domainTyped(text.slice(1)) }
  if (phone.test(text)) return { kind: "phone", text: `+${text.replace(/\D/g, "")}` }
  if (text.includes("@")) return { kind: "address", text: searchable(addressTyped(text)) }
  return { kind: "name", text: searchable(text) }
}

/** Whether the name of a user, or its last word, begins with a text. */
export const isNamed = ({ name }: Pick<User, "name">, text: string): boolean =>
  name !== null && (searchable(name).startsWith(text) || searchableLastWord(name)?.startsWith(text) === true)
