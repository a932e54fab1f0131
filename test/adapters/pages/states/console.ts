import * as confirmation from "../../../../adapters/pages/console/confirmation.ts"
import * as denied from "../../../../adapters/pages/console/denied.ts"
import { placesOf } from "../../../../adapters/pages/console/frame.ts"
import * as search from "../../../../adapters/pages/console/screens/search.ts"
import * as shortcuts from "../../../../adapters/pages/console/screens/shortcuts.ts"
import * as users from "../../../../adapters/pages/console/screens/users.ts"
import { screens } from "../../../../adapters/pages/console/screens.ts"
import { at, hostile, long, one, other, statesOf, subject } from "./console-state.ts"
import type { PageState } from "./state.ts"

const choices = { roles: ["admin", "support"], hasOrganizations: true, attributes: ["plan", "a_long_name_of_an_attribute_of_users_here"] }
const everything = { choices, mayAdd: true, operations: ["suspend", "unban", "revoke_sessions", "remove"] } as const
const few = {
  choices: { roles: [], hasOrganizations: false, attributes: [] },
  query: {},
  next: null,
  mayAdd: false,
  operations: [],
} as const
const found = {
  users: [one, other],
  roles: [{ user_id: one.id, role: "support", organization_id: null, expires_at: null, created_at: at }],
  details: [
    { user_id: one.id, ways_in: ["credential", "passkey", "google", "phone"], second_factor: true, last_seen_at: at },
    { user_id: other.id, ways_in: [], second_factor: false, last_seen_at: null },
  ],
}
const noUsers = { users: [], roles: [], details: [] }
const manyFilters = {
  ...{ q: hostile, state: "suspended", role: "support", organization: one.id, from: "2026-01-01", to: "2026-02-01" },
  ...{ attribute: "plan", value: long },
}
const hits = {
  users: [
    { id: one.id, name: hostile, detail: long },
    { id: other.id, name: null, detail: "x@example.com" },
  ],
  organizations: [{ id: one.id, name: one.name, detail: "the-analytical-engines-of-the-whole-world" }],
  clients: [{ id: "a-client-with-a-long-id-of-the-configuration", name: null, detail: null }],
}
const suspend = {
  title: "console.user.suspend",
  text: "console.user.suspend.text",
  fields: null,
  reason: { isRequired: true, kept: "" },
} as const

const large = { count: 1_204_311, capped: false, as_of: at }

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/users", "/users", "console.users", [
    ["several", (view) => users.template(view, { ...everything, found, query: {}, next: "next", total: large })],
    ["administrators", (view) => users.template(view, { ...everything, found, query: { role: "admin" }, next: null })],
    [
      "to read only",
      (view) => users.template(view, { ...few, found: { ...found, users: [one] }, total: { count: 1000, capped: true } }),
      undefined,
      ["sessions:read"],
    ],
    [
      "a later page",
      (view) =>
        users.template(view, {
          ...everything,
          found: { ...found, users: [one] },
          query: { q: long, state: "suspended", cursor: "c" },
          next: null,
        }),
    ],
    ["none", (view) => users.template(view, { ...everything, found: noUsers, query: { q: "unknown" }, next: null })],
    ["none with many filters", (view) => users.template(view, { ...everything, found: noUsers, query: manyFilters, next: null })],
    [
      "none yet, but more to read",
      (view) => users.template(view, { ...everything, found: noUsers, query: { state: "unverified", cursor: "c" }, next: "next" }),
    ],
  ]),
  ...statesOf("/search", "/search", "console.search", [
    [
      "of all kinds",
      (view) => search.template(view, { typed: "an", found: hits, places: [{ path: "/audit", label: "Audit log", group: "activity" }] }),
    ],
    ["nothing found", (view) => search.template(view, { typed: hostile, found: { users: [], organizations: [] }, places: [] })],
    ["too short", (view) => search.template(view, { typed: "", found: null, places: [] })],
  ]),
  ...statesOf("/user/suspend", "/users", "console.user.suspend", [
    ["asked", (view) => confirmation.template(view, { ...suspend, subject })],
    [
      "refused",
      (view) => confirmation.template(view, { ...suspend, subject: { ...subject, typed: long } }),
      ["console.confirm.typed.wrong", "typed"],
    ],
    ["changed in the meantime", (view) => confirmation.template(view, { ...suspend, subject }), ["error.version_mismatch", null]],
  ]),
  ...statesOf("/shortcuts", "/shortcuts", "console.shortcuts", [
    ["on", (view) => shortcuts.template(view, { places: placesOf(screens, view, () => true) })],
    [
      "off, for few screens",
      (view) => shortcuts.template(view, { places: [{ path: "/users", label: view.texts.t("console.users"), group: "people" }] }),
      "console.shortcuts.off.done",
    ],
  ]).map((state, at) => ({ ...state, hasKeys: at === 0 })),
  ...statesOf("/users", "/users", "console.denied", [
    ["not permitted", (view) => denied.template(view, { permission: "users:read", roles: ["support", "user_manager"] })],
    ["not permitted to any role", (view) => denied.template(view, { permission: "users:read", roles: [] })],
  ]),
]
