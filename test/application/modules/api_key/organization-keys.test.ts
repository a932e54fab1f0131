import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Records } from "../../../../application/modules/audit/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import type { Permissions } from "../../../../domain/organizations/access-control.ts"
import { Invitations, Members, Teams } from "../../../../domain/organizations/tables.ts"
import { decided } from "../../../decided.ts"
import { atOnce, browser, emails, rows } from "../../../world.ts"
import {
  access,
  administrators,
  auth,
  bodyFor,
  keys,
  modulesWith,
  organizations,
  organizationsWith,
  outcome,
  type Person,
  root,
  rule,
  send,
  signedUp,
} from "./keys.ts"

// Keys of organizations with statements, as callers of the endpoints for members.

const { apiKeyCreate, apiKeyList, apiKeyRevoke, apiKeyRotate, apiKeyUpdate, apiKeyVerify } = keys.endpoints
const { organizationAcceptInvitation, organizationCreate, organizationCreateTeam, organizationDelete, organizationGetFull } =
  organizations.endpoints
const { organizationInvite, organizationLeave, organizationListInvitations, organizationListMembers, organizationRemoveMember } =
  organizations.endpoints
const { organizationCancelInvitation, organizationShowInvitation, organizationUpdate, organizationUpdateRole } = organizations.endpoints
const { adminListUsers, adminMe } = administrators.endpoints

const person = (name: string) => signedUp(`${name}@example.com`)

const joined = Effect.fnUntraced(function* (owner: Person, name: string, organization_id: string, role = "member") {
  const newcomer = yield* person(name)
  const { invitation } = yield* owner.body(organizationInvite, { organization_id, email: newcomer.user.email, role })
  yield* newcomer.body(organizationAcceptInvitation, { invitation_id: invitation.id })
  return newcomer
})

/** An organization with a member, a team and an open invitation. */
const founded = Effect.fnUntraced(function* (slug = "acme") {
  const owner = yield* person(`owner-of-${slug}`)
  const { id: organization_id } = (yield* owner.body(organizationCreate, { name: slug, slug })).organization
  const member = yield* joined(owner, `member-of-${slug}`, organization_id)
  const { team } = yield* owner.body(organizationCreateTeam, { organization_id, name: "Team" })
  const { invitation } = yield* owner.body(organizationInvite, { organization_id, email: `invited-to-${slug}@example.com` })
  const here = { organization_id, user_id: member.user.id, team_id: team.id, invitation_id: invitation.id }
  return { owner, member, organization_id, here }
})

const keyOf = (their: Person, organization_id: string, statement?: Permissions) =>
  their.body(apiKeyCreate, { name: "Sync", organization_id, ...(statement === undefined ? {} : { statement }) })

const all = access.roles["owner"]!
const without = (resource: string, action: string): Permissions => {
  const { [resource]: actions = [], ...rest } = all
  return action === "read" ? rest : { ...rest, [resource]: actions.filter((each) => each !== action) }
}

/** What a key needs at each endpoint; null: people only. */
const needs: Readonly<Record<string, ReadonlyArray<readonly [resource: string, action: string]> | null>> = {
  "/organization/create": null,
  "/organization/list": null,
  "/organization/set-active": null,
  "/organization/get-active": null,
  "/organization/leave": null,
  "/organization/accept-invitation": null,
  "/organization/reject-invitation": null,
  "/organization/has-permission": null,
  "/organization/update": [["organization", "update"]],
  "/organization/delete": [["organization", "delete"]],
  "/organization/get-full": [
    ["organization", "read"],
    ["member", "read"],
    ["invitation", "read"],
    ["team", "read"],
  ],
  "/organization/list-members": [["member", "read"]],
  "/organization/remove-member": [["member", "delete"]],
  "/organization/update-role": [["member", "update"]],
  "/organization/update-member": [["member", "update"]],
  "/organization/invite": [["invitation", "create"]],
  "/organization/cancel-invitation": [["invitation", "cancel"]],
  "/organization/list-invitations": [["invitation", "read"]],
  "/organization/create-team": [["team", "create"]],
  "/organization/list-teams": [["team", "read"]],
  "/organization/update-team": [["team", "update"]],
  "/organization/remove-team": [["team", "delete"]],
  "/organization/add-team-member": [["team", "update"]],
  "/organization/remove-team-member": [["team", "update"]],
  "/organization/list-team-members": [["team", "read"]],
}
const endpoints = Object.values<AnyEndpoint>(organizations.endpoints).filter(
  ({ path, access: admitted }) => path.startsWith("/organization/") && admitted !== "public",
)
const members = (endpoint: AnyEndpoint) => Object.keys(Reflect.get(endpoint.input, "fields"))
/** The input of an endpoint for the rows of an organization. */
const inputOf = (endpoint: AnyEndpoint, here: object) =>
  Object.fromEntries(
    Object.entries({ ...here, name: "Name", role: "member", email: "new@example.com" }).filter(([name]) =>
      members(endpoint).includes(name),
    ),
  )

