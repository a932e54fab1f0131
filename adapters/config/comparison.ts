import { createHash } from "node:crypto"
import { isJsonObject, type JsonObject } from "../../domain/values/json.ts"

/** What may differ between the instances of one service. */
const ofOneInstance: ReadonlySet<string> = new Set(["listen", "telemetry"])

/** 64 bits of SHA-256. They cover the secret of the service, so the rest of the configuration cannot be found by trying. */
export const hashOf = (raw: JsonObject): string => {
  const shared = Object.entries(raw).filter(([key]) => !ofOneInstance.has(key))
  return createHash("sha256")
    .update(textOf(Object.fromEntries(shared)))
    .digest("hex")
    .slice(0, 16)
}

/** The paths of the values that differ. */
export const differences = (one: unknown, other: unknown, path = ""): ReadonlyArray<string> => {
  if (textOf(one) === textOf(other)) return []
  if (!isPlain(one) || !isPlain(other)) return [path]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => differences(one[key], other[key], path === "" ? key : `${path}.${key}`))
}

const textOf = (value: unknown) => JSON.stringify(value, sorted) ?? ""

/** Objects with their keys in order; functions and objects of the application count by their kind only. `this` holds the value
 * itself: what is passed is already the answer of its `toJSON`. */
function sorted(this: JsonObject, key: string) {
  const value = this[key]
  if (typeof value === "function") return "function"
  if (!isJsonObject(value)) return value
  return isPlain(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : "object"
}

const isPlain = (value: unknown): value is JsonObject => {
  if (!isJsonObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The settings that a reload replaces in a running service, and those of the events where the module is on. */
const reloadable = [["secret"], ["key_management"], ["mail"], ["sms"], ["log", "level"]]
const ofEvents = ["modules", "events", "webhooks"]

/** The running configuration with the reloadable settings of the next one. */
export const reloaded = (running: JsonObject, next: JsonObject): JsonObject => {
  const hasEvents = [running, next].every(({ modules }) => "events" in Object(modules))
  return [...reloadable, ...(hasEvents ? [ofEvents] : [])].reduce((raw, path) => replaced(raw, next, path), running)
}

const replaced = (raw: JsonObject, next: JsonObject, [key = "", ...rest]: ReadonlyArray<string>): JsonObject => {
  if (!(key in raw) && !(key in next)) return raw
  if (rest.length > 0) return { ...raw, [key]: replaced(Object(raw[key]), Object(next[key]), rest) }
  const { [key]: _, ...others } = raw
  return key in next ? { ...others, [key]: next[key] } : others
}
