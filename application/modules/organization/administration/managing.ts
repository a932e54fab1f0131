import { DateTime, Effect, Option, Schema, SchemaTransformation } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { administeredUser } from "../../../../domain/administration/reach.ts"
import { InvalidRequest, invalidMember, UserNotFound } from "../../../../domain/errors.ts"
import { isUnder } from "../../../../domain/organizations/managed.ts"
import { memberOf, membershipWith } from "../../../../domain/organizations/membership.ts"
import { ManagedUsers, Members, Organizations } from "../../../../domain/organizations/tables.ts"
import { check, orFail, removeVersioned, replace, retryOnConflict, Store, type Versioned } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { lowercased } from "../../../../domain/values/text.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { NotAMember, OrganizationNotFound } from "../errors.ts"
import { OneMember } from "./members.ts"
import { reached } from "./shown.ts"

// Users whose accounts an organization manages.

const Domain = Schema.String.pipe(
  Schema.decode(SchemaTransformation.transform({ decode: lowercased, encode: (domain) => domain })),
  Schema.check(Schema.isPattern(/^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/, { expected: "a domain such as example.com, in ASCII" })),
)

const Managed = Schema.Struct({
  user_id: Schema.String,
  organization_id: Schema.String,
  domain: Schema.String,
  created_at: Schema.DateTimeUtc,
}).annotate({ identifier: "ManagedUser" })

const manageUser = Endpoint.make({
  method: "POST",
  path: "/admin/organizations/manage-user",
  summary:
    "Lets an organization manage the account of a member with a verified address under one of its domains: its administrators can change the account.",
  access: { permission: "organizations:update" },
  input: Schema.Struct({ ...OneMember, domain: Domain }),
  output: Schema.Struct({ managed: Managed }),
  errors: [UserNotFound, OrganizationNotFound, NotAMember, InvalidRequest],
  handler: Effect.fnUntraced(function* adminManageUser({ organization_id, user_id, domain }) {
    const { read, commit } = yield* Store
    const user = yield* administeredUser(user_id)
    const unchanged = yield* ofPrincipal(user.row)
    const organization = yield* reached(organization_id)
    const member = yield* orFail(memberOf(organization_id, user_id), () => new NotAMember())
    if (!user.row.email_verified || !isUnder(user.row.email, domain))
      return yield* invalidMember("domain", "Expected the domain of the verified address of the user")
    const found = yield* read(ManagedUsers, { user_id })
    if (yield* isManagedElsewhere(found, organization_id)) return yield* invalidMember("user_id", "Another organization manages this user")
    const row = { user_id, member_id: member.row.id, organization_id, domain, created_at: yield* DateTime.now }
    const checks = [check(Users, user), check(Organizations, organization), check(Members, member)]
    yield* commit([...unchanged, ...checks, replace(ManagedUsers, found, row)])
    const { member_id: _, ...managed } = row
    return Endpoint.reply({ managed })
  }, retryOnConflict),
})

/** Whether another organization manages the user, who is still a member of it. */
const isManagedElsewhere = Effect.fnUntraced(function* isManagedElsewhere(
  found: Option.Option<Versioned<typeof ManagedUsers.schema.Type>>,
  organization_id: string,
) {
  if (Option.isNone(found) || found.value.row.organization_id === organization_id) return false
  const membership = yield* membershipWith(found.value.row.member_id)
  return Option.exists(membership, ({ member }) => member.row.user_id === found.value.row.user_id)
})

const releaseUser = Endpoint.make({
  method: "POST",
  path: "/admin/organizations/release-user",
  summary: "Ends that an organization manages the account of a user. Succeeds as well if it does not.",
  access: { permission: "organizations:update" },
  input: Schema.Struct(OneMember),
  output: Endpoint.Success,
  errors: [UserNotFound],
  handler: Effect.fnUntraced(function* adminReleaseUser({ organization_id, user_id }) {
    const { read, commit } = yield* Store
    const user = yield* administeredUser(user_id)
    const unchanged = yield* ofPrincipal(user.row)
    const found = yield* read(ManagedUsers, { user_id })
    if (Option.isSome(found) && found.value.row.organization_id === organization_id)
      yield* commit([...unchanged, removeVersioned(ManagedUsers, found.value)])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

export const managing = [manageUser, releaseUser] as const