describe("a key of an organization", () => {
  it("has a row in the table for each endpoint of the module", () => {
    assert.sameMembers(
      endpoints.map(({ path }) => path),
      Object.keys(needs),
    )
  })

  for (const endpoint of endpoints) {
    const needed = needs[endpoint.path]
    rule(`at ${endpoint.path} needs ${needed?.map((each) => each.join(":")).join() ?? "a person"}`, function* () {
      const { owner, organization_id, here } = yield* founded()
      const other = yield* founded("other")
      const input = inputOf(endpoint, here)
      const silent = yield* keyOf(owner, organization_id)
      assert.strictEqual(yield* outcome(silent.key, endpoint, input), "unauthorized")
      const able = yield* keyOf(owner, organization_id, all)
      if (needed === null || needed === undefined) {
        assert.strictEqual(yield* outcome(able.key, endpoint, input), "unauthorized")
        return
      }
      for (const [resource, action] of needed) {
        const lacking = yield* keyOf(owner, organization_id, without(resource, action))
        assert.strictEqual(yield* outcome(lacking.key, endpoint, input), "forbidden")
        assert.strictEqual(yield* outcome(lacking.key, endpoint, { nonsense: 1 }), "forbidden")
      }
      const foreign = yield* keyOf(other.owner, other.organization_id, all)
      if (members(endpoint).some((name) => name.endsWith("_id")))
        assert.strictEqual(yield* outcome(foreign.key, endpoint, input), "forbidden")
      const only = yield* keyOf(owner, organization_id, Object.fromEntries(needed.map(([resource, action]) => [resource, [action]])))
      assert.strictEqual(yield* outcome({ authorization: `Bearer ${only.key}` }, endpoint, input), "ok")
    })
  }

  rule("does nothing in the administration, and is never a session", function* () {
    yield* signedUp(root)
    const { owner, organization_id } = yield* founded()
    const { key } = yield* keyOf(owner, organization_id, all)
    for (const endpoint of [adminMe, adminListUsers]) assert.strictEqual(yield* outcome(key, endpoint), "forbidden")
    assert.strictEqual(yield* outcome(key, apiKeyList, { organization_id }), "unauthorized")
    const { credential } = owner.jar
    assert.strictEqual(yield* outcome({ api_key: key, credential }, organizationListMembers, { organization_id }), "unauthorized")
    const fromBrowser = { api_key: key, from_browser: true }
    assert.strictEqual(yield* outcome(fromBrowser, organizationListMembers, { organization_id }), "unauthorized")
  })

  rule("reads its organization without naming it, and no id of an invitation", function* () {
    const { owner, organization_id } = yield* founded()
    const reference = (yield* rows(Invitations)).find(({ status }) => status === "pending")!.reference
    const { key } = yield* keyOf(owner, organization_id, all)
    const full = yield* bodyFor(key, organizationGetFull)
    assert.deepStrictEqual([full.organization.id, full.members.length, full.teams.length], [organization_id, 2, 1])
    const { invitations } = yield* bodyFor(key, organizationListInvitations, { organization_id })
    assert.deepStrictEqual(
      [...full.invitations, ...invitations].map(({ id }) => id),
      [reference, reference],
    )
    yield* bodyFor(key, organizationCancelInvitation, { invitation_id: reference })
  })

  rule("is the actor in the audit log", function* () {
    const { owner, organization_id } = yield* founded()
    const { key, api_key } = yield* keyOf(owner, organization_id, { team: ["create"] })
    yield* bodyFor(key, organizationCreateTeam, { organization_id, name: "By key" })
    const last = (yield* rows(Records)).findLast(({ type }) => type === "team.created")
    assert.deepStrictEqual([last?.actor_kind, last?.actor_id, last?.organization_id], ["api_key", api_key.id, organization_id])
    const made = (yield* rows(Records)).findLast(({ type }) => type === "api_key.created")
    assert.deepInclude(made?.data, { statement: ["team:create"] })
  })
})

