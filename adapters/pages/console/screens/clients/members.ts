import { certificateMethods, grantTypes } from "../../../../../application/modules/idp/clients/client.ts"
import type { Key } from "../../../../texts/texts.ts"

/** A member of the metadata of a client in the form, by how it is entered. */
export interface Member {
  readonly name: string
  readonly label: Key
  readonly kind: "text" | "number" | "lines" | "words" | "json" | "flag" | "choice" | "boxes"
  readonly hint?: Key
  /** Of a choice, with what is shown for each, and of boxes. */
  readonly options?: ReadonlyArray<readonly [value: string, shown: string]>
  /** The value in the form of a new client. */
  readonly usual?: unknown
}

const same = (...values: ReadonlyArray<string>) => values.map((value) => [value, value] as const)
const lines = { kind: "lines", hint: "console.field.lines" } as const

/** The members that administrators set often, in groups. Others are set by the endpoint. */
export const groups: ReadonlyArray<readonly [title: Key, members: ReadonlyArray<Member>]> = [
  [
    "console.user.application",
    [
      { name: "client_name", label: "console.client.name", kind: "text" },
      { name: "client_uri", label: "console.client.site", kind: "text" },
      { name: "logo_uri", label: "console.client.logo", kind: "text" },
      { name: "policy_uri", label: "console.client.policy", kind: "text" },
      { name: "tos_uri", label: "console.client.tos", kind: "text" },
    ],
  ],
  [
    "console.client.sign_in",
    [
      { name: "redirect_uris", label: "console.client.redirect_uris", ...lines },
      { name: "post_logout_redirect_uris", label: "console.client.after_logout", ...lines },
      {
        name: "scopes",
        label: "console.client.scopes",
        kind: "words",
        hint: "console.field.words",
        usual: ["openid", "profile", "email"],
      },
      {
        name: "token_endpoint_auth_method",
        label: "console.client.method",
        kind: "choice",
        options: [
          ["", "client_secret_basic, client_secret_post"],
          ...same("client_secret_basic", "client_secret_post", "private_key_jwt", ...certificateMethods, "none"),
        ],
      },
      {
        name: "grant_types",
        label: "console.client.grants",
        kind: "boxes",
        options: same(...grantTypes),
        usual: ["authorization_code"],
      },
      { name: "refresh_tokens", label: "console.client.refresh", kind: "flag" },
      { name: "consent", label: "console.client.consent", kind: "flag" },
      { name: "accepts_impersonation", label: "console.client.impersonation", kind: "flag" },
    ],
  ],
  [
    "console.client.tokens",
    [
      { name: "access_token_format", label: "console.client.format", kind: "choice", options: same("opaque", "jwt"), usual: "opaque" },
      { name: "access_token_ttl", label: "console.client.ttl", kind: "number", hint: "console.client.ttl.hint" },
      { name: "resources", label: "console.client.resources", ...lines },
      { name: "resource_server", label: "console.client.introspection", kind: "flag" },
      { name: "service_account", label: "console.client.account", kind: "text" },
      { name: "subject_type", label: "console.client.subject", kind: "choice", options: same("public", "pairwise"), usual: "public" },
      { name: "backchannel_logout_uri", label: "console.client.logout", kind: "text" },
      { name: "require_pushed_authorization_requests", label: "console.client.par", kind: "flag" },
      { name: "dpop_bound_access_tokens", label: "console.client.dpop", kind: "flag" },
    ],
  ],
]

/** The members of clients that prove themselves by keys or a certificate. */
export const keyMembers: ReadonlyArray<Member> = [
  { name: "jwks_uri", label: "console.client.keys", kind: "text" },
  { name: "jwks", label: "console.client.jwks", kind: "json", hint: "console.client.jwks.hint" },
  {
    name: "tls_client_auth_subject_dn",
    label: "console.client.certificate.dn",
    kind: "text",
    hint: "console.client.certificate.dn.hint",
  },
  { name: "tls_client_auth_san_dns", label: "console.client.certificate.san_dns", kind: "text" },
  { name: "tls_client_auth_san_uri", label: "console.client.certificate.san_uri", kind: "text" },
  { name: "tls_client_auth_san_ip", label: "console.client.certificate.san_ip", kind: "text" },
  { name: "tls_client_auth_san_email", label: "console.client.certificate.san_email", kind: "text" },
  { name: "tls_client_certificate_bound_access_tokens", label: "console.client.certificate.bound", kind: "flag" },
]

export const members: ReadonlyArray<Member> = [...groups.flatMap(([, each]) => each), ...keyMembers]
