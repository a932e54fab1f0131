import * as confirmation from "../../../../adapters/pages/console/confirmation.ts"
import { failed } from "../../../../adapters/pages/console/parts/part.ts"
import type { ConsoleView } from "../../../../adapters/pages/console/screen.ts"
import { activityCard } from "../../../../adapters/pages/console/screens/user/activity.ts"
import { consentsCard } from "../../../../adapters/pages/console/screens/user/consents.ts"
import { readyTemplate } from "../../../../adapters/pages/console/screens/user/export.ts"
import { membershipsCard } from "../../../../adapters/pages/console/screens/user/memberships.ts"
import { requiredCard } from "../../../../adapters/pages/console/screens/user/required.ts"
import { sessionsCard } from "../../../../adapters/pages/console/screens/user/sessions.ts"
import { signInCard } from "../../../../adapters/pages/console/screens/user/sign-in.ts"
import * as user from "../../../../adapters/pages/console/screens/user.ts"
import * as several from "../../../../adapters/pages/console/screens/users/dry-run.ts"
import * as newUser from "../../../../adapters/pages/console/screens/users/new.ts"
import { permissions } from "../../../../domain/administration/permissions.ts"
import { at, attributes, hostile, ids, long, one, other, statesOf, subject } from "./console-state.ts"
import type { PageState } from "./state.ts"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"
const has = () => true

const shown = {
  user: { ...one, locale: "ar", attributes: { employee_number: "4711", teams: ["looms", hostile], note: long.repeat(3) } },
  ban: null,
  roles: [
    { role: "support", organization_id: null, expires_at: null, created_at: at },
    { role: "very_long_role_of_the_configuration", organization_id: ids[1], expires_at: at, created_at: at },
  ],
  version: "1",
}
const sessions = [
  { id: ids[0], created_at: at, updated_at: at, expires_at: at, ip_address: "2001:db8:85a3:8d3:1319:8a2e:370:7348", user_agent: firefox },
  { id: ids[1], created_at: at, updated_at: at, expires_at: at, ip_address: null, user_agent: null },
]
const credentials = {
  accounts: [
    { id: "1", provider_id: "credential", account_id: ids[0], created_at: at },
    { id: "2", provider_id: "phone", account_id: "+4917012345678", created_at: at },
    { id: "3", provider_id: "github", account_id: long, created_at: at },
    { id: "4", provider_id: "passkey", account_id: "credential", created_at: at },
  ],
  authenticators: [{ kind: "two_factor", created_at: at }],
  password_set_at: at,
  second_factor: true,
  required_actions: ["change_password", "enrol_factor"] as const,
  required_actions_enabled: true,
}
const noCredentials = {
  accounts: [],
  authenticators: [],
  password_set_at: null,
  second_factor: false,
  required_actions: [],
  required_actions_enabled: true,
}
const memberships = [
  { organization_id: ids[0], name: "مختبر آلات التحليل", slug: "engines", role: "owner", created_at: at },
  { organization_id: ids[1], name: hostile, slug: "x", role: "member", created_at: at },
]
const client = { client_id: ids[0], client_name: hostile, client_uri: null, logo_uri: null, policy_uri: null, tos_uri: null }
const grants = [
  { client, scopes: ["openid", "profile", "email", "https://api.example.com/reports.read"], granted_at: at, created_at: at },
  { client: { ...client, client_name: null }, scopes: [], granted_at: at, created_at: at },
]
const entry = {
  id: ids[1],
  at,
  type: "sign_in.succeeded",
  outcome: "success",
  reason: null,
  actor: { kind: "user", id: ids[0] },
  subject: { kind: "user", id: ids[0] },
  organization_id: null,
  session_id: null,
  client_id: null,
  ip_address: "203.0.113.7",
  user_agent: firefox,
  request_id: null,
  trace_id: null,
  note: null,
  count: 1,
  data: {},
} as const
const refusedEntry = {
  ...entry,
  outcome: "failure",
  reason: "invalid_credentials",
  actor: { kind: "admin", id: ids[1] },
  ip_address: null,
} as const

const allParts = (view: ConsoleView) => [
  signInCard(view, { user: shown.user, credentials, isOwn: false, has }),
  requiredCard(view, credentials),
  sessionsCard(view, { user_id: ids[0], sessions, has }),
  membershipsCard(view, { memberships, next_cursor: "next", query: { id: ids[0] } }),
  consentsCard(view, { grants }),
  activityCard(view, { user_id: ids[0], entries: [entry, refusedEntry] }),
]
const noParts = (view: ConsoleView) => [
  signInCard(view, { user: other, credentials: noCredentials, isOwn: false, has }),
  requiredCard(view, noCredentials),
  sessionsCard(view, { user_id: ids[1], sessions: [], has }),
  membershipsCard(view, { memberships: [], query: { id: ids[1] } }),
  consentsCard(view, { grants: [] }),
  activityCard(view, { user_id: ids[1], entries: [] }),
]
const suspended = { user: other, ban: { kind: "suspension", reason: hostile, expires_at: at }, roles: [], version: "1" } as const
const mayChange = permissions.filter((permission) => !permission.endsWith(":read"))