describe("the statement of a key", () => {
  rule("is at most what the role of the member who makes it permits", function* () {
    const { owner, organization_id } = yield* founded()
    const manager = yield* joined(owner, "manager", organization_id, "manager")
    const asked = (statement: object) => manager.code(apiKeyCreate, { name: "x", organization_id, statement })
    for (const statement of [{ team: ["create", "update"] }, { invoice: ["pay"] }, { unknown: ["read"] }, { constructor: ["name"] }])
      assert.strictEqual(yield* asked(statement), "forbidden")
    assert.strictEqual(yield* asked({ team: "create" }), "invalid_request")
    const statement = { team: ["create", "create"], invoice: ["read"], member: ["read"], invitation: [] }
    const { api_key } = yield* keyOf(manager, organization_id, statement)
    assert.deepStrictEqual(api_key.statement, { team: ["create"], invoice: ["read"], member: ["read"] })
    assert.isNull((yield* keyOf(manager, organization_id)).api_key.statement)
    // Keys of users have none.
    assert.strictEqual(yield* manager.code(apiKeyCreate, { name: "x", statement: { team: ["create"] } }), "invalid_request")
  })

  rule("only becomes less", function* () {
    const { owner, organization_id } = yield* founded()
    const { key, api_key } = yield* keyOf(owner, organization_id, { member: ["delete", "update"], team: ["create"] })
    const change = (statement: object) => ({ key_id: api_key.id, changes: { statement } })
    for (const more of [{ member: ["create"] }, { invoice: ["read"] }, { organization: ["read"] }])
      assert.strictEqual(yield* owner.code(apiKeyUpdate, change(more)), "invalid_request")
    const narrower = { member: ["read"] }
    assert.deepStrictEqual((yield* owner.body(apiKeyUpdate, change(narrower))).api_key.statement, narrower)
    assert.strictEqual(yield* outcome(key, organizationListMembers, { organization_id }), "ok")
    assert.strictEqual(yield* outcome(key, organizationCreateTeam, { organization_id, name: "x" }), "forbidden")
    assert.strictEqual(yield* owner.code(apiKeyUpdate, change({ member: ["delete"] })), "invalid_request")
    assert.deepStrictEqual((yield* owner.body(apiKeyUpdate, change({}))).api_key.statement, {})
    assert.strictEqual(yield* outcome(key, organizationListMembers, { organization_id }), "forbidden")
    const silent = yield* keyOf(owner, organization_id)
    const given = { key_id: silent.api_key.id, changes: { statement: { member: ["read"] } } }
    assert.strictEqual(yield* owner.code(apiKeyUpdate, given), "invalid_request")
  })

  rule("keeps members with fewer rights from the text of the key", function* () {
    const { owner, organization_id } = yield* founded()
    const manager = yield* joined(owner, "manager", organization_id, "manager")
    for (const statement of [{ team: ["delete"] }, { team: ["create"] }]) {
      // The second one has no more permissions than the manager, but the rank of an owner.
      const { api_key } = yield* keyOf(owner, organization_id, statement)
      assert.strictEqual(yield* manager.code(apiKeyRotate, { key_id: api_key.id }), "forbidden")
      assert.strictEqual(yield* manager.code(apiKeyUpdate, { key_id: api_key.id, changes: { addresses: [] } }), "forbidden")
      yield* manager.body(apiKeyRevoke, { key_id: api_key.id })
    }
    const own = yield* keyOf(manager, organization_id, { team: ["create"] })
    yield* manager.body(apiKeyRotate, { key_id: own.api_key.id })
    yield* owner.body(apiKeyRotate, { key_id: own.api_key.id })
    const silent = yield* keyOf(owner, organization_id)
    yield* manager.body(apiKeyRotate, { key_id: silent.api_key.id })
  })

  rule("holds without its maker, as long as the configuration permits it and the organization exists", function* () {
    const administrator = yield* signedUp(root)
    const { owner, organization_id } = yield* founded()
    const manager = yield* joined(owner, "manager", organization_id, "manager")
    const { key, api_key } = yield* keyOf(manager, organization_id, { team: ["create"], invoice: ["read"] })
    yield* manager.body(organizationLeave, { organization_id })
    const team = { organization_id, name: "x" }
    assert.strictEqual(yield* outcome(key, organizationCreateTeam, team), "ok")
    const verdict = Effect.map(administrator.body(apiKeyVerify, { key }), ({ valid, code, statement }) => ({ valid, code, statement }))
    assert.deepStrictEqual(yield* verdict, { valid: true, code: undefined, statement: { team: ["create"], invoice: ["read"] } })

    const { manager: _, ...roles } = access.roles
    const lesser = [
      { ...access, roles: { ...roles, manager: { invoice: ["read"] } } },
      { ...access, roles, hierarchy: ["member", "owner"] },
    ]
    const held: Array<unknown> = []
    for (const other of lesser) {
      const places = organizationsWith(other)
      const service = AuthOf.make(modulesWith(keys, places))
      assert.strictEqual(yield* outcome(key, places.endpoints.organizationCreateTeam, team, service), "forbidden")
      const { body } = yield* send({ credential: administrator.jar.credential }, apiKeyVerify, { key }, service)
      held.push(body.statement)
    }
    assert.deepStrictEqual(held, [{ invoice: ["read"] }, {}])

    yield* owner.body(organizationDelete, { organization_id })
    assert.strictEqual(yield* outcome(key, organizationCreateTeam, team), "unauthorized")
    assert.deepStrictEqual(yield* verdict, { valid: false, code: "owner_inactive", statement: undefined })
    assert.strictEqual(yield* owner.code(apiKeyRotate, { key_id: api_key.id }), "api_key_not_found")
  })

  rule("is no answer of verify for a key without one", function* () {
    const administrator = yield* signedUp(root)
    const { owner, organization_id } = yield* founded()
    const { key } = yield* keyOf(owner, organization_id)
    assert.notProperty(yield* administrator.body(apiKeyVerify, { key }), "statement")
  })
})

