import { type DateTime, Option } from "effect"
import type { Code, Issue, ReadRecord, UserRecord } from "../../application/import/record.ts"
import type { Attributes } from "../../domain/attributes/attributes.ts"
import { isJsonObject } from "../../domain/values/json.ts"
import { instant } from "../../domain/values/timestamp.ts"
import { attributesAmong } from "./attributes.ts"
import { isEmpty, jsonOf, truths } from "./values.ts"

// Reads the fields of one record. A record is a JSON object, or a line of a CSV file, where every value is text.

export type Values = Readonly<Record<string, unknown>>

/** The value if it is an object or the text of a JSON object. */
export const objectOf = (value: unknown): Values | undefined => {
  const object = jsonOf(value)
  return isJsonObject(object) ? object : undefined
}

/** The maximum length of a time, in UTF-16 code units. */
const max_time_length = 40

const max_millis = 8_640_000_000_000_000

/**
 * A time in RFC 3339 or in milliseconds since 1970. Also reads the variants that databases write: a space for the `T`, an offset without
 * minutes, and no offset, which means UTC.
 */
const timeOf = (value: unknown): Option.Option<DateTime.Utc> => {
  const text = String(value)
  if (text.length > max_time_length) return Option.none()
  if (/^\d{1,16}$/.test(text)) return Number(text) > max_millis ? Option.none() : instant(new Date(Number(text)).toISOString())
  const [, day, time, zone = "Z"] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/.exec(text) ?? []
  if (day === undefined || time === undefined) return Option.none()
  return instant(`${day}T${time}${rfcZone(zone)}`)
}

const rfcZone = (zone: string): string => {
  if (zone === "UTC" || zone === "Z") return "Z"
  const digits = zone.replace(":", "")
  return `${digits.slice(0, 3)}:${digits.slice(3, 5).padEnd(2, "0")}`
}

type GivenUser = { readonly [K in keyof Omit<UserRecord, "kind">]?: UserRecord[K] | undefined }

/** Reads fields by their name, collects findings, and records which fields were read. */
export const fieldsOf = (values: Values) => {
  const issues: Array<Issue> = []
  const used = new Set<string>()
  const dropped = { factors: 0, identities: 0 }
  const ignoredMembers: Array<string> = []
  const note = (field: string, code: Code) => void issues.push({ field, code })
  const take = (name: string): unknown => {
    used.add(name)
    const value = values[name]
    return isEmpty(value) ? undefined : value
  }
  const typed = <A>(name: string, of: (value: unknown) => A | undefined, code: Code = "invalid_type"): A | undefined => {
    const value = take(name)
    if (value === undefined) return undefined
    const result = of(value)
    if (result === undefined) note(name, code)
    return result
  }
  const text = (name: string) => typed(name, (value) => (typeof value === "string" ? value : undefined))
  /** The record with the findings. */
  const read = (record: ReadRecord["record"]): ReadRecord => ({
    record,
    issues,
    ignored: [...unread(), ...ignoredMembers].map((name) => printable(name, 64)),
    dropped,
  })
  const unread = () => Object.keys(values).filter((name) => !used.has(name) && !isEmpty(values[name]))

  return {
    text,
    /** The texts of these fields that are present, such as the first and the last name, with blanks between them. */
    joined: (...names: ReadonlyArray<string>) => {
      const parts = names.map(text).filter((part) => part !== undefined)
      return parts.length === 0 ? undefined : parts.join(" ")
    },
    /** An id: text, or a whole number. */
    id: (name: string) => typed(name, (value) => (typeof value === "string" || Number.isSafeInteger(value) ? String(value) : undefined)),
    flag: (name: string) => typed(name, (value) => truths.get(value)),
    time: (name: string) => typed(name, (value) => Option.getOrUndefined(timeOf(value)), "invalid_time"),
    object: (name: string) => typed(name, objectOf),
    /** A list of objects. */
    objects: (name: string): ReadonlyArray<Values> =>
      typed(name, (value) => {
        const found = jsonOf(value)
        return Array.isArray(found) && found.every(isJsonObject) ? found : undefined
      }) ?? [],
    /** Counts factors that cannot be imported, and reports their field. */
    dropFactors: (field: string, count = 1) => {
      note(field, "factor_not_supported")
      dropped.factors += count
    },
    /** Marks fields that are not imported, so that the report does not list them as ignored. */
    skip: (...names: ReadonlyArray<string>) => {
      for (const name of names) used.add(name)
    },
    /** The declared attributes among the fields that are not read yet. */
    otherAttributes: (declared: Attributes = []) => {
      const found = attributesAmong(declared, Object.fromEntries(unread().map((name) => [name, values[name]])))
      for (const { member } of found) used.add(member)
      return recordOf(found)
    },
    /** The declared attributes among the members of a field. */
    attributesIn: (field: string, declared: Attributes = []) => {
      if (declared.length === 0) return undefined
      const members = objectOf(take(field)) ?? {}
      const found = attributesAmong(declared, members)
      const others = Object.keys(members).filter((name) => !found.some(({ member }) => member === name))
      ignoredMembers.push(...others.map((name) => `${field}.${name}`))
      return recordOf(found)
    },
    has: (name: string) => !isEmpty(values[name]),
    read,
    /** The record of a user. Members that are undefined have their default, or are left out. */
    user: ({ source_id = "", email = null, email_verified = false, ...rest }: GivenUser) =>
      read({ kind: "user", source_id, email, email_verified, ...present(rest) }),
  }
}
export type Fields = ReturnType<typeof fieldsOf>

const recordOf = (found: ReturnType<typeof attributesAmong>) =>
  found.length === 0 ? undefined : Object.fromEntries(found.map(({ name, value }) => [name, value]))

/** A text of the file for the report, shortened and without control characters, which could change what the terminal shows. */
export const printable = (text: string, length: number) => text.slice(0, length).replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "?")

/** The members that are defined: optional fields of a record are absent rather than undefined. */
export const present = <A extends object>(members: A): { readonly [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof A]?: Exclude<A[K], undefined>
  }
