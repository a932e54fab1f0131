import { Effect } from "effect"
import { AddressNotAllowed } from "../errors.ts"
import { RefusedDomains } from "../ports/refused-domains.ts"
import { Settings } from "../settings.ts"
import { isSynthetic } from "../values/text.ts"

// The rules of `registration.email`. Addresses are stored in lower case, and their domains in ASCII.

const partsOf = (email: string) => {
  const at = email.lastIndexOf("@")
  return { local: email.slice(0, at), domain: email.slice(at + 1) }
}

/** Whether the domain, or one that it is a subdomain of, has this property. */
const isWithin = (domain: string, has: (domain: string) => boolean): boolean => {
  const labels = domain.split(".")
  return labels.some((_, index) => has(labels.slice(index).join(".")))
}

/** Whether `registration.email.block` names the domain of this address. */
export const blockRule = Effect.map(Settings, ({ registration }) => {
  const block = new Set(registration?.email.block)
  return (email: string) => isWithin(partsOf(email).domain, (domain) => block.has(domain))
})

/**
 * Whether the rules allow an address. A synthetic address is on no list, so `allow` refuses it: otherwise a wallet would be a way around
 * that list.
 */
export const addressRules = Effect.gen(function* addressRules() {
  const { registration } = yield* Settings
  if (registration === undefined) return () => true
  const refused = yield* RefusedDomains
  const isBlocked = yield* blockRule
  const { allow, block_subaddress } = registration.email
  const allowed = allow === undefined ? undefined : new Set<string>(allow)
  return (email: string): boolean => {
    if (isSynthetic(email)) return allowed === undefined
    const { local, domain } = partsOf(email)
    if (isBlocked(email) || isWithin(domain, (each) => refused.has(each))) return false
    if (block_subaddress && local.includes("+")) return false
    return allowed === undefined || isWithin(domain, (each) => allowed.has(each))
  }
})

/** Fails with `address_not_allowed` unless the rules allow the address. */
export const requireAllowed = Effect.fnUntraced(function* requireAllowed(email: string) {
  if (!(yield* addressRules)(email)) return yield* new AddressNotAllowed()
})
