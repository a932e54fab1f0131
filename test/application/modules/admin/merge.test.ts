import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Exit, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { it } from "vitest"
import { admin } from "../../../../application/modules/admin/index.ts"
import { MergedUsers } from "../../../../application/modules/admin/merge/table.ts"
import { AdminMetadatas } from "../../../../application/modules/admin/users.ts"
import { attributes } from "../../../../application/modules/attributes/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { Consents } from "../../../../application/modules/idp/authorization/consent-table.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { AttributeValues, UserAttributes } from "../../../../domain/attributes/tables.ts"
import { Members, Organizations, TeamMembers, Teams } from "../../../../domain/organizations/tables.ts"
import { insert, Store, type Write } from "../../../../domain/ports/store.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { owned } from "../../../owned.ts"
import { authenticator } from "../../../passkeys.ts"
import { rulesOf } from "../../../rule.ts"
import * as TwoFactor from "../../../two-factor.ts"
import {
  atOnce,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  linked,
  password,
  rows,
  signedUp as signedUpTo,
  times,
} from "../../../world.ts"
import * as Passkeys from "../passkey/passkeys.ts"
import { idpWith, jobOf, moment, pausedAfter, root, until, workedBy } from "./job-world.ts"

const text = { schema: { type: "string", maxLength: 40 }, read: "user", write: "user" }
const declared = { handle: { ...text, unique: true }, city: text, risk: { schema: { type: "integer" }, read: "private" } }
const settings = { admin_emails: [root], jobs: true, merges: true, roles: { merger: ["users:merge"], reader: ["users:read"] } }
const built = admin.build(Schema.decodeUnknownSync(admin.settings)(settings))
const modules = [
  ...core,
  built,
  audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned),
  organization.build(Schema.decodeUnknownSync(organization.settings)({})),
  attributes.build(Schema.decodeUnknownSync(attributes.settings)(declared)),
  Passkeys.built,
  TwoFactor.built,
  idpWith(),
]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminJobsCancel, adminRolesAssign, adminUsersMerge, adminUsersResume, adminUsersShow } = built.endpoints

const signedUp = (email: string) => signedUpTo(email, auth)
const [formerEmail, email] = ["former@example.com", "ada@example.com"]
const pair = Effect.gen(function* () {
  const [owner, former, ada] = [yield* signedUp(root), yield* signedUp(formerEmail), yield* signedUp(email)]
  const merging = { from: former.user.id, into: ada.user.id }
  const versionOf = (user_id: string) => Effect.map(owner.body(adminUsersShow, { user_id }), ({ version }) => version)
  const versions = Effect.gen(function* () {
    return { from_version: yield* versionOf(merging.from), into_version: yield* versionOf(merging.into) }
  })
  const merge = Effect.flatMap(versions, (known) => owner.call(adminUsersMerge, { ...merging, ...known }))
  return { owner, former, ada, merging, versions, merge, started: Effect.map(merge, ({ body }) => body.job) }
})
const commit = (writes: ReadonlyArray<Write>) => Effect.flatMap(Store, (store) => Effect.orDie(store.commit(writes)))
const now = DateTime.makeUnsafe(0)

const joined = (organization_id: string, user_id: string, role: string) =>
  insert(Members, { id: `${organization_id} of ${user_id}`, organization_id, user_id, role, created_at: now })
const organizationRow = (id: string) => insert(Organizations, { id, name: id, slug: id, created_at: now })
const consent = (user_id: string, client_id: string) =>
  insert(Consents, { id: `${user_id} ${client_id}`, user_id, client_id, scope: "openid", granted_at: now, created_at: now })
const valuesOf = (user_id: string, values: Record<string, string | number>) => insert(UserAttributes, { user_id, values, updated_at: now })
const rolesOf = (user_id: string) =>
  Effect.map(rows(Members), (all) =>
    Object.fromEntries(all.flatMap((one) => (one.user_id === user_id ? [[one.organization_id, one.role]] : [])).toSorted()),
  )

