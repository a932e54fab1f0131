import { type AccessControl, isDefined, type Permissions, permits } from "./access-control.ts"

// A statement is what a key of an organization may do there, in the form of the permissions of a role.

/** Whether an action is permitted. */
export type Permits = (resource: string, action: string) => boolean

/** What every member may read. */
export const readable = ["organization", "member", "invitation", "team"] as const
export type Readable = (typeof readable)[number]

const isOpen: Permits = (resource, action) => action === "read" && readable.some((each) => each === resource)

/** What a key can get from a member with this role: the permissions of the role, and `read` of what every member reads. */
export const permittedTo =
  (access: AccessControl, role: string): Permits =>
  (resource, action) =>
    isDefined(access, role) && (isOpen(resource, action) || permits(access, role, { [resource]: [action] }))

/** Whether a statement contains permitted actions only. */
export const isWithin = (statement: Permissions, permits: Permits): boolean =>
  Object.entries(statement).every(([resource, actions]) => actions.every((action) => permits(resource, action)))

/** The permitted part of a statement, with each action once and no resource without actions. */
export const narrowed = (statement: Permissions, permits: Permits): Permissions =>
  Object.fromEntries(
    Object.entries(statement)
      .map(([resource, actions]) => [resource, [...new Set(actions)].filter((action) => permits(resource, action))] as const)
      .filter(([, actions]) => actions.length > 0),
  )

/** The actions of a statement. */
export const actionsIn =
  (statement: Permissions): Permits =>
  (resource, action) =>
    Object.hasOwn(statement, resource) && statement[resource]!.includes(action)

/** Whether a statement permits an action. Any action on a resource includes reading it, so that nothing is changed unseen. */
export const allows =
  (statement: Permissions): Permits =>
  (resource, action) =>
    isOpen(resource, action)
      ? Object.hasOwn(statement, resource) && statement[resource]!.length > 0
      : actionsIn(statement)(resource, action)
