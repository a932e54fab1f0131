import { html } from "@remix-run/html-template"
import { template as confirming } from "../../../../adapters/pages/console/confirmation.ts"
import { failed } from "../../../../adapters/pages/console/parts/part.ts"
import * as organization from "../../../../adapters/pages/console/screens/organization.ts"
import * as member from "../../../../adapters/pages/console/screens/organization-member.ts"
import { invitationsCard, membersCard } from "../../../../adapters/pages/console/screens/organization-parts.ts"
import * as organizations from "../../../../adapters/pages/console/screens/organizations.ts"
import { at, attributes, hostile, ids, long, statesOf } from "./console-state.ts"
import type { PageState } from "./state.ts"

const values = { plan: "very_long_plan_of_the_configuration", seats: 12, tags: ["a", hostile], newsletter: true }

const one = {
  id: ids[0],
  name: "شركة المحركات التحليلية",
  slug: "the-analytical-engines-of-the-whole-world-and-of-all-its-counties",
  created_at: at,
}
const shown = { organization: { ...one, attributes: values }, version: "1" }
const roles = { all: ["member", "admin", "owner", "very_long_role_of_the_configuration"], usual: "member", owner: "owner" }
const query = { id: ids[0] }
const members = [
  { user_id: ids[0], email: long, role: "owner", version: "1" },
  { user_id: ids[1], email: "x@example.com", role: "a_role_of_an_earlier_configuration", version: "2" },
]
const invitation = {
  reference: ids[0],
  organization_id: ids[0],
  email: long,
  role: "very_long_role_of_the_configuration",
  status: "pending",
  inviter_id: ids[1],
  expires_at: at,
  created_at: at,
} as const
const asked = { isRequired: false, kept: "" }
const removal = {
  title: "organization.member.remove",
  text: "console.member.remove.text",
  fields: null,
  reason: { isRequired: false, kept: "" },
} as const
const deletion = {
  title: "organization.delete",
  text: "console.organization.delete.text",
  fields: null,
  reason: asked,
} as const
const page = ["/organization", query] as const

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/organizations", "/organizations", "account.organizations", [
    [
      "several",
      (view) => organizations.template(view, { organizations: [one, { ...one, name: hostile, slug: "x" }], query: {}, next: "next" }),
    ],
    ["none", (view) => organizations.template(view, { organizations: [], query: { q: hostile, cursor: "c" }, next: null })],
    ["none yet, but more to read", (view) => organizations.template(view, { organizations: [], query: { q: "a" }, next: "next" })],
  ]),
  ...statesOf("/organization", "/organizations", "account.organizations", [
    [
      "with members and invitations",
      (view) =>
        organization.template(view, {
          shown,
          attributes,
          parts: [
            membersCard(view, { hasAttributes: true, organization_id: ids[0], members, roles, query, next_cursor: "next" }),
            invitationsCard(view, { invitations: [invitation], roles, query, next_cursor: "next" }),
          ],
        }),
      "console.member.saved",
    ],
    [
      "empty, with a part that failed",
      (view) =>
        organization.template(view, {
          shown: { ...shown, organization: { ...one, name: hostile } },
          attributes: [],
          parts: [
            failed(view, view.texts.t("organization.members")),
            invitationsCard(view, { invitations: [], roles, query: { ...query, invitations: "c" }, next_cursor: null }),
          ],
        }),
    ],
    [
      "to read only",
      (view) =>
        organization.template(view, {
          shown,
          attributes,
          parts: [
            membersCard(view, { hasAttributes: true, organization_id: ids[0], members, roles, query, next_cursor: null }),
            invitationsCard(view, { invitations: [invitation], roles, query, next_cursor: null }),
          ],
        }),
      undefined,
      ["organizations:update", "organizations:delete", "members:update", "invitations:create", "invitations:cancel"],
    ],
  ]),
  ...statesOf("/organization/member", "/organizations", "console.attributes", [
    ["stored", (view) => member.template(view, { member: { ...members[0]!, attributes: values } as never, attributes, query })],
    ["refused", (view) => member.template(view, { member: members[1]!, attributes, query }), ["error.invalid_request", "attributes.seats"]],
    ["to read only", (view) => member.template(view, { member: members[1]!, attributes, query }), undefined, ["members:update"]],
  ]),
  ...statesOf("/organization/remove", "/organizations", "organization.member.remove", [
    [
      "asked",
      (view) =>
        confirming(view, {
          ...removal,
          subject: { id: ids[0], name: hostile, about: [["Email address", html`<bdi>${long}</bdi>`]], page },
        }),
    ],
  ]),
  ...statesOf("/organization/delete", "/organizations", "organization.delete", [
    ["asked", (view) => confirming(view, { ...deletion, subject: { id: ids[0], name: one.name, about: [], page, typed: one.slug } })],
  ]),
]
