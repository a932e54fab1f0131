import * as confirmation from "../../../../adapters/pages/console/confirmation.ts"
import * as denied from "../../../../adapters/pages/console/denied.ts"
import * as users from "../../../../adapters/pages/console/screens/users.ts"
import { at, long, one, other, statesOf, subject } from "./console-state.ts"
import type { PageState } from "./state.ts"

const everything = { mayAdd: true, operations: ["ban", "unban", "revoke_sessions", "remove"] } as const
const suspend = {
  title: "console.user.suspend",
  text: "console.user.suspend.text",
  fields: null,
  reason: { isRequired: true, kept: "" },
} as const

const large = { count: 1_204_311, capped: false, as_of: at }
const few = { count: 1000, capped: true }

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/users", "/users", "console.users", [
    [
      "several",
      (view) =>
        users.template(view, { ...everything, users: [one, other], roles: ["admin", "support"], query: {}, next: "next", total: large }),
    ],
    [
      "to read only",
      (view) => users.template(view, { users: [one], roles: [], query: {}, next: null, total: few, mayAdd: false, operations: [] }),
    ],
    [
      "a later page",
      (view) =>
        users.template(view, { ...everything, users: [one], roles: [], query: { q: long, state: "suspended", cursor: "c" }, next: null }),
    ],
    ["none", (view) => users.template(view, { ...everything, users: [], roles: ["support"], query: { q: "unknown" }, next: null })],
    [
      "none yet, but more to read",
      (view) => users.template(view, { ...everything, users: [], roles: [], query: { state: "unverified" }, next: "next" }),
    ],
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
  ...statesOf("/users", "/users", "console.denied", [
    ["not permitted", (view) => denied.template(view, { permission: "users:read", roles: ["support", "user_manager"] })],
    ["not permitted to any role", (view) => denied.template(view, { permission: "users:read", roles: [] })],
  ]),
]