describe("POST /admin/users/merge", () => {
  rule("moves accounts, passkeys, memberships, consents and absent attributes", function* () {
    const { former, ada, merging, started } = yield* pair
    const { from, into } = merging
    const theirs = authenticator()
    yield* Passkeys.added(former, theirs)
    yield* TwoFactor.enrolled(former)
    yield* linked(from, "idp_one")
    yield* commit(["one", "two", "three"].map(organizationRow))
    yield* commit([
      joined("one", from, "owner"),
      joined("two", from, "member"),
      joined("two", into, "admin"),
      joined("three", from, "owner"),
      joined("three", into, "member"),
    ])
    yield* commit([
      insert(Teams, { id: "team", organization_id: "three", name: "team", created_at: now }),
      insert(TeamMembers, { id: "1", team_id: "team", member_id: `three of ${from}`, user_id: from }),
    ])
    yield* commit([consent(from, "web"), consent(from, "app"), consent(into, "app")])
    yield* commit([
      valuesOf(from, { handle: "former", city: "Paris", risk: 3 }),
      valuesOf(into, { city: "Rome" }),
      insert(AttributeValues, { hash: "h", attribute: "handle", value: '"former"', user_id: from }),
    ])

    const before = (yield* emails).length
    const { id } = yield* started
    const [told, ...others] = (yield* emails).slice(before)
    assert.deepStrictEqual([told?.to, told?.subject, others], [email, "Another account was merged into your Sallyport account", []])
    assert.notInclude(JSON.stringify(told), formerEmail)
    for (const their of [former, ada]) assert.isFalse(yield* isSignedIn(their))
    assert.strictEqual(yield* browser(auth).code(endpoints.signInEmail, { email: formerEmail, password }), "banned")
    yield* workedBy(auth)
    assert.deepInclude(yield* jobOf(id), { state: "succeeded", failed: 0 })

    const accounts = yield* rows(Accounts)
    const providers = (user_id: string) => accounts.flatMap((one) => (one.user_id === user_id ? [one.provider_id] : [])).toSorted()
    assert.deepStrictEqual(providers(from), ["credential"])
    assert.deepStrictEqual(providers(into), ["credential", "idp_one", "passkey"])
    assert.deepStrictEqual(yield* rolesOf(into), { one: "owner", two: "admin", three: "owner" })
    assert.deepStrictEqual(yield* rolesOf(from), {})
    assert.deepStrictEqual(
      (yield* rows(TeamMembers)).map(({ team_id, user_id, member_id }) => [team_id, user_id, member_id]),
      [["team", into, `three of ${into}`]],
    )
    assert.sameDeepMembers(
      (yield* rows(Consents)).map(({ user_id, client_id }) => [user_id, client_id]),
      [
        [into, "web"],
        [into, "app"],
      ],
    )
    const values = Object.fromEntries((yield* rows(UserAttributes)).map((row) => [row.user_id, row.values]))
    assert.deepStrictEqual(values, { [from]: { city: "Paris" }, [into]: { city: "Rome", handle: "former", risk: 3 } })
    assert.strictEqual((yield* rows(AttributeValues))[0]?.user_id, into)
    assert.deepInclude((yield* rows(MergedUsers))[0], { from_id: from, into_id: into })
    assert.isTrue((yield* rows(Records)).some(({ type, subject_id }) => type === "user.merged" && subject_id === from))

    const their = browser(auth)
    const response = theirs.get(yield* their.body(Passkeys.endpoints.passkeyAuthenticateOptions, {}))
    assert.strictEqual((yield* their.body(Passkeys.endpoints.passkeyAuthenticateVerify, { response })).user.id, into)
  })

  rule("repeats nothing although the process ends between two steps", function* () {
    const { merging, started } = yield* pair
    const names = times(25, (at) => `organization-${String(at).padStart(2, "0")}`)
    yield* commit(names.flatMap((name) => [organizationRow(name), joined(name, merging.from, "owner")]))
    const { id } = yield* started
    const { process, reached } = yield* pausedAfter(1, auth)
    const scope = yield* Scope.make()
    yield* Scope.provide(process, scope)
    yield* reached
    yield* Scope.close(scope, Exit.void)
    assert.lengthOf(Object.keys(yield* rolesOf(merging.into)), 10)
    yield* TestClock.adjust("30 seconds")
    yield* workedBy(auth)
    assert.deepInclude(yield* jobOf(id), { state: "succeeded", position: 4 })
    assert.deepStrictEqual(yield* rolesOf(merging.into), Object.fromEntries(names.map((name) => [name, "owner"])))
    assert.lengthOf(yield* rows(Members), 25)
  })

  rule("needs both versions, two other users, and both permissions", function* () {
    const { owner, ada, former, merging, versions, merge } = yield* pair
    const known = yield* versions
    const code = (input: object, their = owner) => their.code(adminUsersMerge, { ...merging, ...known, ...input })
    for (const name of ["from_version", "into_version"]) {
      assert.strictEqual(yield* code({ [name]: "another" }), "version_mismatch")
      assert.strictEqual(yield* code({ [name]: undefined }), "invalid_request")
    }
    assert.strictEqual(yield* code({ into: merging.from }), "invalid_request")
    for (const name of ["from", "into"]) {
      assert.strictEqual(yield* code({ [name]: owner.user.id }), "invalid_request")
      assert.strictEqual(yield* code({ [name]: "unknown" }), "user_not_found")
    }
    const merger = yield* signedUp("merger@example.com")
    yield* owner.body(adminRolesAssign, { user_id: merger.user.id, role: "merger" })
    for (const their of [ada, former, merger]) assert.strictEqual(yield* code({}, their), "forbidden")
    assert.deepStrictEqual(yield* rows(AdminMetadatas), [])
    for (const user_id of [merging.from, merging.into]) {
      yield* owner.body(built.endpoints.adminBanUser, { user_id })
      assert.strictEqual(yield* owner.code(adminUsersMerge, { ...merging, ...(yield* versions) }), "invalid_request")
      yield* owner.body(built.endpoints.adminUnbanUser, { user_id })
    }
    const current = yield* versions
    const outcomes = yield* atOnce(times(10, () => owner.call(adminUsersMerge, { ...merging, ...current })))
    assert.deepStrictEqual(outcomes, { ok: 1, version_mismatch: 9 })
    assert.isTrue((yield* Effect.exit(merge))._tag === "Success")
  })

  rule("never merges a user with a role", function* () {
    const { owner, merging, versions } = yield* pair
    for (const user_id of [merging.from, merging.into]) {
      const reader = yield* signedUp(`reader-${user_id.slice(-4)}@example.com`)
      yield* owner.body(adminRolesAssign, { user_id: reader.user.id, role: "reader" })
      const role = user_id === merging.from ? { from: reader.user.id } : { into: reader.user.id }
      const shown = yield* owner.body(adminUsersShow, { user_id: reader.user.id })
      const version = user_id === merging.from ? { from_version: shown.version } : { into_version: shown.version }
      const refused = yield* Effect.flip(owner.call(adminUsersMerge, { ...merging, ...(yield* versions), ...role, ...version }))
      assert.deepInclude(refused, { _tag: "invalid_request", member: user_id === merging.from ? "from" : "into" })
    }
  })

  for (const [name, change] of [
    ["the former user is resumed", "resume"],
    ["the other user gets a role", "role"],
    ["the other user is removed", "remove"],
    ["the job is cancelled", "cancel"],
  ] as const)
    rule(`moves nothing more once ${name}`, function* () {
      const { owner, merging, started } = yield* pair
      yield* linked(merging.from, "idp_one")
      const { id } = yield* started
      const changes = {
        resume: () => owner.body(adminUsersResume, { user_id: merging.from }),
        role: () => owner.body(adminRolesAssign, { user_id: merging.into, role: "reader" }),
        remove: () => owner.body(built.endpoints.adminRemoveUser, { user_id: merging.into }),
        cancel: () => owner.body(adminJobsCancel, { job_id: id }),
      }
      yield* changes[change]() as Effect.Effect<unknown>
      yield* workedBy(auth)
      assert.strictEqual((yield* jobOf(id)).state, change === "cancel" ? "cancelled" : "failed")
      assert.isTrue((yield* rows(Accounts)).some(({ user_id, provider_id }) => user_id === merging.from && provider_id === "idp_one"))
    })

  rule("outlives a sign-in of the other user at the same time", function* () {
    const { merging, started } = yield* pair
    yield* linked(merging.from, "idp_one")
    const { id } = yield* started
    const scope = yield* Scope.make()
    yield* Scope.provide(auth.background as Effect.Effect<void, never, never>, scope)
    yield* Effect.all(
      times(10, () => browser(auth).code(endpoints.signInEmail, { email, password }).pipe(Effect.exit)),
      { concurrency: 5 },
    )
    yield* until(Effect.map(jobOf(id), ({ state }) => state === "succeeded"))
    yield* moment
    yield* Scope.close(scope, Exit.void)
    assert.lengthOf(yield* rows(Users), 3)
    assert.isTrue((yield* rows(Accounts)).some(({ user_id, provider_id }) => user_id === merging.into && provider_id === "idp_one"))
  })
})

it("merges need jobs", () => {
  const parsed = Schema.decodeUnknownSync(admin.settings)({ merges: true })
  assert.deepStrictEqual(admin.faults(parsed, {} as never), [{ path: ["jobs"], wanted: "true, since a merge is a job" }])
})
