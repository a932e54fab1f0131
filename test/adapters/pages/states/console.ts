import * as confirmation from "../../../../adapters/pages/console/confirmation.ts"
import * as denied from "../../../../adapters/pages/console/denied.ts"
import { failed } from "../../../../adapters/pages/console/parts/part.ts"
import * as user from "../../../../adapters/pages/console/screens/user.ts"
import * as users from "../../../../adapters/pages/console/screens/users.ts"
import { at, hostile, ids, long, statesOf } from "./console-state.ts"
import type { PageState } from "./state.ts"

const one = {
  id: ids[0],
  email: long,
  email_verified: true,
  name: "عائشة بنت أحمد",
  image: null,
  created_at: at,
  updated_at: at,
  role: "user",
  banned: false,
}
const other = {
  ...one,
  id: ids[1],
  email: "x@example.com",
  name: hostile,
  banned: true,
  role: "very_long_role_of_the_configuration",
}
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"

const shownUser = { user: one, ban: null, roles: [], version: "1" }
const subject: confirmation.Subject = {
  id: one.id,
  name: one.name,
  about: [["Email address", long]],
  page: ["/user", { id: one.id }],
  version: "1",
}
const suspend = { title: "console.user.suspend", text: "console.user.suspend.text", fields: null } as const
const sessions = [
  { id: ids[0], created_at: at, updated_at: at, expires_at: at, ip_address: "2001:db8:85a3:8d3:1319:8a2e:370:7348", user_agent: firefox },
  { id: ids[1], created_at: at, updated_at: at, expires_at: at, ip_address: null, user_agent: null },
]

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/users", "/users", "console.users", [
    ["several", (view) => users.template(view, { users: [one, other], roles: ["admin", "support"], query: {}, next: "next" })],
    [
      "a later page",
      (view) => users.template(view, { users: [one], roles: [], query: { q: long, state: "suspended", cursor: "c" }, next: null }),
    ],
    ["none", (view) => users.template(view, { users: [], roles: ["support"], query: { q: "nobody" }, next: null })],
    ["none yet, but more to read", (view) => users.template(view, { users: [], roles: [], query: { state: "unverified" }, next: "next" })],
  ]),
  ...statesOf("/user", "/users", "console.users", [
    ["active", (view) => user.template(view, { shown: shownUser, parts: [user.sessionsCard(view, { sessions })] })],
    ["after a change", (view) => user.template(view, { shown: shownUser, parts: [] }), "console.user.resumed"],
    [
      "suspended, with a part that failed",
      (view) =>
        user.template(view, {
          shown: { ...shownUser, user: other, ban: { kind: "suspension", reason: "abuse", expires_at: at } },
          parts: [failed(view, view.texts.t("console.user.sessions"))],
        }),
    ],
    [
      "to read only",
      (view) => user.template(view, { shown: shownUser, parts: [user.sessionsCard(view, { sessions: [] })] }),
      undefined,
      ["users:suspend", "sessions:revoke"],
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
