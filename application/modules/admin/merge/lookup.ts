import { Effect, Option, Result } from "effect"
import { Policies } from "../../../../domain/policies.ts"
import { unnoted } from "../../../../domain/sessions/subject.ts"
import { readLive } from "../../../../domain/storage/live.ts"
import { read } from "../versions.ts"
import { MergedUsers } from "./table.ts"

// Support asks for the ids of users who were merged into others.

const keepsMerges = Effect.map(Policies, ({ tables }) => tables.includes(MergedUsers))

/** The id of the user into whom the user with this id was merged in the last 90 days. */
const targetOf = Effect.fnUntraced(function* targetOf(from_id: string) {
  return Option.map(yield* readLive(MergedUsers, { from_id }), ({ row }) => row.into_id)
})

/** A user in reach of the caller; if there is none with this id, the one into whom it was merged. */
export const lookUp = Effect.fnUntraced(function* lookUpUser(where: { readonly id: string } | { readonly email: string }) {
  if (!(yield* keepsMerges)) return { rows: yield* read(where), merged: {} }
  const found = yield* Effect.result(read(where))
  if (Result.isSuccess(found)) return { rows: found.success, merged: yield* mergedInto(found.success[0].row.id) }
  if (!("id" in where)) return yield* found.failure
  // Reads as much for an unknown id as for that of a user who was merged into one out of reach.
  const rows = yield* read({ id: Option.getOrElse(yield* targetOf(where.id), () => "") })
  return { rows, merged: { merged_from: where.id, ...(yield* mergedInto(rows[0].row.id)) } }
})

/** The user into whom this one was merged, if in reach of the caller. */
const mergedInto = Effect.fnUntraced(function* mergedInto(id: string) {
  const target = yield* targetOf(id)
  if (Option.isNone(target)) return {}
  const reached = yield* Effect.option(unnoted(read({ id: target.value })))
  return Option.isSome(reached) ? { merged_into: target.value } : {}
})
