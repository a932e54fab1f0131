import { DateTime } from "effect"
import type { StoredUser } from "../domain/users/user.ts"

const epoch = DateTime.makeUnsafe(0)

/** A user as a row, with a verified address, made at the given time or in 1970. */
export const storedUser = (changes: Partial<StoredUser> & Pick<StoredUser, "id">): StoredUser => ({
  email: `${changes.id}@example.com`,
  email_verified: true,
  last_verified_email: null,
  readdressed_at: null,
  is_guest: false,
  is_test: false,
  needs_invitation: false,
  locale: null,
  name: null,
  image: null,
  created_at: epoch,
  updated_at: changes.created_at ?? epoch,
  ...changes,
})
