import { Effect, Option, Schema } from "effect"
import { grantsOf } from "../../../domain/administration/administrators.ts"
import { everywhere } from "../../../domain/administration/grants.ts"
import { none } from "../../../domain/administration/permissions.ts"
import { EmailNotVerified, Forbidden, invalidMember } from "../../../domain/errors.ts"
import { notices } from "../../../domain/mail/notices.ts"
import type { Permissions } from "../../../domain/organizations/access-control.ts"
import { hasOrganizations, type Membership, ownMembership } from "../../../domain/organizations/membership.ts"
import { isWithin, narrowed, type Permits } from "../../../domain/organizations/statements.ts"
import { Members, Organizations } from "../../../domain/organizations/tables.ts"
import { Policies } from "../../../domain/policies.ts"
import { check, commitOrConflict, orFail, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { refuseGuest } from "../../../domain/sign-in/verification.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { steppedUp } from "../../service/guards.ts"
import { NextPage, PageInput } from "../../service/paging.ts"
import { apiKeyCreated } from "./emails.ts"
import { ApiKeyNotFound, TooManyApiKeys } from "./errors.ts"
import { Changes, changed, maxOverlap, NewKey, newKey, type Owner, revoked, rotated, Statement } from "./keys.ts"
import { pageOfKeys } from "./list.ts"
import type { ApiKeySettings } from "./settings.ts"
import { ListedKey, ShownKey, shown } from "./shown.ts"
import { type ApiKey, ApiKeys } from "./tables.ts"

// The keys of the signed-in user, and of organizations whose settings the user may change.

const organization_id = Schema.optionalKey(Schema.String)
const One = { key_id: Schema.String }

/** What a member with this role may give to a key. */
const permittedNow = (role: string) =>
  Effect.map(
    Policies,
    ({ organizationPermits }): Permits =>
      (resource, action) =>
        organizationPermits(role, resource, action),
  )

/** The membership of a caller who may change the organization. */
const managing = Effect.fnUntraced(function* membershipToManage(id: string) {
  if (!(yield* hasOrganizations)) return Option.none<Membership>()
  const { organizationPermits } = yield* Policies
  return Option.filter(yield* ownMembership(id), ({ member }) => organizationPermits(member.row.role, "organization", "update"))
})

const oneself = Effect.gen(function* oneself() {
  const { user } = yield* rereadSession
  yield* refuseGuest(user.row)
  const owner: Owner = {
    kind: "user",
    id: user.row.id,
    mayManage: everywhere(yield* grantsOf(user.row)),
    writes: [update(Users, user, {})],
  }
  return owner
})

const ofOrganization = Effect.fnUntraced(function* ofOrganization(id: string, statement: Permissions | undefined) {
  const { member, organization } = yield* orFail(managing(id), () => new Forbidden())
  const { role } = member.row
  if (!isWithin(statement ?? {}, yield* permittedNow(role))) return yield* new Forbidden()
  const owner: Owner = {
    kind: "organization",
    id,
    mayManage: none,
    inOrganization: statement === undefined ? undefined : { statement: narrowed(statement, () => true), role },
    writes: [check(Members, member), update(Organizations, organization, {})],
  }
  return owner
})

/** A key that the caller may change; a key of others is unknown. Commit `writes` with the change. */
const ownKey = Effect.fnUntraced(function* ownKey(id: string) {
  const key = yield* orFail((yield* Store).read(ApiKeys, { id }), () => new ApiKeyNotFound())
  const { user } = yield* CurrentSession
  const { owner_kind, owner_id } = key.row
  if (owner_kind === "user" && owner_id === user.id) return { key, role: null, writes: [] }
  if (owner_kind !== "organization") return yield* new ApiKeyNotFound()
  const { member } = yield* orFail(managing(owner_id), () => new ApiKeyNotFound())
  return { key, role: member.row.role, writes: [check(Members, member)] }
})

/**
 * A key that is not revoked: a revoked one stays as it was. Members change no key that may do more than they: they could get its text by a
 * rotation.
 */
const usableKey = Effect.fnUntraced(function* usableKey(id: string) {
  const { key, role, writes } = yield* ownKey(id)
  if (key.row.revoked_at !== null) return yield* new ApiKeyNotFound()
  const { statement, organization_role } = key.row
  if (statement === null || organization_role === null || role === null) return { key, writes }
  const { mayGrantRole } = yield* Policies
  const isBelow = mayGrantRole(role, organization_role) && isWithin(statement, yield* permittedNow(role))
  return isBelow ? { key, writes } : yield* new Forbidden()
})

const WithText = Schema.Struct({
  key: Schema.String.pipe(Schema.annotateKey({ description: "The key. Only this response has it." })),
  api_key: ShownKey,
})

const create = (settings: ApiKeySettings) =>
  Endpoint.make({
    ...steppedUp,
    method: "POST",
    path: "/api-key/create",
    summary: "Makes a key for the user, or for an organization whose settings the user may change. Only this response has the key.",
    input: Schema.Struct({ ...NewKey, organization_id, statement: Statement }),
    output: WithText,
    errors: [Forbidden, EmailNotVerified, TooManyApiKeys],
    handler: Effect.fnUntraced(function* apiKeyCreate({ organization_id, statement, ...input }) {
      if (organization_id === undefined && statement !== undefined)
        return yield* invalidMember("statement", "Expected only with organization_id")
      const owner = yield* organization_id === undefined ? oneself : ofOrganization(organization_id, statement)
      const { text, key, writes } = yield* newKey(settings, owner, input)
      const mails = yield* notices((yield* CurrentSession).user, () => apiKeyCreated)
      yield* commitOrConflict([...writes, ...mails])
      return Endpoint.reply({ key: text, api_key: shown(key) })
    }, retryOnConflict),
  })

const change = Endpoint.make({
  ...steppedUp,
  method: "POST",
  path: "/api-key/update",
  summary: "Changes the name, the addresses, the permissions and the statement of a key; the last two only become less.",
  input: Schema.Struct({ ...One, changes: Changes }),
  output: Schema.Struct({ api_key: ShownKey }),
  errors: [ApiKeyNotFound, Forbidden],
  handler: Effect.fnUntraced(function* apiKeyUpdate({ key_id, changes }) {
    const own = yield* usableKey(key_id)
    const { key, writes } = yield* changed(own.key, changes)
    yield* commitOrConflict([...own.writes, ...writes])
    return Endpoint.reply({ api_key: shown(key) })
  }, retryOnConflict),
})

/** Seconds in which the secret before stays valid. */
export const Overlap = Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxOverlap })))
export const defaultOverlap = 86_400

