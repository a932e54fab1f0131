import { groupAttributesFrom } from "../../../domain/attributes/attributes.ts"
import { groupFaultsOf } from "../../../domain/attributes/faults.ts"
import { MemberAttributes } from "../../../domain/attributes/members.ts"
import { MemberSettings } from "../../../domain/attributes/settings.ts"
import { change, type EventKinds } from "../../../domain/events/event-types.ts"
import { rowEvents } from "../../../domain/events/row-events.ts"
import { type Happening, user } from "../../../domain/events/security-event.ts"
import { Members } from "../../../domain/organizations/tables.ts"
import * as Module from "../../service/module.ts"

const types = {
  "organization.member_updated": change("An attribute of a member of an organization changed."),
} as const satisfies EventKinds

/** The event does not name the attributes: some are for administrators only. */
const changes = rowEvents(MemberAttributes, ({ before, after }, { writes }): ReadonlyArray<Happening<keyof typeof types>> => {
  const isNew = writes.some((write) => write._tag === "insert" && write.table.name === Members.name)
  if (after === null || isNew || JSON.stringify(before?.values) === JSON.stringify(after.values)) return []
  const { organization_id, user_id } = after
  return [{ type: "organization.member_updated", subject: user(user_id), organization_id, data: { fields: ["attributes"] } }]
})

/** Attributes of members of organizations that the configuration declares. The endpoints that show and change members are those of another module. */
export const memberAttributes = Module.define({
  name: "member_attributes",
  settings: MemberSettings,
  faults: groupFaultsOf,
  events: types,
  parts: (settings) => ({ tables: [MemberAttributes], rowEvents: [changes], memberAttributes: groupAttributesFrom(settings) }),
})
