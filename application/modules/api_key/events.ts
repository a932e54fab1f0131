import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import type { Happening, Party } from "../../../domain/events/security-event.ts"
import type { Permissions } from "../../../domain/organizations/access-control.ts"
import type { OwnerKind } from "./key-form.ts"
import { type ApiKey, ApiKeys } from "./tables.ts"

/** The types of events that only this module has. */
export const types = {
  "api_key.created": change("A key was made."),
  "api_key.updated": change("The name, the addresses, the permissions or the statement of a key changed."),
  "api_key.rotated": change("A key got another text."),
  "api_key.revoked": change("A key was ended by its owner or by an administrator."),
  "api_key.reported": change("A key was found in public, and ended."),
} as const satisfies EventKinds
type Own = Happening<keyof typeof types>

const parties = { user: "user", organization: "organization", service_account: "service" } as const satisfies Record<
  OwnerKind,
  Party["kind"]
>

/** The events of a key. Its name is left out: its owner typed it. Rows that only make room cause none. */
export const events = [
  rowEvents(ApiKeys, ({ before, after }, { operation }): ReadonlyArray<Own> => {
    if (after === null) return []
    const type = typeOf(before, after, operation.path)
    const { id, owner_kind, owner_id, permissions, statement } = after
    const actions = statement === null ? {} : { statement: actionsOf(statement) }
    const place = owner_kind === "organization" ? { organization_id: owner_id } : {}
    return [{ type, subject: { kind: parties[owner_kind], id: owner_id }, data: { key: id, permissions, ...actions }, ...place }]
  }),
]

const actionsOf = (statement: Permissions) =>
  Object.entries(statement).flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`))

const typeOf = (before: ApiKey | null, after: ApiKey, path: string): keyof typeof types => {
  if (before === null) return "api_key.created"
  if (after.revoked_at !== null) return path === "/api-key/report" ? "api_key.reported" : "api_key.revoked"
  return before.hint === after.hint ? "api_key.updated" : "api_key.rotated"
}