const rotate = (settings: ApiKeySettings) =>
  Endpoint.make({
    ...steppedUp,
    method: "POST",
    path: "/api-key/rotate",
    summary: "Gives a key another text. The one before stays valid for `overlap` seconds, by default a day.",
    input: Schema.Struct({ ...One, overlap: Overlap }),
    output: WithText,
    errors: [ApiKeyNotFound, Forbidden],
    handler: Effect.fnUntraced(function* apiKeyRotate({ key_id, overlap = defaultOverlap }) {
      const own = yield* usableKey(key_id)
      const { text, key, writes } = yield* rotated(settings, own.key, overlap)
      yield* commitOrConflict([...own.writes, ...writes])
      return Endpoint.reply({ key: text, api_key: shown(key) })
    }, retryOnConflict),
  })

const revoke = Endpoint.make({
  method: "POST",
  path: "/api-key/revoke",
  summary: "Ends a key at once, also during a rotation.",
  access: "session",
  input: Schema.Struct(One),
  output: Success,
  errors: [ApiKeyNotFound],
  handler: Effect.fnUntraced(function* apiKeyRevoke({ key_id }) {
    const { key, writes } = yield* ownKey(key_id)
    if (key.row.revoked_at === null) yield* commitOrConflict([...writes, yield* revoked(key)])
    return Endpoint.reply(succeeded)
  }, retryOnConflict),
})

const list = Endpoint.make({
  method: "GET",
  path: "/api-key/list",
  summary: "The keys of the user, or of an organization whose settings the user may change, with their last use.",
  access: "session",
  impersonation: "never",
  input: Schema.Struct({ organization_id, ...PageInput }),
  output: Schema.Struct({ api_keys: Schema.Array(ListedKey), ...NextPage }),
  errors: [Forbidden],
  handler: Effect.fnUntraced(function* apiKeyList({ organization_id, ...request }) {
    if (organization_id !== undefined) yield* orFail(managing(organization_id), () => new Forbidden())
    const { user } = yield* CurrentSession
    const owner: Pick<ApiKey, "owner_kind" | "owner_id"> =
      organization_id === undefined ? { owner_kind: "user", owner_id: user.id } : { owner_kind: "organization", owner_id: organization_id }
    return Endpoint.reply(yield* pageOfKeys(owner, request))
  }),
})

export const ownEndpoints = (settings: ApiKeySettings) => [create(settings), change, rotate(settings), revoke, list] as const
