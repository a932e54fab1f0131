import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import type { AnyModule } from "../../../../application/service/module.ts"
import type { ImpersonationMode } from "../../../../domain/sessions/impersonation.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, signedUp } from "../../../world.ts"
import { builtWith, spa, web } from "../idp/provider.ts"

export const root = "root@example.com"
export const email = "ada@example.com"
export const reason = "ticket 4711, the list of teams is empty"

/** A client that accepts administrators in the name of users, one that does not, one with JWTs, and one that asks for consent. */
export const clients = [
  { ...spa, client_id: "accepting", accepts_impersonation: true, refresh_tokens: true, scopes: ["openid", "offline_access"] },
  { ...spa, client_id: "refusing" },
  { ...spa, client_id: "signed", accepts_impersonation: true, access_token_format: "jwt" },
  { ...spa, client_id: "asking", accepts_impersonation: true, consent: true },
  { ...web, client_id: "api", resource_server: true },
]

const administration = admin.build(
  Schema.decodeUnknownSync(admin.settings)({
    admin_emails: [root],
    roles: { helper: ["users:impersonate"] },
    suspension: true,
  }),
)
const own: Readonly<Record<string, AnyModule>> = { admin: administration, idp: builtWith({ clients }) }
export const modules = everything.map((module) => own[module.name] ?? module)
export const service = AuthOf.make(modules)
export const admins = administration.endpoints
export const rule = rulesOf(modules)

export const endpointOf = (name: string): AnyEndpoint => {
  const endpoint = service.endpoints[name]
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
  return endpoint
}
export const [start, stop, list, end] = [
  "adminImpersonateStart",
  "impersonationStop",
  "adminImpersonationsList",
  "adminImpersonationsEnd",
].map(endpointOf) as [AnyEndpoint, AnyEndpoint, AnyEndpoint, AnyEndpoint]

/** An administrator and a user. */
export const both = Effect.gen(function* () {
  const [owner, ada] = [yield* signedUp(root, service), yield* signedUp(email, service)]
  return { owner, ada, user_id: ada.user.id }
})

type Browser = ReturnType<typeof browser>

/** Another browser with the session of an administrator, which is in the account of a user. */
export const impersonating = Effect.fnUntraced(function* (
  owner: Browser,
  user_id: string,
  mode: typeof ImpersonationMode.Type = "read",
  more: object = {},
) {
  const inside = browser(service, { ...owner.jar })
  yield* inside.body(start, { user_id, reason, mode, ...more })
  return inside
})

/** The code of an answer, or `ok`. */
export const outcome = (their: Pick<Browser, "call">, endpoint: AnyEndpoint, input: unknown = {}) =>
  Effect.match(their.call(endpoint, input), { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })
