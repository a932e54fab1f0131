import { Effect, Schema } from "effect"
import { Forbidden } from "../../../domain/errors.ts"
import type { EventKinds } from "../../../domain/events/event-types.ts"
import { hasOrganizations, memberOf } from "../../../domain/organizations/membership.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as GraphField from "../../service/graph-field.ts"
import { NextPage, nextPage, PageInput, pageForEach } from "../../service/paging.ts"
import { AuditEntry, allFiltersOf, filtersOf, OrganizationEntry, OwnEntry, pageOf, shown, shownToOwners, shownToSubject } from "./list.ts"
import { Records } from "./tables.ts"

/** The caller's own records. */
export const listOwn = Endpoint.make({
  method: "GET",
  path: "/audit/list",
  summary: "What happened to the caller's account, the newest first: sign-ins, sessions, credentials and changes.",
  access: "session",
  input: Schema.Struct(PageInput),
  output: Schema.Struct({ entries: Schema.Array(OwnEntry), ...NextPage }),
  handler: Effect.fnUntraced(function* auditListOwn(page) {
    const { user } = yield* CurrentSession
    const { rows, next } = yield* pageOf({ ...page, subject_id: user.id })
    return Endpoint.reply({ entries: rows.map(shownToSubject), ...nextPage(page, next) })
  }),
})

/** All records, for administrators. */
export const listAll = (events: EventKinds) =>
  Endpoint.make({
    method: "GET",
    path: "/admin/audit/list",
    summary: "The records of the audit log, the newest first, page by page, filtered by subject, actor, organization, type and time.",
    access: { permission: "audit:read" },
    input: Schema.Struct(allFiltersOf(events)),
    output: Schema.Struct({ entries: Schema.Array(AuditEntry), ...NextPage }),
    handler: Effect.fnUntraced(function* auditListAll(filters) {
      const { rows, next } = yield* pageOf(filters)
      return Endpoint.reply({ entries: rows.map(shown), ...nextPage(filters, next) })
    }),
  })

/** The records of an organization, for members with one of these roles. */
export const listOfOrganization = (roles: ReadonlyArray<string>, events: EventKinds) =>
  Endpoint.make({
    method: "GET",
    path: "/organization/audit/list",
    summary: "The records of an organization, the newest first, for its owners.",
    access: "session",
    input: Schema.Struct({ ...filtersOf(events), organization_id: Schema.String }),
    output: Schema.Struct({ entries: Schema.Array(OrganizationEntry), ...NextPage }),
    errors: [Forbidden],
    handler: Effect.fnUntraced(function* auditListOfOrganization(filters) {
      if (!(yield* hasOrganizations)) return yield* new Forbidden()
      const member = yield* memberOf(filters.organization_id, (yield* CurrentSession).user.id)
      if (member._tag === "None" || !roles.includes(member.value.row.role)) return yield* new Forbidden()
      const { rows, next } = yield* pageOf(filters)
      return Endpoint.reply({ entries: rows.map(shownToOwners), ...nextPage(filters, next) })
    }),
  })

/** The caller's own records in the graph. */
export const ofViewer = GraphField.paged({
  on: "viewer",
  name: "auditLog",
  summary: "What happened to the viewer's account, the newest first.",
  output: OwnEntry,
  place: ["id"],
  load: (viewers, page) => {
    const ids = viewers.map(({ user }) => user.id)
    const rows = pageForEach(Records, "subject_id", ids, { ...page, order: "id", descending: true })
    return Effect.map(rows, (each) => each.map((list) => list.map(shownToSubject)))
  },
})
