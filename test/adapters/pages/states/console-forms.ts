import * as client from "../../../../adapters/pages/console/screens/clients/editing.ts"
import * as accounts from "../../../../adapters/pages/console/screens/machines/accounts.ts"
import * as key from "../../../../adapters/pages/console/screens/machines/new-key.ts"
import * as webhook from "../../../../adapters/pages/console/screens/webhooks/editing.ts"
import { permissions } from "../../../../domain/administration/permissions.ts"
import { at, hostile, ids, statesOf } from "./console-state.ts"
import type { PageState } from "./state.ts"

const stored = {
  client_id: "a-client-with-a-long-id",
  client_name: hostile,
  configured: false,
  redirect_uris: ["https://shop.analytical-engines.example.com/callback", "com.example.app:/callback"],
  scopes: ["openid", "profile"],
  token_endpoint_auth_method: "tls_client_auth",
  tls_client_auth_subject_dn: "CN=client.with.a.long.name.of.analytical-engines.example.com,O=Analytical Engines,C=GB",
  jwks: { keys: [{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }] },
  grant_types: ["authorization_code", "client_credentials"],
  refresh_tokens: true,
  access_token_ttl: 600,
  updated_at: at,
} as unknown as Parameters<typeof client.editTemplate>[1]
const account = { id: ids[1], name: hostile, permissions: [...permissions], organization_id: null, created_at: at, updated_at: at }
const receiver = {
  id: ids[0],
  url: "https://hooks.analytical-engines.example.com/sallyport",
  types: ["user.created", "session.*"],
  configured: false,
  failing_since: at,
  disabled_at: at,
}

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/clients/new", "/clients", "console.client.new", [
    ["empty", (view) => client.newTemplate(view, null)],
    ["refused", (view) => client.newTemplate(view, null), ["error.invalid_request", "redirect_uris"]],
    ["with refused keys", (view) => client.newTemplate(view, null), ["error.invalid_request", "jwks"]],
  ]),
  ...statesOf("/client/edit", "/clients", "console.client", [
    ["stored", (view) => client.editTemplate(view, stored)],
    ["with a refused certificate", (view) => client.editTemplate(view, stored), ["error.invalid_request", "tls_client_auth_subject_dn"]],
    ["with refused grants", (view) => client.editTemplate(view, stored), ["error.invalid_request", "grant_types"]],
    ["changed in the meantime", (view) => client.editTemplate(view, stored), ["error.version_mismatch", null]],
  ]),
  ...statesOf("/webhooks/new", "/webhooks", "console.webhook.new", [
    ["empty", (view) => webhook.newTemplate(view, null)],
    ["refused", (view) => webhook.newTemplate(view, null), ["error.invalid_request", "types"]],
  ]),
  ...statesOf("/webhook/edit", "/webhooks", "console.webhook", [
    ["disabled", (view) => webhook.editTemplate(view, receiver)],
    ["enabled", (view) => webhook.editTemplate(view, { ...receiver, disabled_at: null })],
  ]),
  ...statesOf("/service-accounts/new", "/machines", "console.service_account.new", [
    ["empty", (view) => accounts.newTemplate(view, null)],
    ["with few permissions", (view) => accounts.newTemplate(view, null), undefined, permissions.filter((each) => !each.endsWith(":read"))],
  ]),
  ...statesOf("/service-account/edit", "/machines", "console.service_accounts", [
    ["stored", (view) => accounts.editTemplate(view, account)],
    ["refused", (view) => accounts.editTemplate(view, account), ["console.problem.forbidden", null]],
  ]),
  ...statesOf("/api-key/new", "/machines", "console.api_key.new", [
    ["empty", (view) => key.template(view, account)],
    ["refused", (view) => key.template(view, { ...account, permissions: [] }), ["error.invalid_request", "addresses"]],
  ]),
]
