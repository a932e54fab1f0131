import * as confirmation from "../../../../adapters/pages/console/confirmation.ts"
import * as denied from "../../../../adapters/pages/console/denied.ts"
import { placesOf } from "../../../../adapters/pages/console/frame.ts"
import * as shortcuts from "../../../../adapters/pages/console/screens/shortcuts.ts"
import * as users from "../../../../adapters/pages/console/screens/users.ts"
import { screens } from "../../../../adapters/pages/console/screens.ts"
import { long, one, other, statesOf, subject } from "./console-state.ts"
import type { PageState } from "./state.ts"

const everything = { mayAdd: true, operations: ["ban", "unban", "revoke_sessions", "remove"] } as const
const suspend = { title: "console.user.suspend", text: "console.user.suspend.text", fields: null, asksReason: true } as const

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/users", "/users", "console.users", [
    [
      "several",
      (view) => users.template(view, { ...everything, users: [one, other], roles: ["admin", "support"], query: {}, next: "next" }),
    ],
    ["to read only", (view) => users.template(view, { users: [one], roles: [], query: {}, next: null, mayAdd: false, operations: [] })],
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
