import * as confirmation from "../../../../adapters/pages/console/confirmation.ts"
import type { ConsoleView } from "../../../../adapters/pages/console/screen.ts"
import * as administrators from "../../../../adapters/pages/console/screens/administrators.ts"
import * as audit from "../../../../adapters/pages/console/screens/audit.ts"
import * as auditExport from "../../../../adapters/pages/console/screens/audit-export.ts"
import * as clients from "../../../../adapters/pages/console/screens/clients.ts"
import * as jobs from "../../../../adapters/pages/console/screens/jobs.ts"
import * as machines from "../../../../adapters/pages/console/screens/machines.ts"
import * as webhooks from "../../../../adapters/pages/console/screens/webhooks.ts"
import { permissions } from "../../../../domain/administration/permissions.ts"
import { at, hostile, ids, statesOf } from "./console-state.ts"
import type { PageState } from "./state.ts"

const entry: audit.Entry = {
  id: ids[0],
  at,
  type: "sign_in.failed",
  outcome: "failure",
  reason: "invalid_credentials",
  count: 12,
  actor: { kind: "visitor", id: null },
  subject: { kind: "user", id: ids[1] },
  organization_id: null,
  session_id: null,
  client_id: hostile,
  ip_address: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
  request_id: ids[0],
  trace_id: null,
  note: hostile,
  data: { method: "email_password", changed: ["name", hostile] },
}
const job = {
  id: ids[0],
  operation: "suspend",
  state: "running",
  dry_run: false,
  on_error: "continue",
  created_by: { kind: "service_account", id: ids[1] },
  total: 10_000,
  position: 1234,
  succeeded: 1230,
  failed: 4,
  sample: [],
  code: null,
  created_at: at,
  started_at: at,
  finished_at: null,
} as const
const client = {
  client_id: "a-client-with-a-long-id-of-the-configuration",
  client_name: hostile,
  configured: false,
  secrets: 2,
  redirect_uris: ["https://shop.analytical-engines.example.com/callback", "com.example.app:/callback"],
  scopes: ["openid", "profile"],
} as unknown as Parameters<typeof clients.template>[1]["client"]
const url = `https://auth.example.com/api/auth/oauth2/authorize?response_type=code&client_id=a&redirect_uri=${"x".repeat(80)}`
const key = {
  id: ids[0],
  owner: { kind: "service_account", id: ids[1] },
  name: hostile,
  hint: "x7Qa",
  permissions: ["users:read"],
  statement: null,
  addresses: [],
  expires_at: at,
  revoked_at: null,
  created_at: at,
  updated_at: at,
  last_used_at: at,
  last_used_from: "203.0.113.0",
} as Parameters<typeof machines.template>[1]["keys"][number]
const account = {
  id: ids[1],
  name: "Nächtlicher Abgleich",
  permissions: [...permissions],
  organization_id: null,
  created_at: at,
  updated_at: at,
}
const webhook = {
  id: ids[0],
  url: "https://hooks.analytical-engines.example.com/sallyport",
  types: ["user.created", "user.deleted"],
  configured: false,
  failing_since: at,
  disabled_at: null,
}
const impersonation = {
  session_id: ids[0],
  user_id: ids[0],
  impersonator_user_id: ids[1],
  mode: "read",
  reason: hostile,
  state: "active",
  started_at: at,
  ends_at: at,
  ended_at: null,
} as const

