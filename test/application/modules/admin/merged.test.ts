import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { admin } from "../../../../application/modules/admin/index.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import { counted } from "../../../round-trips.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, endpoints, password, signedUp as signedUpTo, type WorldServices } from "../../../world.ts"
import { root, workedBy } from "./job-world.ts"

// GET /admin/users/show by the id of a user who was merged into another one.

const built = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], jobs: true, merges: true, roles: {} }))
const places = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const modules = [...core, built, places]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminRemoveUser, adminRolesAssign, adminUsersMerge, adminUsersShow } = built.endpoints
const { organizationAcceptInvitation, organizationCreate, organizationInvite } = places.endpoints

const signedUp = (name: string) => signedUpTo(`${name}@example.com`, auth)
const signedIn = Effect.fnUntraced(function* (name: string) {
  const their = browser(auth)
  yield* their.body(endpoints.signInEmail, { email: `${name}@example.com`, password })
  return their
})

/** A merge, and a helper who supports the organization of the user into whom another one was merged. */
const merged = Effect.gen(function* () {
  const [owner, former, ada, helper] = yield* Effect.forEach(["root", "former", "ada", "helper"], signedUp)
  const found = Effect.fnUntraced(function* (slug: string, their: Pick<ReturnType<typeof browser>, "body">) {
    const { organization } = yield* their.body(organizationCreate, { name: slug, slug })
    yield* owner!.body(adminRolesAssign, { user_id: helper!.user.id, role: "support", organization_id: organization.id })
    return organization.id
  })
  const [from, into] = [former!.user.id, ada!.user.id]
  const show = (input: object, their = owner!) =>
    Effect.map(their.body(adminUsersShow, input), ({ user, merged_from, merged_into }) => ({ id: user.id, merged_from, merged_into }))
  const merge = Effect.gen(function* () {
    const versionOf = (user_id: string) => Effect.map(owner!.body(adminUsersShow, { user_id }), ({ version }) => version)
    const versions = { from_version: yield* versionOf(from), into_version: yield* versionOf(into) }
    yield* owner!.body(adminUsersMerge, { from, into, ...versions })
    yield* workedBy(auth)
  })
  return { owner: owner!, former: former!, helper: helper!, from, into, found, show, merge }
})
const absent = { merged_from: undefined, merged_into: undefined }
const refusalOf = <A>(call: Effect.Effect<A, AuthError, WorldServices>) =>
  Effect.map(Effect.flip(call), ({ _tag, message, status }) => [_tag, message, status])

describe("a user who was merged", () => {
  rule("is shown with the user into whom, and finds that user once removed, for 90 days", function* () {
    const { owner, from, into, show, merge } = yield* merged
    assert.deepStrictEqual(yield* show({ user_id: from }), { id: from, ...absent })
    yield* merge
    const former = { id: from, merged_from: undefined, merged_into: into }
    assert.deepStrictEqual(yield* show({ user_id: from }), former)
    assert.deepStrictEqual(yield* show({ email: "former@example.com" }), former)
    assert.deepStrictEqual(yield* show({ user_id: into }), { id: into, ...absent })

    yield* owner.body(adminRemoveUser, { user_id: from })
    assert.deepStrictEqual(yield* show({ user_id: from }), { id: into, merged_from: from, merged_into: undefined })
    assert.strictEqual(yield* owner.code(adminUsersShow, { email: "former@example.com" }), "user_not_found")
    assert.strictEqual(yield* owner.code(adminUsersShow, { user_id: "unknown" }), "user_not_found")
    // Nothing but this look-up takes one id for another.
    assert.strictEqual(yield* owner.code(built.endpoints.adminUsersUpdate, { user_id: from, changes: { name: "x" } }), "user_not_found")

    yield* TestClock.adjust("90 days")
    const again = yield* signedIn("root")
    assert.strictEqual(yield* again.code(adminUsersShow, { user_id: from }), "user_not_found")
  })

  rule("is as unknown as another id to callers who reach neither, in as many reads", function* () {
    const { helper, from, into, found, show, merge } = yield* merged
    const other = yield* signedUp("other")
    yield* found("elsewhere", other)
    yield* merge
    const attempt = (user_id: string) => refusalOf(helper.call(adminUsersShow, { user_id }))
    const [refused, trips] = yield* counted(attempt(from))
    const [unknown, others] = yield* counted(attempt("unknown"))
    assert.deepStrictEqual([refused, trips], [unknown, others])
    yield* found("acme", yield* signedIn("ada"))
    // The other user is in reach now.
    assert.deepStrictEqual(yield* show({ user_id: from }, helper), { id: into, merged_from: from, merged_into: undefined })
  })

  rule("does not name a user out of reach to those who reach the former one", function* () {
    const { owner, former, from, found, show, merge, helper } = yield* merged
    yield* merge
    // The owner takes the merge back, and the former user joins an organization.
    yield* owner.body(built.endpoints.adminUnbanUser, { user_id: from })
    const place = yield* signedUp("place")
    const organization_id = yield* found("place", place)
    const { invitation } = yield* place.body(organizationInvite, { organization_id, email: former.user.email })
    const back = yield* signedIn("former")
    yield* back.body(organizationAcceptInvitation, { invitation_id: invitation.id })
    assert.deepStrictEqual(yield* show({ user_id: from }, helper), { id: from, ...absent })
  })
})
