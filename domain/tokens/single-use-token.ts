import { DateTime, Effect, Schema } from "effect"
import { insert, put } from "../ports/store.ts"
import { make as makeTable, type Row, type Table, type Where } from "../ports/table.ts"
import { readLive, readLiveWithReferenced, takeLive } from "../storage/live.ts"
import { randomToken, tokenHash } from "./keys.ts"

/** A table with a row for each unused token: `hash`, which is its key or a unique value, and `expires_at`. */
type TokenTable = Table<any, any, any, any, any, "expires_at">

/** A table of tokens about which nothing is stored but that they were issued. */
export const hashTable = (name: string) =>
  makeTable(name, Schema.Struct({ hash: Schema.String, expires_at: Schema.DateTimeUtc }), { key: "hash", expires: "expires_at" })

interface Options {
  /** Part of the hash: a token of one kind is never accepted as another, not even from the same table. */
  readonly kind: string
  /** Makes a new token; 256 random bits unless a protocol prescribes another form. */
  readonly secret?: typeof randomToken
}

/**
 * Random tokens of one kind that are valid once and for a limited time. The store has only their hashes. `take` consumes a token. The reads
 * do not consume it: commit `removeVersioned` of the row together with the operation that the token permits.
 */
export const singleUseToken = <T extends TokenTable>(table: T, { kind, secret = randomToken }: Options) => {
  const hashOf = (token: string) => tokenHash(kind, token)
  const whereOf = (token: string) => Effect.map(hashOf(token), (hash) => ({ hash }) as Where<T>)

  /**
   * A new token, and the write that makes it valid. If the hash is not the key of the table, the new token replaces the one with the same
   * key.
   */
  const issue = Effect.fnUntraced(function* issue(fields: Omit<Row<T>, "hash" | "expires_at">, seconds: number) {
    const token = yield* secret
    const expires_at = DateTime.add(yield* DateTime.now, { seconds })
    const row: Row<T> = { ...fields, hash: yield* hashOf(token), expires_at }
    return { token, expires_at, write: table.key === "hash" ? insert(table, row) : put(table, row) }
  })

  return {
    issue,
    /** The hash under which a token is stored, for callers that also act on an expired or consumed token. */
    hashOf,
    /** Removes the row of a token and returns it, unless it has expired. Of several concurrent calls, only one gets it. */
    take: (token: string) => Effect.flatMap(whereOf(token), (where) => takeLive(table, where)),
    /** The row of a token, unless it has expired. */
    read: (token: string) => Effect.flatMap(whereOf(token), (where) => readLive(table, where)),
    /** The row of a token, unless it has expired, with the row that its `field` references. */
    readWithReferenced: <F extends keyof T["references"] & string>(token: string, field: F) =>
      Effect.flatMap(whereOf(token), (where) => readLiveWithReferenced(table, where, field)),
  }
}
