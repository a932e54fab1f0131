import { Effect, Option } from "effect"
import type { StoreService, Versioned } from "../ports/store.ts"
import { isStorable } from "../ports/store.ts"
import { isAnswerable } from "./store-question.ts"

/** The verbs that ask for rows. */
export type Questions = Pick<StoreService, "read" | "readWithReferenced" | "readWithReferencing" | "list" | "listForEach" | "take">

/** Asks a database only for what any row can match: text that cannot be stored is in none, and must not reach it. */
export const answerable = (asked: Questions): Questions => ({
  read: (table, where) => Effect.suspend(() => (isAnswerable(where) ? asked.read(table, where) : Effect.succeedNone)),
  readWithReferenced: (table, where, field) =>
    Effect.suspend(() => (isAnswerable(where) ? asked.readWithReferenced(table, where, field) : Effect.succeedNone)),
  readWithReferencing: (table, where, other, field, rest) =>
    Effect.suspend(() => {
      if (!isAnswerable(where)) return Effect.succeedNone
      return isAnswerable(rest)
        ? asked.readWithReferencing(table, where, other, field, rest)
        : Effect.map(asked.read(table, where), besideNone)
    }),
  list: (table, where, options) =>
    Effect.suspend(() => {
      const isAsked = isAnswerable(where) && isStorable(options.prefix?.text ?? "")
      return isAsked ? asked.list(table, where, options) : Effect.succeed([])
    }),
  listForEach: (table, field, values, options) =>
    Effect.suspend(() =>
      isAnswerable(options.where ?? {}) ? asked.listForEach(table, field, values, options) : Effect.succeed(values.map(() => [])),
    ),
  take: (table, where) => Effect.suspend(() => (isAnswerable(where) ? asked.take(table, where) : Effect.succeedNone)),
})

/** A row beside which nothing can match. */
const besideNone = <R>(held: Option.Option<Versioned<R>>) => Option.map(held, (first) => [first, Option.none()] as const)
