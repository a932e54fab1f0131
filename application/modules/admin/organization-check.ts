import { Effect, Option } from "effect"
import { invalidMember } from "../../../domain/errors.ts"
import { hasOrganizations } from "../../../domain/organizations/membership.ts"
import { Organizations } from "../../../domain/organizations/tables.ts"
import { check, Store } from "../../../domain/ports/store.ts"

/** The check of an organization that permissions are limited to, for the commit; fails without one. Undefined: they are not limited. */
export const organizationCheck = Effect.fnUntraced(function* organizationCheck(id: string | undefined) {
  if (id === undefined) return []
  const found = (yield* hasOrganizations) ? yield* (yield* Store).read(Organizations, { id }) : Option.none()
  return Option.isSome(found) ? [check(Organizations, found.value)] : yield* invalidMember("organization_id", "Expected an organization")
})
