import { template as confirming } from "../../../../adapters/pages/console/confirmation.ts"
import { body } from "../../../../adapters/pages/console/parts/body.ts"
import * as health from "../../../../adapters/pages/console/screens/health.ts"
import * as keys from "../../../../adapters/pages/console/screens/keys.ts"
import * as outbox from "../../../../adapters/pages/console/screens/outbox.ts"
import * as settings from "../../../../adapters/pages/console/screens/settings.ts"
import * as webhook from "../../../../adapters/pages/console/screens/webhook.ts"
import { at, hostile, ids, statesOf } from "./console-state.ts"
import type { PageState } from "./state.ts"

const mail = { id: ids[0], kind: "mail", state: "waiting", attempts: 0, last_code: null, created_at: at, due_at: at } as const
const lost = { ...mail, kind: hostile, state: "dead", attempts: 12, last_code: "ECONNREFUSED", due_at: null } as const
const key = {
  use: "idp",
  id: "n8mT2Xv5w0kJr1yQ4zB7c9dF3gH6aL8s",
  algorithm: "RS256",
  state: "current",
  from: at,
  until: null,
  due_at: at,
} as const
const entry = { path: "modules.admin.operations", value: "true", secret: false, source: "file", default: "false" } as const
const hook = {
  id: ids[0],
  url: "https://hooks.analytical-engines.example.com/sallyport",
  types: ["user.created", "organization.member_role_changed"],
  configured: false,
  failing_since: at,
  disabled_at: null,
}
const delivery = {
  id: ids[0],
  event_id: ids[1],
  type: "user.created",
  state: "waiting",
  attempts: 1,
  reason: hostile,
  created_at: at,
  due_at: at,
} as const
const optional = { isRequired: false, kept: "" }
const rotation = { title: "console.keys.rotate", text: "console.keys.rotate.text", fields: null, reason: optional } as const
const discard = { title: "console.outbox.discard", text: "console.outbox.discard.text", fields: null, reason: null } as const

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/outbox", "/outbox", "console.outbox", [
    ["several", (view) => outbox.template(view, { messages: [mail, lost, { ...mail, kind: "sms" }], query: {}, next: "next" })],
    ["none", (view) => outbox.template(view, { messages: [], query: { state: "dead", cursor: "c" }, next: null })],
    [
      "to read only",
      (view) => outbox.template(view, { messages: [{ ...lost, kind: null }], query: {}, next: null }),
      undefined,
      ["outbox:retry"],
    ],
  ]),
  ...statesOf("/outbox/discard", "/outbox", "console.outbox.discard", [
    ["asked", (view) => confirming(view, { ...discard, subject: { id: ids[0], name: ids[0], about: [], page: ["/outbox"] } })],
  ]),
  ...statesOf("/keys", "/keys", "console.keys", [
    [
      "several",
      (view) =>
        body(
          view,
          { title: view.texts.t("console.keys") },
          keys.keysCard(view, { keys: [{ ...key, state: "next" }, key, { ...key, state: "former", from: null, until: at }] }),
          keys.secretsCard(view, {
            secrets: [
              { id: "a1b2c3d4", state: "current", rows: 12, capped: false },
              { id: null, state: "former", rows: 1000, capped: true },
            ],
          }),
        ),
    ],
    [
      "none",
      (view) =>
        body(view, { title: view.texts.t("console.keys") }, keys.keysCard(view, { keys: [] }), keys.secretsCard(view, { secrets: [] })),
      "console.keys.rotated.none",
    ],
  ]),
  ...statesOf("/keys/rotate", "/keys", "console.keys.rotate", [
    [
      "asked",
      (view) =>
        confirming(view, {
          ...rotation,
          subject: { id: "x", name: "auth.example.com", about: [], page: ["/keys"], typed: "auth.example.com" },
        }),
    ],
  ]),
  ...statesOf("/settings", "/settings", "console.settings", [
    [
      "several",
      (view) =>
        settings.template(view, {
          entries: [
            entry,
            { ...entry, path: "secret", value: "set", secret: true, source: "variable", default: null },
            { ...entry, path: "social.providers.a_provider_with_a_long_name.client_id", value: null, source: "default" },
            { ...entry, path: "branding.name", value: JSON.stringify(hostile) },
          ],
          query: {},
        }),
    ],
    ["none", (view) => settings.template(view, { entries: [], query: { q: hostile, changed: "yes" } })],
  ]),
  ...statesOf("/health", "/health", "console.health", [
    [
      "with findings",
      (view) =>
        health.template(view, {
          processes: [{ version: "1.0.0", started_at: at, draining: true }],
          store: { ms: 12_345 },
          queues: [
            { receiver: "mail", waiting: 1000, capped: true, oldest_s: 7300 },
            { receiver: "webhook", waiting: 1, capped: false, oldest_s: 61 },
          ],
          seal_age_s: 1,
          findings: [
            { module: "service", severity: "warning", text: "The secret is short: use one of at least 32 bytes." },
            { module: "admin", severity: "note", text: hostile },
          ],
        }),
    ],
    ["quiet", (view) => health.template(view, { processes: [], store: { ms: 0 }, queues: [], seal_age_s: null, findings: [] })],
  ]),
  ...statesOf("/webhook", "/webhooks", "console.webhook", [
    [
      "with deliveries that wait",
      (view) =>
        webhook.template(view, {
          webhook: hook,
          test: null,
          deliveries: webhook.deliveriesCard(view, {
            deliveries: [delivery, { ...delivery, reason: null }],
            query: { id: ids[0] },
            next: "next",
          }),
        }),
    ],
    [
      "disabled, with deliveries that were given up",
      (view) =>
        webhook.template(view, {
          webhook: { ...hook, disabled_at: at },
          test: null,
          deliveries: webhook.deliveriesCard(view, {
            deliveries: [{ ...delivery, state: "dead", due_at: null }],
            query: { id: ids[0], state: "dead" },
            next: null,
          }),
        }),
    ],
    ...([true, false] as const).map(
      (accepted) =>
        [
          accepted ? "after a test" : "after a test that was refused",
          (view: Parameters<typeof webhook.template>[0]) =>
            webhook.template(view, {
              webhook: { ...hook, failing_since: null },
              test: { accepted, status: accepted ? 204 : null, reason: accepted ? null : hostile, ms: 1234 },
              deliveries: webhook.deliveriesCard(view, { deliveries: [], query: { id: ids[0] }, next: null }),
            }),
        ] as const,
    ),
    [
      "to read only",
      (view) =>
        webhook.template(view, {
          webhook: hook,
          test: null,
          deliveries: webhook.deliveriesCard(view, {
            deliveries: [{ ...delivery, state: "dead", due_at: null }],
            query: { id: ids[0], state: "dead", cursor: "c" },
            next: null,
          }),
        }),
      undefined,
      ["webhooks:write"],
    ],
  ]),
]
