import { Effect, Option } from "effect"
import { check, Store } from "../ports/store.ts"
import type { StoredUser } from "../users/user.ts"
import { hasOrganizations } from "./membership.ts"
import { ManagedUsers, Members } from "./tables.ts"

// Users whose accounts an organization manages, because their addresses are under a domain of it.

/** Whether an address is under this domain, and not under a subdomain, which may be of another owner. */
export const isUnder = (email: string, domain: string): boolean => email.endsWith(`@${domain}`)

/**
 * Whether one of these organizations manages the user: the writes that make a commit fail once it does not. None for a user who has left it,
 * or whose address is under another domain: otherwise an administrator of the organization could take addresses of others for its users.
 */
export const managedBy = Effect.fnUntraced(function* managedBy({ id: user_id, email }: StoredUser, organizations: ReadonlyArray<string>) {
  if (organizations.length === 0 || !(yield* hasOrganizations)) return Option.none()
  const found = yield* (yield* Store).readWithReferenced(ManagedUsers, { user_id }, "member_id")
  return found.pipe(
    Option.filter(([{ row }, member]) => organizations.includes(row.organization_id) && member.row.user_id === user_id),
    Option.filter(([{ row }]) => isUnder(email, row.domain)),
    Option.map(([managed, member]) => [check(ManagedUsers, managed), check(Members, member)]),
  )
})
