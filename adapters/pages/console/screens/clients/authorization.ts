import { html } from "@remix-run/html-template"
import type { SettingsValue } from "../../../../../domain/settings.ts"
import { card } from "../../parts/body.ts"
import { code } from "../../parts/values.ts"
import type { ConsoleView } from "../../screen.ts"
import type { Client } from "./client.ts"

/** In place of the challenge, which only the application can make. */
const challenge = "CODE_CHALLENGE"

/** Whether a client of the configuration has a secret is not shown; one with a secret may use PKCE as well. */
const needsPkce = ({ require_pkce, token_endpoint_auth_method: method, configured }: Client) =>
  require_pkce ?? (method === "none" || (method === null && configured))

/** A URL that begins a sign-in for a client; null if the client has to send its requests in another way. */
export const authorizationUrl = ({ public_url, base_path }: SettingsValue, client: Client) => {
  const { client_id, redirect_uris: [redirect_uri] = [], grant_types = [], scopes = [], security_profile } = client
  const isPushed = client.require_pushed_authorization_requests === true || security_profile === "fapi2"
  if (redirect_uri === undefined || isPushed || client.require_signed_request_object === true) return null
  if (!grant_types.includes("authorization_code")) return null
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri,
    scope: scopes.join(" "),
    ...(needsPkce(client) && { code_challenge: challenge, code_challenge_method: "S256" }),
  })
  return `${public_url}${base_path}/oauth2/authorize?${query}`
}

/** The card with that URL. */
export const authorizationCard = (view: ConsoleView, client: Client, url: string | null) => {
  if (url === null) return null
  const { t } = view.texts
  const pkce = needsPkce(client) ? html` ${t("console.client.authorize.pkce")}` : null
  return card(t("console.client.authorize"), {}, html`<p>${t("console.client.authorize.about")}${pkce}</p><p>${code(url)}</p>`)
}
