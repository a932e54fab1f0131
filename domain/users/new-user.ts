import { DateTime, Effect } from "effect"
import { newId } from "../storage/new-id.ts"
import type { StoredUser } from "./user.ts"

/** A new user, with the current time and a new id. */
export const newUser = Effect.fnUntraced(function* newUser(fields: Pick<StoredUser, "email" | "email_verified" | "name">) {
  const id = yield* newId
  const now = yield* DateTime.now
  return {
    id,
    ...fields,
    last_verified_email: null,
    readdressed_at: null,
    image: null,
    locale: null,
    created_at: now,
    updated_at: now,
  } satisfies StoredUser
})
