import { Effect, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { administeredUser } from "../../../../domain/administration/reach.ts"
import { organizationAttributeWrites } from "../../../../domain/attributes/organizations.ts"
import { attributesIn } from "../../../../domain/attributes/writing.ts"
import { IdempotencyKeyReused, UserNotFound } from "../../../../domain/errors.ts"
import type { AccessControl } from "../../../../domain/organizations/access-control.ts"
import { creationWrites } from "../../../../domain/organizations/creation.ts"
import { Name, Organization, Slug } from "../../../../domain/organizations/organization.ts"
import { Organizations } from "../../../../domain/organizations/tables.ts"
import { Policies } from "../../../../domain/policies.ts"
import { retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { removalWrites } from "../../../../domain/storage/removals.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../../service/idempotency.ts"
import { ExpectedVersion } from "../../../service/versions.ts"
import { OrganizationNotFound, SlugTaken } from "../errors.ts"
import { requireRoomOfUser } from "../limits.ts"
import { slugTaken } from "../organizations.ts"
import type { OrganizationSettings } from "../settings.ts"
import { refuseGuestAsMember } from "./members.ts"
import { keptVersion, reached, Shown, shown, versionErrors } from "./shown.ts"

const Creation = Schema.Struct({
  ...IdempotencyKey,
  name: Name,
  slug: Slug,
  user_id: Schema.String.pipe(Schema.annotateKey({ description: "The first member, who owns the organization." })),
})
const Created = Schema.Struct({ organization: Organization })

const create = (access: AccessControl, max_per_user: number) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/organizations/create",
    summary: "Creates an organization for a user, who owns it, for administrators.",
    access: { permission: "organizations:create" },
    input: Creation,
    attributes: { of: "organization", from: "admin" },
    output: Created,
    errors: [UserNotFound, SlugTaken, IdempotencyKeyReused],
    handler: idempotent(
      Created,
      Effect.fnUntraced(function* adminCreateOrganization({ user_id, ...input }: typeof Creation.Type, keep: Keep<typeof Created.Type>) {
        const added = Effect.gen(function* () {
          const user = yield* administeredUser(user_id)
          const unchanged = yield* ofPrincipal(user.row)
          yield* refuseGuestAsMember(user.row)
          yield* requireRoomOfUser(user_id, max_per_user)
          const { organization, writes } = yield* creationWrites(access, input, user)
          const attributes = yield* organizationAttributeWrites(organization.id, attributesIn(input))
          const kept = yield* keep({ organization })
          yield* Effect.catchTag((yield* Store).commit([...kept, ...unchanged, ...writes, ...attributes]), "Taken", slugTaken)
          return organization
        })
        return Endpoint.reply({ organization: yield* retryOnConflict(added) })
      }),
    ),
  })

const updateOrganization = Endpoint.make({
  method: "POST",
  path: "/admin/organizations/update",
  summary: "Changes an organization's name or slug, on request only if it has the version that the caller knows.",
  access: { permission: "organizations:update" },
  attributes: { of: "organization", from: "admin", in: "changes" },
  input: Schema.Struct({
    organization_id: Schema.String,
    changes: Schema.Struct({ name: Schema.optionalKey(Name), slug: Schema.optionalKey(Slug) }),
    ...ExpectedVersion,
  }),
  output: Shown,
  errors: [...versionErrors, SlugTaken],
  handler: Effect.fnUntraced(function* adminUpdateOrganization({ organization_id, changes, expected_version }) {
    const organization = yield* reached(organization_id)
    yield* keptVersion(organization, expected_version)
    const { name = organization.row.name, slug = organization.row.slug } = changes
    const attributes = yield* organizationAttributeWrites(organization_id, attributesIn(changes))
    const writes = [...(yield* ofPrincipal(null)), update(Organizations, organization, { name, slug }), ...attributes]
    yield* Effect.catchTag((yield* Store).commit(writes), "Taken", slugTaken)
    return Endpoint.reply(yield* shown(yield* reached(organization_id)))
  }, retryOnConflict),
})

const deleteOrganization = Endpoint.make({
  method: "POST",
  path: "/admin/organizations/delete",
  summary: "Deletes an organization and everything that belongs to it, for administrators.",
  access: { permission: "organizations:delete" },
  input: Schema.Struct({ organization_id: Schema.String }),
  output: Endpoint.Success,
  errors: [OrganizationNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminDeleteOrganization({ organization_id }) {
    const organization = yield* reached(organization_id)
    const unchanged = yield* ofPrincipal(null)
    const removal = yield* removalWrites((yield* Policies).tables, Organizations, organization)
    yield* (yield* Store).commit([...unchanged, ...removal])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})

export const changing = ({ access_control, max_per_user }: OrganizationSettings) =>
  [create(access_control, max_per_user), updateOrganization, deleteOrganization] as const
