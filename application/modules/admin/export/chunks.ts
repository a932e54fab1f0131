import { type DateTime, Effect, Option, Schema, Stream } from "effect"
import { type Reader, shownTo } from "../../../../domain/attributes/attributes.ts"
import { bytesOf } from "../../../../domain/attributes/size.ts"
import { UserAttributes } from "../../../../domain/attributes/tables.ts"
import { InvalidToken, UserNotFound } from "../../../../domain/errors.ts"
import { Policies } from "../../../../domain/policies.ts"
import { check, insert, orFail, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { type AnyTable, codec } from "../../../../domain/ports/table.ts"
import { takeLive } from "../../../../domain/storage/live.ts"
import { tokenHash } from "../../../../domain/tokens/keys.ts"
import * as TokenSealed from "../../../../domain/tokens/token-sealed.ts"
import { outlivingTables, ownedTables, rowsOfUser } from "../../../../domain/users/owned-rows.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { anyValueShownAs } from "../../../../domain/values/documented.ts"
import { numbered } from "../jobs/tables.ts"
import { ExportChunks } from "./tables.ts"

/** The rows of a part, by table. */
export const Exported = Schema.Record(
  Schema.String,
  Schema.Array(
    Schema.Record(
      Schema.String,
      anyValueShownAs(() => ({})),
    ),
  ),
)
type Exported = typeof Exported.Type
type ExportedRow = Exported[string][number]

const text = Schema.fromJsonString(Exported)
const write = Schema.encodeSync(text)
const read = Schema.decodeSync(text)

/** The maximum size of a part as JSON, in bytes, unless a single row is larger. */
const maxBytes = 256 * 1024

const hashOf = (token: string) => tokenHash("export", token)

/** A download: the token that opens it, whose data it has, and who sees the attributes in it. */
export interface Download {
  readonly token: string
  readonly user_id: string
  readonly reader: Reader
  readonly expires_at: DateTime.Utc
}

type AnyRow = Readonly<Record<string, unknown>>

/** The personal columns of a row as JSON. Attributes that the reader cannot see are left out. */
const personal = (table: AnyTable) => {
  const columns = table.data.personal ?? []
  const encode = Schema.encodeSync(codec(table))
  return (row: AnyRow) => {
    const encoded = encode(row)
    return Object.fromEntries(columns.map((column) => [column, encoded[column]])) as ExportedRow
  }
}

/** All personal data of a user, row by row. */
const exportedRows = Effect.fnUntraced(function* exportedRows({ user_id, reader }: Download) {
  const { attributes, tables } = yield* Policies
  const seen = (row: AnyRow) => ({ ...row, values: shownTo(attributes, row["values"] as AnyRow, reader) })
  const streams = [...ownedTables(tables), ...outlivingTables(tables)]
    .filter(({ table }) => table.data.personal !== undefined)
    .map((owned) => {
      const { table } = owned
      const rows = rowsOfUser(owned, user_id)
      const visible = table === UserAttributes ? Stream.map(rows, seen) : rows
      return Stream.map(Stream.map(visible, personal(table)), (row) => ({ table: table.name, row }))
    })
  return Stream.flatten(Stream.fromIterable(streams))
})

/** Stores a part. A concurrent removal of the user removes it as well, or is noticed here. */
const stored = Effect.fnUntraced(function* storedChunk(download: Download, number: number, rows: Exported, is_last: boolean) {
  const { token, user_id, expires_at } = download
  const { commit, read } = yield* Store
  const user = yield* orFail(read(Users, { id: user_id }), () => new UserNotFound())
  const id = numbered(yield* hashOf(token), number)
  const sealed = yield* TokenSealed.seal(token, id, write(rows))
  yield* commit([check(Users, user), insert(ExportChunks, { id, user_id, sealed, is_last, expires_at })])
}, retryOnConflict)

/** Stores all personal data of a user in parts, one of which is in memory at a time. */
export const store = Effect.fnUntraced(function* storeExport(download: Download) {
  let [part, bytes, number]: [Record<string, Array<ExportedRow>>, number, number] = [{}, 0, 1]
  const add = Effect.fnUntraced(function* addRow({ table, row }: { readonly table: string; readonly row: ExportedRow }) {
    const size = bytesOf(row) + table.length
    if (bytes > 0 && bytes + size > maxBytes) {
      yield* stored(download, number++, part, false)
      part = {}
      bytes = 0
    }
    part[table] ??= []
    part[table].push(row)
    bytes += size
  })
  yield* Stream.runForEach(yield* exportedRows(download), add)
  yield* stored(download, number, part, true)
})

/** Takes a part of a download out of the store. Of several concurrent calls, one gets it. */
export const taken = Effect.fnUntraced(function* takenChunk(token: string, number: number) {
  const id = numbered(yield* hashOf(token), number)
  const chunk = yield* takeLive(ExportChunks, { id })
  if (Option.isNone(chunk)) return yield* new InvalidToken()
  const opened = yield* TokenSealed.open(token, id, chunk.value.sealed)
  if (Option.isNone(opened)) return yield* new InvalidToken()
  return { tables: read(opened.value), isLast: chunk.value.is_last }
})