describe("the rank of a key", () => {
  rule("is that of its maker: it changes and removes no higher member", function* () {
    const { owner, organization_id, member } = yield* founded()
    const admin = yield* joined(owner, "admin", organization_id, "admin")
    const { key } = yield* keyOf(owner, organization_id, { member: ["update", "delete"] })
    const of = (their: Person, role?: string) => ({ organization_id, user_id: their.user.id, ...(role === undefined ? {} : { role }) })
    assert.strictEqual(yield* outcome(key, organizationRemoveMember, of(owner)), "forbidden")
    assert.strictEqual(yield* outcome(key, organizationUpdateRole, of(owner, "member")), "forbidden")
    assert.strictEqual(yield* outcome(key, organizationUpdateRole, of(admin, "member")), "ok")
    assert.strictEqual(yield* outcome(key, organizationRemoveMember, of(member)), "ok")
    assert.lengthOf(yield* rows(Members), 2)
  })

  rule("grants no role that permits more than its statement", function* () {
    const { owner, organization_id, member } = yield* founded()
    const { invoice: _, ...lesser } = all
    const lacking = yield* keyOf(owner, organization_id, { member: ["update"] })
    const almost = yield* keyOf(owner, organization_id, lesser)
    const able = yield* keyOf(owner, organization_id, all)
    const give = (key: string, role: string) => outcome(key, organizationUpdateRole, { organization_id, user_id: member.user.id, role })
    assert.strictEqual(yield* give(lacking.key, "admin"), "forbidden")
    assert.strictEqual(yield* give(almost.key, "admin"), "ok")
    assert.strictEqual(yield* give(almost.key, "owner"), "forbidden")
    assert.strictEqual(yield* give(able.key, "unknown"), "invalid_role")
    assert.strictEqual(yield* give(able.key, "owner"), "ok")
  })
})

