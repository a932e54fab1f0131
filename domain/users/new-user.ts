import { DateTime, Effect } from "effect"
import { insert } from "../ports/store.ts"
import { newId } from "../storage/new-id.ts"
import type { Admission } from "./admission.ts"
import { Users } from "./tables.ts"
import type { StoredUser } from "./user.ts"

/** A user with these columns, and the writes that add them: the only ones in the service that do. */
export const addedUser = ({ email, spent }: Admission, columns: Omit<StoredUser, "email">) => {
  const user: StoredUser = { ...columns, email }
  return { user, writes: [insert(Users, user), ...spent] }
}

type NewUser = Pick<StoredUser, "email_verified" | "name"> & Partial<Pick<StoredUser, "id" | "is_guest" | "is_test" | "needs_invitation">>

/** A new user, with the current time and a new id, and the writes that add them. */
export const newUser = Effect.fnUntraced(function* newUser(admission: Admission, fields: NewUser) {
  const id = yield* newId
  const now = yield* DateTime.now
  return addedUser(admission, {
    id,
    is_guest: false,
    is_test: false,
    needs_invitation: false,
    ...fields,
    last_verified_email: null,
    readdressed_at: null,
    image: null,
    locale: null,
    created_at: now,
    updated_at: now,
  })
})
