import { Effect } from "effect"
import { Store } from "../../../../domain/ports/store.ts"
import { PendingSignIns } from "../../../../domain/sign-in/challenges.ts"
import { searchedTexts } from "../../../../domain/storage/searched-texts.ts"
import { Users } from "../../../../domain/users/tables.ts"

/** The users with a sign-in that waits for an answer: a write to their row would end it. */
const signingIn = (ids: ReadonlyArray<string>) =>
  Store.use(({ listForEach }) => listForEach(PendingSignIns, "user_id", ids, { limit: 1 })).pipe(
    Effect.map((waiting) => new Set(waiting.flat().map(({ user_id }) => user_id))),
  )

/** Gives users whom an earlier version of the program wrote the texts by which administrators search. */
export const searchTexts = searchedTexts(Users, { search_domain: null }, signingIn)
