import { DateTime, Schema } from "effect"
import { UnstorableText } from "../../domain/ports/store.ts"
import * as Table from "../../domain/ports/table.ts"
import { cachedDemand, demandOne, fault, isStorableJson } from "../../domain/storage/query-checks.ts"

type Json = Readonly<Record<string, unknown>>

/** A stored row: encoded, so that tests exercise every codec. */
export interface Entry {
  readonly json: Json
  readonly revision: number
}

/** The rows of one table, indexed by the key and by every prefix of every index. */
export interface MemoryTable {
  readonly table: Table.AnyTable
  readonly demand: ReturnType<typeof cachedDemand>
  readonly encode: (row: unknown) => Json
  /** Encodes some fields of a row. */
  readonly encodeSome: (fields: Json) => Json
  readonly decode: (entry: Entry) => Json
  readonly entries: () => Iterable<Entry>
  readonly get: (key: unknown) => Entry | undefined
  readonly matching: (where: Json) => ReadonlyArray<Entry>
  /** The row that these fields select; throws if they can select several. */
  readonly one: (where: Json) => Entry | undefined
  readonly compare: (order: string) => (left: Json, right: Json) => number
  readonly expiry: (entry: Entry) => number
  /** The first field of a unique index in which another row has the same values. */
  readonly takenField: (json: Json) => string | undefined
  /** Replaces the entry of the key, or removes it. */
  readonly replace: (key: unknown, entry: Entry | undefined) => void
}

export const make = (table: Table.AnyTable): MemoryTable => {
  const { encodeField, encodeSome, ...codecs } = codecsOf(table)
  const rows = new Map<string, Entry>()
  const prefixes = indexPrefixesOf(table)
  const demand = cachedDemand(table)
  const idOf = (key: unknown) => identity(encodeField(table.key, key))

  const candidates = (json: Json): Iterable<Entry> => {
    const key = json[table.key]
    if (key !== undefined) {
      const entry = rows.get(identity(key))
      return entry === undefined ? [] : [entry]
    }
    for (const prefix of prefixes)
      if (prefix.fields.every((field) => field in json)) return prefix.entries.get(identityIn(prefix, json)) ?? []
    return rows.values()
  }

  const matching = (where: Json) => {
    const json = encodeSome(where)
    const found: Array<Entry> = []
    for (const entry of candidates(json)) if (matches(entry.json, json)) found.push(entry)
    return found
  }

  return {
    table,
    demand,
    ...codecs,
    encodeSome,
    entries: () => rows.values(),
    get: (key) => rows.get(idOf(key)),
    matching,
    one: (where) => {
      demand("one", where, (fields) => demandOne(table, fields))
      return matching(where)[0]
    },
    takenField: (json) => {
      for (const prefix of prefixes) {
        if (!prefix.unique || prefix.fields.some((field) => json[field] === null)) continue
        for (const entry of prefix.entries.get(identityIn(prefix, json)) ?? [])
          if (entry.json[table.key] !== json[table.key]) return prefix.fields[0]
      }
      return undefined
    },
    replace: (key, entry) => {
      const id = idOf(key)
      const before = rows.get(id)
      for (const prefix of prefixes) {
        if (before !== undefined) removeFrom(prefix, before)
        if (entry !== undefined) addTo(prefix, entry)
      }
      if (entry === undefined) rows.delete(id)
      else rows.set(id, entry)
    },
  }
}

const matches = (json: Json, wanted: Json): boolean => {
  for (const field in wanted) if (json[field] !== wanted[field]) return false
  return true
}