const dryRun = {
  id: ids[0],
  operation: "suspend",
  state: "succeeded",
  dry_run: true,
  on_error: "continue",
  created_by: { kind: "user", id: ids[0] },
  total: 3,
  position: 3,
  succeeded: 2,
  failed: 1,
  sample: [ids[0], ids[1]],
  code: null,
  created_at: at,
  started_at: at,
  finished_at: at,
} as const
const failures = [
  { user_id: ids[0], code: "forbidden" },
  { user_id: ids[1], code: "code_of_an_extension" },
]
const chosen = { operation: "suspend", count: 3 } as const
const reason = { isRequired: true, kept: "Many complaints of other users" }

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/user", "/users", "console.users", [
    ["active", (view) => user.template(view, { shown, isOwn: false, has, attributes, parts: allParts(view) })],
    ["after a change", (view) => user.template(view, { shown, isOwn: false, has, attributes, parts: [] }), "console.user.resumed"],
    [
      "suspended, with a part that failed",
      (view) =>
        user.template(view, {
          shown: suspended,
          isOwn: false,
          has,
          attributes,
          parts: [...noParts(view), failed(view, view.texts.t("console.user.sessions"))],
        }),
    ],
    [
      "refused",
      (view) => user.template(view, { shown, isOwn: false, has, attributes, parts: allParts(view) }),
      ["error.username_taken", "username"],
    ],
    [
      "changed in the meantime",
      (view) => user.template(view, { shown, isOwn: false, has, attributes, parts: [] }),
      ["error.version_mismatch", null],
    ],
    [
      "before an erasure",
      (view) => user.template(view, { shown: { ...shown, erasure_due_at: at }, isOwn: false, has, attributes, parts: [] }),
      "console.user.erase.scheduled",
    ],
    [
      "with a refused attribute",
      (view) => user.template(view, { shown, isOwn: false, has, attributes, parts: [] }),
      ["error.invalid_request", "attributes.seats"],
    ],
    ["oneself", (view) => user.template(view, { shown, isOwn: true, has, attributes, parts: allParts(view) })],
    ["to read only", (view) => user.template(view, { shown, isOwn: false, has, attributes, parts: allParts(view) }), undefined, mayChange],
    ["with few modules", (view) => user.template(view, { shown, isOwn: false, has: () => false, attributes: [], parts: [] })],
  ]),
  ...statesOf("/user/export", "/users", "console.user.export", [
    [
      "ready",
      (view) =>
        confirmation.answered(
          view,
          { title: "console.user.export", subject },
          readyTemplate(view, "https://auth.example.com/api/auth/account/export/download?token=abc"),
        ),
    ],
  ]),
  ...statesOf("/user/erase", "/users", "console.user.erase", [
    [
      "asked",
      (view) =>
        confirmation.template(view, {
          title: "console.user.erase",
          text: "console.user.erase.text",
          fields: null,
          reason: { isRequired: false, kept: "" },
          subject: { ...subject, typed: long },
        }),
    ],
  ]),
  ...statesOf("/users/new", "/users", "console.users.new", [
    ["empty", (view) => newUser.template(view, { hasPasswords: true })],
    ["refused", (view) => newUser.template(view, { hasPasswords: false }), ["console.users.new.exists", "email"]],
  ]),
  ...statesOf("/users/several", "/users", "console.several", [
    ["nothing chosen", (view) => several.template(view, { chosen: null, reason, dryRun: null })],
    ["chosen", (view) => several.template(view, { chosen, reason, dryRun: null })],
    [
      "being checked",
      (view) =>
        several.template(view, {
          chosen,
          reason,
          dryRun: { job: { ...dryRun, state: "running", position: 1, finished_at: null }, failures: [] },
        }),
    ],
    ["checked", (view) => several.template(view, { chosen, reason, dryRun: { job: dryRun, failures } })],
    [
      "refused",
      (view) =>
        several.template(view, { chosen, reason, dryRun: { job: { ...dryRun, state: "failed", code: "forbidden" }, failures: [] } }),
      ["console.confirm.typed.wrong", "typed"],
    ],
  ]),
]
