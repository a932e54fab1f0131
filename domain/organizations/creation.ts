import { DateTime, Effect } from "effect"
import { insert, type Versioned } from "../ports/store.ts"
import { newId } from "../storage/new-id.ts"
import type { StoredUser } from "../users/user.ts"
import type { AccessControl } from "./access-control.ts"
import { roleGainWrites } from "./membership.ts"
import type { Member, Organization } from "./organization.ts"
import { Members, Organizations } from "./tables.ts"

/** A new organization whose first member is this user, and the writes that add both. The commit fails with `Taken` if the slug is in use. */
export const creationWrites = Effect.fnUntraced(function* creationWrites(
  access: AccessControl,
  { name, slug }: Pick<Organization, "name" | "slug">,
  founder: Versioned<StoredUser>,
) {
  const created_at = yield* DateTime.now
  const organization: Organization = { id: yield* newId, name, slug, created_at }
  const member: Member = {
    id: yield* newId,
    organization_id: organization.id,
    user_id: founder.row.id,
    role: access.creator_role,
    created_at,
  }
  const writes = [roleGainWrites(access, member.role, founder), insert(Organizations, organization), insert(Members, member)]
  return { organization, writes }
})
