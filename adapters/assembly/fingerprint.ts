import { createHash } from "node:crypto"

/** Numbers the functions and objects of an application, which have no other name. */
const numbers = new WeakMap<object, number>()
let count = 0
const numberOf = (value: object): number => {
  const known = numbers.get(value)
  if (known !== undefined) return known
  count += 1
  numbers.set(value, count)
  return count
}

const isPlain = (value: object) => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

/**
 * Equal for configurations that say the same. Functions and objects of classes are equal only to themselves, so that an edited
 * function takes effect; in production all are equal, because a bundler puts one file into several bundles, with other names in its text.
 */
export const fingerprintOf = (input: object): string => {
  const isByIdentity = process.env["NODE_ENV"] !== "production"
  const seen = new Set<object>()
  const text = JSON.stringify(input, (_, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`
    if ((typeof value !== "object" && typeof value !== "function") || value === null) return value
    if (typeof value === "function") return isByIdentity ? numberOf(value) : "function"
    if (isPlain(value) && !seen.has(value)) {
      seen.add(value)
      return Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    }
    return isByIdentity ? numberOf(value) : "object"
  })
  return createHash("sha256").update(text).digest("hex")
}
