import { Effect, Option, Schema } from "effect"
import { Policies } from "../policies.ts"
import { Store } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { limited } from "./grants.ts"
import { type Permission, type Permitted, permissions, permitted } from "./permissions.ts"

/** The identity of a program, in place of a user: it has no address, password or session. */
export const ServiceAccount = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  permissions: Schema.Array(Schema.String),
  /** The organization that its permissions are limited to. */
  organization_id: Schema.NullOr(Schema.String),
  created_at: Schema.DateTimeUtc,
  updated_at: Schema.DateTimeUtc,
})
export type ServiceAccount = typeof ServiceAccount.Type

export const ServiceAccounts = Table.make("service_account", ServiceAccount, { key: "id" })

/** The permissions in a row. A later version may have written one that this version does not know. */
export const permissionsIn = ({ permissions: written }: Pick<ServiceAccount, "permissions">): ReadonlyArray<Permission> =>
  permissions.filter((permission) => written.includes(permission))

/** What a service account may do in its organization, or everywhere. Callers need all of it to change the account or its keys. */
export const permittedBy = (row: ServiceAccount): Permitted => {
  const own = permitted(permissionsIn(row))
  return row.organization_id === null ? own : limited(own)
}

/** A service account; none if the module with its table is off. */
export const serviceAccountOf = Effect.fnUntraced(function* serviceAccountOf(id: string) {
  const { tables } = yield* Policies
  if (!tables.includes(ServiceAccounts)) return Option.none()
  return yield* (yield* Store).read(ServiceAccounts, { id })
})