describe("an invitation that a key sends", () => {
  const email = "grace@example.com"
  const inviting = Effect.fnUntraced(function* (statement: Permissions, role = "member") {
    const { owner, organization_id } = yield* founded()
    const asked = { name: "Inviter", organization_id, statement, expires_at: "1970-01-01T01:00:00Z" }
    const { key, api_key } = yield* owner.body(apiKeyCreate, asked)
    const { invitation } = yield* bodyFor(key, organizationInvite, { organization_id, email, role })
    const stored = (yield* rows(Invitations)).find((each) => each.email === email)!
    const grace = yield* signedUp(email)
    const acceptance = grace.call(organizationAcceptInvitation, { invitation_id: stored.id })
    const accept = Effect.match(acceptance, outcomes)
    return { owner, organization_id, key, key_id: api_key.id, invitation, stored, acceptance, accept }
  })
  const outcomes = { onFailure: ({ _tag }: { readonly _tag: string }) => _tag, onSuccess: () => "ok" }
  const invites: Permissions = { invitation: ["create", "cancel"] }

  rule("is one by the key, whose answer has no id, and makes a member", function* () {
    const { invitation, stored, key_id, accept } = yield* inviting(invites)
    assert.deepInclude(invitation, { id: stored.reference, inviter_id: key_id, role: "member", status: "pending" })
    const shown = yield* browser(auth).body(organizationShowInvitation, { invitation_id: stored.id })
    assert.deepStrictEqual(shown.invitation.invited_by, { kind: "program", name: null, email: null })
    const mail = (yield* emails).findLast(({ to }) => to === email)
    assert.include(mail?.text, "was sent by a program of the organization")
    assert.include(mail?.text, encodeURIComponent(stored.id))
    const record = (yield* rows(Records)).findLast(({ type }) => type === "invitation.created")
    assert.deepStrictEqual([record?.actor_kind, record?.actor_id], ["api_key", key_id])
    assert.strictEqual(yield* accept, "ok")
    assert.lengthOf(yield* rows(Members), 3)
  })

  rule("is cancelled by a key, also that of a member", function* () {
    const { key, organization_id, invitation, owner, accept } = yield* inviting(invites)
    yield* bodyFor(key, organizationCancelInvitation, { invitation_id: invitation.id })
    assert.strictEqual(yield* accept, "invalid_invitation")
    yield* owner.body(organizationInvite, { organization_id, email })
    const { invitations } = yield* bodyFor(key, organizationListInvitations, { organization_id })
    for (const { id } of invitations) yield* bodyFor(key, organizationCancelInvitation, { invitation_id: id })
    assert.isEmpty((yield* rows(Invitations)).filter(({ status }) => status === "pending"))
  })

  rule("offers no role that permits more than the statement", function* () {
    const { owner, organization_id } = yield* founded()
    const narrow = yield* keyOf(owner, organization_id, invites)
    const { invoice: _, ...lesser } = all
    const wide = yield* keyOf(owner, organization_id, lesser)
    const invite = (key: string, role: string) => outcome(key, organizationInvite, { organization_id, email, role })
    assert.deepStrictEqual(yield* Effect.forEach(["admin", "owner", "unknown", "member"], (role) => invite(narrow.key, role)), [
      "forbidden",
      "forbidden",
      "invalid_role",
      "ok",
    ])
    assert.deepStrictEqual([yield* invite(wide.key, "owner"), yield* invite(wide.key, "admin")], ["forbidden", "ok"])
  })

  const endings: Readonly<Record<string, (world: Effect.Success<ReturnType<typeof inviting>>) => Effect.Effect<unknown, any, any>>> = {
    "is revoked": ({ owner, key_id }) => owner.body(apiKeyRevoke, { key_id }),
    "may not invite any more": ({ owner, key_id }) =>
      owner.body(apiKeyUpdate, { key_id, changes: { statement: { invitation: ["cancel"] } } }),
    "has ended": () => TestClock.adjust("1 hour"),
  }
  for (const [how, end] of Object.entries(endings))
    rule(`cannot be accepted once the key ${how}`, function* () {
      const world = yield* inviting(invites)
      yield* end(world)
      assert.strictEqual(yield* world.accept, "invalid_invitation")
    })

  rule("can be accepted after a rotation of the key, and not as a role that permits more by now", function* () {
    const { owner, key_id, accept, organization_id, key } = yield* inviting({ ...all, invoice: ["read", "pay"] }, "admin")
    yield* owner.body(apiKeyRotate, { key_id, overlap: 0 })
    assert.strictEqual(yield* outcome(key, organizationInvite, { organization_id, email: "other@example.com" }), "unauthorized")
    yield* owner.body(apiKeyUpdate, { key_id, changes: { statement: invites } })
    assert.strictEqual(yield* accept, "invalid_invitation")
  })

  rule("is not accepted after a revocation at the same time", function* () {
    const { owner, key_id, acceptance } = yield* inviting(invites)
    const finish = yield* decided(acceptance)
    yield* owner.body(apiKeyRevoke, { key_id })
    assert.strictEqual(yield* finish, "invalid_invitation")
    assert.lengthOf(yield* rows(Members), 2)
  })

  const limited = { rate_limit: { enabled: true, invitations: { limit: 2, window: 60 } } }
  rule(
    "counts against one budget of the organization, apart from those of its members",
    function* () {
      const { owner, organization_id } = yield* founded()
      const [one, other] = [yield* keyOf(owner, organization_id, invites), yield* keyOf(owner, organization_id, invites)]
      const invite = (key: string, at: number) => outcome(key, organizationInvite, { organization_id, email: `user${at}@example.com` })
      assert.deepStrictEqual(
        [yield* invite(one.key, 1), yield* invite(other.key, 2), yield* invite(one.key, 3), yield* invite(other.key, 4)],
        ["ok", "ok", "rate_limited", "rate_limited"],
      )
    },
    limited,
  )
})