/** Encodes, decodes and compares rows. */
const codecsOf = (table: Table.AnyTable) => {
  const codec = Table.codec(table)
  const columns = Table.columns(table)
  const searched = Table.searchedColumns(table)
  const fields = new Map([...columns, ...searched].map(({ name, kind }) => [name, fieldCodec(table, name, kind)]))
  const decode = Schema.decodeUnknownSync(codec)
  const encode = Schema.encodeUnknownSync(codec)
  const encodeField = (field: string, value: unknown) => {
    const codec = fields.get(field)
    if (codec === undefined) throw fault(table, `has no field ${field}`)
    return codec.encode(value)
  }

  return {
    encodeField,
    encodeSome: (where: Json): Json => {
      const encoded: Record<string, unknown> = {}
      for (const field of Object.keys(where)) encoded[field] = encodeField(field, where[field])
      return encoded
    },
    encode: (row: unknown): Json => {
      const json = encode(row)
      for (const { name, kind } of columns) {
        if ((kind === "text" || kind === "json") && !isStorableJson(json[name]))
          throw new UnstorableText({ table: table.name, field: name })
      }
      return searched.length === 0 ? json : { ...json, ...Table.searchedOf(table, row as Json) }
    },
    decode: ({ json }: Entry): Json => decode(json),
    compare: (order: string) => {
      const codec = fields.get(order)!
      return (left: Json, right: Json) => compare(codec.sortable(left[order]), codec.sortable(right[order]))
    },
    expiry: (entry: Entry) => {
      const value = table.expires === undefined ? null : entry.json[table.expires]
      return value === null ? Number.POSITIVE_INFINITY : Number(fields.get(table.expires!)!.sortable(value))
    },
  }
}

interface IndexPrefix {
  readonly fields: ReadonlyArray<string>
  readonly unique: boolean
  readonly entries: Map<string, Set<Entry>>
}

/** The prefixes of a table's indexes, the longest first, so that a query uses the most selective one. */
const indexPrefixesOf = (table: Table.AnyTable): ReadonlyArray<IndexPrefix> => {
  const prefixes = new Map<string, IndexPrefix>()
  for (const index of Table.indexes(table)) {
    for (let length = 1; length <= index.fields.length; length++) {
      const fields = index.fields.slice(0, length)
      const unique = index.unique && length === index.fields.length
      if (unique || !prefixes.has(fields.join())) prefixes.set(fields.join(), { fields, unique, entries: new Map() })
    }
  }
  return [...prefixes.values()].sort((left, right) => right.fields.length - left.fields.length)
}

const identityIn = ({ fields: [first = "", ...others] }: IndexPrefix, json: Json): string =>
  others.length === 0 ? identity(json[first]) : JSON.stringify([json[first], ...others.map((field) => json[field])])

const addTo = (prefix: IndexPrefix, entry: Entry) => {
  const id = identityIn(prefix, entry.json)
  const sameValues = prefix.entries.get(id)
  if (sameValues === undefined) prefix.entries.set(id, new Set([entry]))
  else sameValues.add(entry)
}

const removeFrom = (prefix: IndexPrefix, entry: Entry) => {
  const id = identityIn(prefix, entry.json)
  const sameValues = prefix.entries.get(id)
  sameValues?.delete(entry)
  if (sameValues?.size === 0) prefix.entries.delete(id)
}

const fieldCodec = (table: Table.AnyTable, field: string, kind: Table.ColumnKind) => {
  const codec = Schema.toCodecJson((table.fields[field] ?? Schema.NullOr(Schema.String)) as Schema.Codec<unknown>)
  const decode = Schema.decodeUnknownSync(codec)
  const plain = kind === "text" || kind === "boolean"
  return {
    encode: plain ? (value: unknown) => value : Schema.encodeUnknownSync(codec),
    sortable: (json: unknown) => {
      const value = plain ? json : decode(json)
      return DateTime.isDateTime(value) ? DateTime.toEpochMillis(value) : value
    },
  }
}

const identity = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify([value]))

const compare = (left: unknown, right: unknown) => {
  if (typeof left === "string" && typeof right === "string") return compareText(left, right)
  return Number(left) - Number(right)
}

/** Compares by code point, as databases compare UTF-8; comparing UTF-16 code units would put U+FFFD after an emoji. */
const compareText = (left: string, right: string) => {
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at++) {
    if (left.charCodeAt(at) !== right.charCodeAt(at)) return left.codePointAt(at)! - right.codePointAt(at)!
  }
  return left.length - right.length
}
