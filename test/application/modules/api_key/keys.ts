import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { apiKey } from "../../../../application/modules/api_key/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint, Endpoint } from "../../../../application/service/endpoint.ts"
import { type AccessControl, standard } from "../../../../domain/organizations/access-control.ts"
import { Caller } from "../../../../domain/sessions/caller.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { core, signedUp as signedUpTo, type WorldServices } from "../../../world.ts"
import { limits } from "../organization/organizations.ts"

// A service with keys, administrators and organizations, and calls of programs with keys.

export const root = "root@example.com"
export const administrators = admin.build(
  Schema.decodeUnknownSync(admin.settings)({
    admin_emails: [root],
    jobs: true,
    roles: { reader: ["users:read"], keeper: ["api_keys:write", "api_keys:revoke", "service_accounts:write", "users:read"] },
  }),
)
export const builtWith = (settings: object = {}) =>
  apiKey.build(Schema.decodeUnknownSync(apiKey.settings)({ permissions: ["reports:read", "reports:write"], ...settings }))
export const keys = builtWith()
/** The standard roles, a manager who may do less than administrators, and a permission of the application. */
export const access: AccessControl = {
  ...standard,
  roles: {
    ...standard.roles,
    owner: { ...standard.roles["owner"], invoice: ["read", "pay"] },
    manager: { organization: ["update"], team: ["create"], invoice: ["read"] },
  },
  hierarchy: ["member", "manager", "admin", "owner"],
}
export const organizationsWith = (access_control: AccessControl) =>
  organization.build({ access_control, invitation_expires_in: 604_800, ...limits })
export const organizations = organizationsWith(access)
export const modulesWith = (own: typeof keys, places = organizations) => [
  ...core,
  administrators,
  places,
  own,
  audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned),
]
export const auth = AuthOf.make(modulesWith(keys))
export const rule = rulesOf(modulesWith(keys))

export const signedUp = (email: string) => signedUpTo(email, auth)
export type Person = Effect.Success<ReturnType<typeof signedUp>>

interface Sent {
  readonly authorization?: string
  readonly api_key?: string
  readonly credential?: string | null
  readonly ip_address?: string | null
  readonly from_browser?: boolean
}

/** A call of a program. */
export const send = <I, O>(sent: Sent, endpoint: Endpoint<I, O, any>, input: unknown = {}, service: AuthOf.Auth<any> = auth) =>
  service.call(endpoint, input).pipe(
    Effect.provideService(Caller, {
      credential: null,
      cookies: {},
      authorization: null,
      api_key: null,
      accept: null,
      dpop: null,
      client_certificate: null,
      from_browser: false,
      ip_address: "192.0.2.9",
      user_agent: "a program",
      accept_language: null,
      origin: null,
      ...sent,
    }),
  ) as Effect.Effect<{ readonly body: O }, import("../../../../domain/errors.ts").AuthError, WorldServices>

export const bodyFor = <I, O>(api_key: string, endpoint: Endpoint<I, O, any>, input: unknown = {}) =>
  Effect.map(send({ api_key }, endpoint, input), ({ body }) => body)

/** The code of a refusal, or `ok`. */
export const outcome = (sent: string | Sent, endpoint: AnyEndpoint, input: unknown = {}, service: AuthOf.Auth<any> = auth) =>
  Effect.match(send(typeof sent === "string" ? { api_key: sent } : sent, endpoint, input, service), {
    onFailure: ({ _tag }) => _tag,
    onSuccess: () => "ok",
  })

/** A service account with these permissions and a key of it. */
export const accountKey = Effect.fnUntraced(function* (owner: Person, permissions: ReadonlyArray<string>, more: object = {}) {
  const { service_account } = yield* owner.body(administrators.endpoints.adminServiceAccountsCreate, { name: "Sync", permissions })
  const made = yield* owner.body(keys.endpoints.adminApiKeysCreate, {
    service_account_id: service_account.id,
    name: "Nightly",
    permissions,
    ...more,
  })
  return { ...made, service_account_id: service_account.id }
})
