import { assert } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { screens } from "../../../../adapters/pages/console/screens.ts"
import { attributes } from "../../../../application/modules/attributes/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { DeadDeliveries, States } from "../../../../application/modules/events/tables.ts"
import { TwoFactors } from "../../../../application/modules/two_factor/tables.ts"
import { Outbox } from "../../../../domain/mail/outbox.ts"
import { insert, Store, update } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { rows } from "../../../world.ts"
import { signedUp } from "../browse.ts"
import { modules, root, withRole } from "./console.ts"

/** All modules, with a text as an attribute of users. */
export const withAttributes = [
  ...modules.filter(({ name }) => name !== attributes.name),
  attributes.build(Schema.decodeUnknownSync(attributes.settings)({ motto: { schema: { type: "string" }, write: "admin" } })),
]

/** Fills every screen of the console, with this text wherever people or programs choose one. Returns an administrator, and ids by the members of inputs. */
export const populated = Effect.fnUntraced(function* populated(text: string) {
  const owner = yield* root
  const ada = yield* signedUp("ada@example.com", text)
  const user_id = ada.user.id
  const other = yield* signedUp("grace@example.com", text)
  const { id: organization_id } = (yield* ada.api("/organization/create", { name: text, slug: "engines" })).organization
  yield* ada.api("/organization/invite", { organization_id, email: "eve@example.com" })
  yield* owner.api("/admin/users/update", { user_id, changes: { attributes: { motto: text } } })
  yield* owner.api("/admin/users/erase", { user_id: other.user.id, confirm: other.user.id, after_days: 7, reason: `${text} ${text}` })
  yield* owner.api("/admin/users/suspend", { user_id: other.user.id, reason: `${text} ${text}` })
  const redirect_uris = ["https://shop.example.com/"]
  const { client_id } = (yield* owner.api("/admin/clients/create", { client_name: text, redirect_uris })).client
  const permissions = ["users:read"]
  const { service_account } = yield* owner.api("/admin/service-accounts/create", { name: text, permissions })
  const service_account_id: string = service_account.id
  yield* owner.api("/admin/api-keys/create", { service_account_id, name: text, permissions })
  const { webhook } = yield* owner.api("/admin/webhooks/create", { url: "https://hooks.example.com/in", types: ["user.created"] })
  const job = { operation: "revoke_sessions", user_ids: [user_id], reason: `${text} ${text}` }
  const { id: job_id } = (yield* owner.api("/admin/jobs/create", job)).job
  const second = yield* withRole(owner, "admin", "second@example.com")
  yield* second.api("/admin/impersonate/start", { user_id, reason: `${text} ${text}` })
  yield* withRole(owner, "support")

  const { commit, read } = yield* Store
  const now = yield* DateTime.now
  const dead = {
    ...{ id: `${user_id}.${webhook.id}`, webhook_id: webhook.id, event_id: user_id, type: "user.created", subject: user_id, body: "{}" },
    ...{ attempts: 1, created_at: now, reason: text, died_at: now, expires_at: DateTime.addDuration(now, "7 days") },
  }
  const mail = yield* (yield* Outbox).mail({ to: "x@example.com", subject: text, text, html: text })
  const state = { id: webhook.id, failing_since: now, disabled_at: null, reason: text }
  const app = {
    ...{ user_id, secret: "sealed", backup_codes: [], used_steps: [], failures: 0 },
    ...{ locked_until: null, confirmed_at: null, created_at: now, updated_at: now },
  }
  yield* Effect.orDie(commit([insert(States, state), insert(DeadDeliveries, dead), insert(TwoFactors, app), mail]))
  for (const table of [Sessions, Records] as const) {
    for (const { id } of yield* rows(table)) {
      const found = yield* read(table, { id })
      if (found._tag === "Some") yield* Effect.orDie(commit([update(table, found.value, { user_agent: text })]))
    }
  }
  const ids = { user_id, organization_id, client_id, service_account_id, webhook_id: webhook.id as string, job_id }
  return { owner, ids, other: other.user.id }
})

type Populated = Effect.Success<ReturnType<typeof populated>>

const addressOf = (path: string, query: Record<string, string> = {}) =>
  `/admin${path === "/" ? "" : path}${Object.keys(query).length === 0 ? "" : `?${new URLSearchParams(query)}`}`

const linksIn = (html: string) => [...html.matchAll(/href="(\/admin[^"#]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"))

/** Which page a link opens: the path and the names of the parameters. */
const pageOf = (address: string) => {
  const { pathname, searchParams } = new URL(address, "http://localhost")
  return `${pathname}?${[...searchParams.keys()].toSorted()}`
}

/** The pages that forms open, and those of another user than the first whom links lead to. */
const unlinked = ({ ids: { user_id: id, organization_id, webhook_id }, other }: Populated) => [
  addressOf("/user", { id }),
  addressOf("/user/suspend", { id }),
  addressOf("/user/sessions/end", { id }),
  addressOf("/user/role/withdraw", { id, role: "support" }),
  addressOf("/user/merge", { id, into: other }),
  addressOf("/user/erase/cancel", { id: other }),
  addressOf("/users/several", { operation: "suspend", id }),
  addressOf("/organization/member", { id: organization_id, user: id }),
  addressOf("/organization/remove", { id: organization_id, user: id }),
  addressOf("/webhook", { id: webhook_id, state: "dead" }),
  addressOf("/search", { q: "ada@" }),
]

/** The stream of the audit log, which has no end. */
const isStream = (address: string) => address.startsWith("/admin/audit/live")

/** The addresses of all pages of the console that GET opens, by their links. Fails unless every screen is among them. */
export const addressesOf = Effect.fnUntraced(function* addressesOf(service: Populated) {
  const found = new Map(unlinked(service).map((address) => [address, address]))
  const visible = screens.filter(({ section }) => typeof section !== "string")
  const open = [...found.keys(), ...visible.map(({ path }) => addressOf(path))]
  for (let address = open.shift(); address !== undefined; address = open.shift()) {
    if ((!found.has(address) && found.has(pageOf(address))) || isStream(address)) continue
    const { status, text } = yield* service.owner.request("GET", address)
    assert.strictEqual(status, 200, address)
    if (!found.has(address)) found.set(pageOf(address), address)
    open.push(...linksIn(text).filter((link) => !found.has(link)))
  }
  const addresses = [...found.values()]
  const paths = new Set(addresses.map((address) => new URL(address, "http://localhost").pathname))
  const missing = screens.map(({ path }) => addressOf(path)).filter((path) => !paths.has(path) && !isStream(path))
  assert.deepStrictEqual(missing, [], "screens to which no link leads: add their addresses")
  return addresses
})