describe("a call of a key that ends before its commit", () => {
  const paused = Effect.gen(function* () {
    const { owner, organization_id } = yield* founded()
    const { key, api_key } = yield* keyOf(owner, organization_id, { team: ["create"], organization: ["update"] })
    const input = { organization_id, name: "Late" }
    const call = (endpoint: AnyEndpoint) => decided(send({ api_key: key }, endpoint, input))
    return { owner, organization_id, key_id: api_key.id, call }
  })
  type Paused = Effect.Success<typeof paused>

  const endings: Readonly<Record<string, readonly [(world: Paused) => Effect.Effect<unknown, any, any>, string]>> = {
    "is revoked": [({ owner, key_id }) => owner.body(apiKeyRevoke, { key_id }), "unauthorized"],
    "gets another text at once": [({ owner, key_id }) => owner.body(apiKeyRotate, { key_id, overlap: 0 }), "unauthorized"],
    "loses the permission": [({ owner, key_id }) => owner.body(apiKeyUpdate, { key_id, changes: { statement: {} } }), "forbidden"],
    "loses its organization": [({ owner, organization_id }) => owner.body(organizationDelete, { organization_id }), "unauthorized"],
  }
  for (const [how, [end, code]] of Object.entries(endings))
    for (const endpoint of [organizationCreateTeam, organizationUpdate] as ReadonlyArray<AnyEndpoint>)
      rule(`is refused when the key ${how}: ${endpoint.path}`, function* () {
        const world = yield* paused
        const finish = yield* world.call(endpoint)
        yield* end(world)
        assert.strictEqual(yield* finish, code)
        assert.notInclude(JSON.stringify(yield* rows(Teams)), "Late")
      })

  rule("succeeds after a rotation that leaves the text valid", function* () {
    const { owner, key_id, call } = yield* paused
    const finish = yield* call(organizationCreateTeam)
    yield* owner.body(apiKeyRotate, { key_id, overlap: 60 })
    assert.strictEqual(yield* finish, "ok")
  })

  rule("and a demotion of its maker at the same time give no key more than the maker had", function* () {
    const { owner, organization_id } = yield* founded()
    const second = yield* joined(owner, "second", organization_id, "owner")
    const input = { name: "x", organization_id, statement: { organization: ["delete"] } }
    const finish = yield* decided(second.call(apiKeyCreate, input))
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: second.user.id, role: "manager" })
    assert.strictEqual(yield* finish, "forbidden")
  })

  rule("or with several others makes only what it may: two keys demote one owner each, and one owner stays", function* () {
    const { owner, organization_id } = yield* founded()
    const second = yield* joined(owner, "second", organization_id, "owner")
    const { key } = yield* keyOf(owner, organization_id, all)
    const demote = (their: Person) =>
      send({ api_key: key }, organizationUpdateRole, { organization_id, user_id: their.user.id, role: "member" }, auth)
    assert.deepStrictEqual(yield* atOnce([demote(owner), demote(second)]), { ok: 1, forbidden: 1 })
    assert.lengthOf(
      (yield* rows(Members)).filter(({ role }) => role === "owner"),
      1,
    )
  })
})
