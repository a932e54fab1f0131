import { Effect, Option, Schema } from "effect"
import { conflictIfTaken, find, insert, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import * as Table from "../../../../domain/ports/table.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { type Client, sectorOf } from "../clients/client.ts"

/**
 * The subjects of users at the clients of a sector (OpenID Connect Core section 8.1). They are random and stored: a subject that
 * is derived from the secret would change with it.
 */
export const PairwiseSubjects = Table.make(
  "pairwise_subject",
  Schema.Struct({ sub: Schema.String, user_id: Schema.String, sector: Schema.String }),
  {
    key: "sub",
    unique: [["user_id", "sector"]],
    references: { user_id: Users },
    data: { personal: ["sub", "sector"], other: ["user_id"] },
  },
)

/** The claim `sub` of a user at a client. The first call for a pairwise client stores it. */
export const subjectOf = Effect.fnUntraced(function* subjectOf(client: Client, user_id: string) {
  if (client.subject_type === "public") return user_id
  const sector = sectorOf(client)
  const stored = yield* find(PairwiseSubjects, { user_id, sector })
  if (Option.isSome(stored)) return stored.value.sub
  const sub = yield* newId
  yield* conflictIfTaken((yield* Store).commit([insert(PairwiseSubjects, { sub, user_id, sector })]))
  return sub
}, retryOnConflict)