const exporting = (view: ConsoleView) =>
  confirmation.template(view, {
    title: "console.audit.export",
    text: "console.audit.export.text",
    reason: { isRequired: true, kept: "" },
    subject: { id: "", name: view.texts.t("console.audit"), about: [["Subject", ids[0]]], page: ["/audit", {}] },
    fields: auditExport.fields(view),
  })

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/audit", "/audit", "console.audit", [
    [
      "several",
      (view) =>
        audit.template(view, {
          entries: [entry, { ...entry, outcome: "success", reason: null, count: 1 }],
          query: { since: "2026-11-01" },
          types: ["user.created", "user.suspended"],
          next: "next",
          mayExport: true,
          liveAfter: ids[0],
        }),
    ],
    [
      "none",
      (view) =>
        audit.template(view, {
          entries: [],
          query: { type: hostile, cursor: "c" },
          types: [],
          next: null,
          mayExport: true,
          liveAfter: null,
        }),
    ],
    [
      "without users",
      (view) => audit.template(view, { entries: [entry], query: {}, types: [], next: null, mayExport: false, liveAfter: null }),
      undefined,
      ["users:read"],
    ],
  ]),
  ...statesOf("/audit/export", "/audit", "console.audit.export", [
    ["asked", exporting],
    ["refused", exporting, ["console.problem.forbidden", null]],
  ]),
  ...statesOf("/jobs", "/jobs", "console.jobs", [
    ["several", (view) => jobs.listTemplate(view, { jobs: [job, { ...job, state: "failed", total: null }], query: {}, next: "next" })],
    ["none", (view) => jobs.listTemplate(view, { jobs: [], query: { state: "queued" }, next: null })],
  ]),
  ...statesOf("/job", "/jobs", "console.jobs", [
    ["running, with failures", (view) => jobs.template(view, { job, failures: [{ user_id: ids[1], code: "user_not_found" }] })],
    [
      "cancelled",
      (view) => jobs.template(view, { job: { ...job, state: "cancelled", code: null }, failures: [] }),
      "console.job.cancelled_now",
    ],
  ]),
  ...statesOf("/clients", "/clients", "console.clients", [
    [
      "several",
      (view) =>
        clients.listTemplate(view, {
          clients: [client, { ...client, configured: true, client_name: null }],
          query: {},
          next: "next",
          mayAdd: true,
        }),
    ],
    ["none", (view) => clients.listTemplate(view, { clients: [], query: {}, next: null, mayAdd: false })],
  ]),
  ...statesOf("/client", "/clients", "console.client", [
    ["stored", (view) => clients.template(view, { client, secret: null, url })],
    ["with a new secret", (view) => clients.template(view, { client, secret: "s".repeat(43), url }), "console.secret.rotated"],
    ["of the configuration", (view) => clients.template(view, { client: { ...client, configured: true }, secret: null, url: null })],
  ]),
  ...statesOf("/machines", "/machines", "console.machines", [
    [
      "several",
      (view) =>
        machines.template(view, {
          keys: [key, { ...key, revoked_at: at }],
          accounts: { service_accounts: [account], next_cursor: "next" },
          now: 0,
          secret: null,
          query: { accounts: "c" },
          next: "next",
        }),
    ],
    [
      "expired",
      (view) =>
        machines.template(view, {
          keys: [key],
          accounts: { service_accounts: [] },
          secret: "s".repeat(55),
          now: Date.parse(at),
          query: {},
          next: null,
        }),
    ],
    ["none", (view) => machines.template(view, { keys: [], accounts: null, secret: null, now: 0, query: {}, next: null })],
  ]),
  ...statesOf("/webhooks", "/webhooks", "console.webhooks", [
    [
      "several",
      (view) =>
        webhooks.template(view, {
          webhooks: [webhook, { ...webhook, configured: true, disabled_at: at }],
          secret: null,
          isLinked: true,
          mayAdd: true,
        }),
    ],
    [
      "with a new secret",
      (view) =>
        webhooks.template(view, {
          webhooks: [{ ...webhook, failing_since: null }],
          secret: "s".repeat(43),
          isLinked: false,
          mayAdd: false,
        }),
      "console.secret.rotated",
    ],
    ["none", (view) => webhooks.template(view, { webhooks: [], secret: null, isLinked: true, mayAdd: true })],
  ]),
  ...statesOf("/administrators", "/administrators", "console.administrators", [
    [
      "several",
      (view) =>
        administrators.template(view, {
          roles: [{ name: "support", permissions: ["users:read"] }],
          configured: [
            { email: "ada@example.com", user_id: "8f14e45f-ceea-467f-a83d-0e4c5b1f1b1c", is_administrator: true },
            { email: "grace.of.a.long.name@department.example.com", user_id: "45c48cce", is_administrator: false },
            { email: "soon@example.com", user_id: null, is_administrator: false },
            { email: null, user_id: "c9f0f895-fb98-4b91-99cf-1f1d8f3a6a3e", is_administrator: false },
          ],
          impersonations: {
            impersonations: [impersonation, { ...impersonation, state: "ended", ended_at: at }],
            next_cursor: "next",
            query: { cursor: "c" },
          },
        }),
    ],
    ["without impersonation", (view) => administrators.template(view, { roles: [], configured: [], impersonations: null })],
    ["no impersonation", (view) => administrators.template(view, { roles: [], impersonations: { impersonations: [], query: {} } })],
  ]),
]
