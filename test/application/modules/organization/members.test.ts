import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Members } from "../../../../domain/organizations/tables.ts"
import { atOnce, endpoints as ofCore, onWire, rows } from "../../../world.ts"
import { endpoints, founded, joined, person, rolesSeenBy, rule, staffed } from "./organizations.ts"

const { updateUser } = ofCore
const { organizationListMembers, organizationRemoveMember, organizationUpdateRole, organizationLeave, organizationHasPermission } =
  endpoints

describe("list-members", () => {
  rule("shows members with role and address, the earliest first, to every member", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const expected = [
      { user_id: owner.user.id, role: "owner", email: "owner@example.com" },
      { user_id: admin.user.id, role: "admin", email: "admin@example.com" },
      { user_id: member.user.id, role: "member", email: "member@example.com" },
    ]
    for (const their of [owner, admin, member]) {
      const body = yield* their.body(organizationListMembers, { organization_id })
      assert.deepStrictEqual(yield* onWire(organizationListMembers, body), { members: expected })
    }
  })

  rule("shows names and times of joining on request", function* () {
    const { owner, organization_id } = yield* staffed
    yield* owner.body(updateUser, { name: "Ada" })
    const { members } = yield* owner.body(organizationListMembers, { organization_id, details: "true" })
    assert.deepStrictEqual(
      members.map(({ name, joined_at }) => [name, joined_at?.epochMilliseconds]),
      [
        ["Ada", 0],
        [null, 0],
        [null, 0],
      ],
    )
  })

  rule("is paged on request", function* () {
    const { owner, organization_id } = yield* staffed
    const first = yield* owner.body(organizationListMembers, { organization_id, limit: "2" })
    assert.deepStrictEqual(
      first.members.map(({ role }) => role),
      ["owner", "admin"],
    )
    const rest = yield* owner.body(organizationListMembers, { organization_id, limit: "2", cursor: first.next_cursor })
    assert.deepStrictEqual([rest.members.map(({ role }) => role), rest.next_cursor], [["member"], null])
  })

  rule("is for members only", function* () {
    const { member, outsider, organization_id } = yield* staffed
    for (const input of [{ organization_id }, { organization_id: "none" }, { organization_id: "\0" }])
      assert.strictEqual(yield* outsider.code(organizationListMembers, input), "forbidden")
    for (const input of [{}, { organization_id: 7 }])
      assert.strictEqual(yield* member.code(organizationListMembers, input), "invalid_request")
  })
})

describe("remove-member", () => {
  rule("removes members who rank below the caller", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    assert.deepStrictEqual(yield* admin.body(organizationRemoveMember, { organization_id, user_id: member.user.id }), { success: true })
    yield* owner.body(organizationRemoveMember, { organization_id, user_id: admin.user.id })
    assert.deepStrictEqual(yield* rolesSeenBy(owner, organization_id), { owner: "owner" })
    assert.strictEqual(yield* admin.code(organizationListMembers, { organization_id }), "forbidden")
  })

  rule("refuses to remove members of the same or a higher rank, including the caller", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const [peer, coOwner] = [yield* person("peer"), yield* person("coowner")]
    yield* joined(owner, peer, organization_id, "admin")
    yield* joined(owner, coOwner, organization_id, "owner")
    const tries = [
      [admin, owner],
      [admin, peer],
      [admin, admin],
      [owner, coOwner],
      [owner, owner],
      [member, member],
      [member, owner],
    ] as const
    for (const [their, target] of tries)
      assert.strictEqual(yield* their.code(organizationRemoveMember, { organization_id, user_id: target.user.id }), "forbidden")
    assert.lengthOf(yield* rows(Members), 5)
  })

  rule("reports users who are not members", function* () {
    const { admin, member, outsider, organization_id } = yield* staffed
    const absent = { organization_id, user_id: outsider.user.id }
    assert.strictEqual(yield* admin.code(organizationRemoveMember, absent), "not_a_member")
    for (const their of [member, outsider]) assert.strictEqual(yield* their.code(organizationRemoveMember, absent), "forbidden")
    assert.strictEqual(yield* outsider.code(organizationRemoveMember, { organization_id, user_id: member.user.id }), "forbidden")
    for (const input of [{ organization_id }, { user_id: member.user.id }])
      assert.strictEqual(yield* admin.code(organizationRemoveMember, input), "invalid_request")
  })
})

describe("update-role", () => {
  rule("raises and lowers roles, up to the caller's own rank", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const set = (their: typeof owner, target: typeof owner, role: string) =>
      their.body(organizationUpdateRole, { organization_id, user_id: target.user.id, role })
    assert.deepStrictEqual(yield* set(admin, member, "admin"), { success: true })
    yield* set(admin, member, "member")
    yield* set(owner, member, "owner")
    yield* set(member, owner, "admin")
    assert.deepStrictEqual(yield* rolesSeenBy(owner, organization_id), { owner: "admin", admin: "admin", member: "owner" })
    yield* set(admin, admin, "member")
    yield* set(member, member, "owner")
    assert.strictEqual(yield* admin.code(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "admin" }), "forbidden")
  })

  rule("refuses roles above the caller's, and members who rank above the caller", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const code = (their: typeof owner, target: typeof owner, role: string) =>
      their.code(organizationUpdateRole, { organization_id, user_id: target.user.id, role })
    for (const target of [admin, member]) assert.strictEqual(yield* code(admin, target, "owner"), "forbidden")
    for (const role of ["owner", "admin", "member"]) assert.strictEqual(yield* code(admin, owner, role), "forbidden")
    for (const target of [owner, admin, member]) assert.strictEqual(yield* code(member, target, "member"), "forbidden")
    assert.deepStrictEqual(yield* rolesSeenBy(owner, organization_id), { owner: "owner", admin: "admin", member: "member" })
  })

  rule("keeps the last owner's role", function* () {
    const { owner, admin, organization_id } = yield* staffed
    const demotion = { organization_id, user_id: owner.user.id, role: "admin" }
    assert.strictEqual(yield* owner.code(organizationUpdateRole, demotion), "forbidden")
    yield* owner.body(organizationUpdateRole, { ...demotion, role: "owner" })
    yield* owner.body(organizationUpdateRole, { ...demotion, user_id: admin.user.id, role: "owner" })
    yield* owner.body(organizationUpdateRole, demotion)
    assert.deepInclude(yield* rolesSeenBy(owner, organization_id), { owner: "admin", admin: "owner" })
  })

  rule("reports unknown roles and users who are not members", function* () {
    const { owner, admin, member, outsider, organization_id } = yield* staffed
    const of = (their: typeof owner, role: unknown) => ({ organization_id, user_id: their.user.id, role })
    for (const role of ["", "root", "Admin", "__proto__", "constructor", "toString"])
      assert.strictEqual(yield* owner.code(organizationUpdateRole, of(member, role)), "invalid_role", role)
    assert.strictEqual(yield* owner.code(organizationUpdateRole, of(outsider, "member")), "not_a_member")
    for (const their of [member, outsider]) assert.strictEqual(yield* their.code(organizationUpdateRole, of(admin, "root")), "forbidden")
    for (const input of [{}, of(member, undefined), of(member, 7), { organization_id, role: "member" }])
      assert.strictEqual(yield* owner.code(organizationUpdateRole, input), "invalid_request")
  })
})

describe("leave", () => {
  rule("ends the caller's membership", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    for (const their of [admin, member])
      assert.deepStrictEqual(yield* their.body(organizationLeave, { organization_id }), { success: true })
    assert.deepStrictEqual(yield* rolesSeenBy(owner, organization_id), { owner: "owner" })
    assert.strictEqual(yield* admin.code(organizationLeave, { organization_id }), "not_a_member")
  })

  rule("is refused to the last owner, with or without other members", function* () {
    const { owner, admin, member, outsider, organization_id } = yield* staffed
    assert.strictEqual(yield* owner.code(organizationLeave, { organization_id }), "sole_owner")
    for (const their of [admin, member]) yield* their.body(organizationLeave, { organization_id })
    assert.strictEqual(yield* owner.code(organizationLeave, { organization_id }), "sole_owner")
    yield* joined(owner, outsider, organization_id, "owner")
    yield* owner.body(organizationLeave, { organization_id })
    assert.strictEqual(yield* outsider.code(organizationLeave, { organization_id }), "sole_owner")
  })

  rule("is refused to users who are not members", function* () {
    const { outsider, organization_id } = yield* staffed
    for (const input of [{ organization_id }, { organization_id: "none" }])
      assert.strictEqual(yield* outsider.code(organizationLeave, input), "not_a_member")
    assert.strictEqual(yield* outsider.code(organizationLeave, {}), "invalid_request")
  })
})

describe("has-permission", () => {
  rule("answers from the caller's role", function* () {
    const { owner, admin, member, outsider, organization_id } = yield* staffed
    const allowed = (their: typeof owner, permissions: Record<string, ReadonlyArray<string>>) =>
      Effect.map(their.body(organizationHasPermission, { organization_id, permissions }), (body) => body.allowed)
    const cases = [
      [{ organization: ["update"] }, [true, false, false, false]],
      [{ organization: ["update", "delete"], team: ["create"] }, [true, false, false, false]],
      [{ member: ["create", "update", "delete"], invitation: ["create", "cancel"] }, [true, true, false, false]],
      [{ team: ["create", "paint"] }, [false, false, false, false]],
      [{ cellar: ["enter"] }, [false, false, false, false]],
      [{ constructor: ["name"], toString: [] }, [false, false, false, false]],
      [{ cellar: [] }, [true, true, true, false]],
      [{}, [true, true, true, false]],
    ] as const
    for (const [permissions, expected] of cases) {
      const answers = yield* Effect.forEach([owner, admin, member, outsider], (their) => allowed(their, permissions))
      assert.deepStrictEqual(answers, [...expected], JSON.stringify(permissions))
    }
    const nowhere = { organization_id: "none", permissions: {} }
    assert.isFalse((yield* owner.body(organizationHasPermission, nowhere)).allowed)
  })

  rule("refuses malformed permissions, also from callers who are not members", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const malformed = [null, "team", 7, [], [["team"]], { team: "create" }, { team: [7] }, { team: null }, { team: { 0: "create" } }]
    for (const permissions of malformed)
      for (const their of [owner, outsider])
        assert.strictEqual(
          yield* their.code(organizationHasPermission, { organization_id, permissions }),
          "invalid_request",
          JSON.stringify(permissions),
        )
    assert.strictEqual(yield* owner.code(organizationHasPermission, { organization_id }), "invalid_request")
    const proto = { organization_id, permissions: JSON.parse('{"__proto__": ["delete"]}') }
    assert.isFalse((yield* owner.body(organizationHasPermission, proto)).allowed)
  })
})

describe("concurrently", () => {
  for (const round of [1, 2, 3])
    rule(`two owners who leave do not leave the organization without one (${round})`, function* () {
      const [ada, bob] = [yield* person("ada"), yield* person("bob")]
      const { id: organization_id } = yield* founded(ada)
      yield* joined(ada, bob, organization_id, "owner")
      const tally = yield* atOnce([ada, bob].map((their) => their.call(organizationLeave, { organization_id })))
      assert.deepStrictEqual(tally, { ok: 1, sole_owner: 1 })
    })

  rule("two owners who demote each other: one stays owner", function* () {
    const [ada, bob] = [yield* person("ada"), yield* person("bob")]
    const { id: organization_id } = yield* founded(ada)
    yield* joined(ada, bob, organization_id, "owner")
    const demotion = (their: typeof ada, target: typeof ada) =>
      their.call(organizationUpdateRole, { organization_id, user_id: target.user.id, role: "member" })
    assert.deepStrictEqual(yield* atOnce([demotion(ada, bob), demotion(bob, ada)]), { ok: 1, forbidden: 1 })
    assert.lengthOf(
      (yield* rows(Members)).filter(({ role }) => role === "owner"),
      1,
    )
  })

  rule("owners who leave, step down and demote each other: one stays owner", function* () {
    const people = yield* Effect.forEach(["ada", "bob", "cleo", "dan"], person)
    const [ada, ...others] = people
    const { id: organization_id } = yield* founded(ada!)
    for (const their of others) yield* joined(ada!, their, organization_id, "owner")
    const calls = people.flatMap((their, index) => [
      their.call(organizationLeave, { organization_id }),
      their.call(organizationUpdateRole, { organization_id, user_id: their.user.id, role: "member" }),
      their.call(organizationUpdateRole, { organization_id, user_id: people[(index + 1) % 4]!.user.id, role: "admin" }),
    ])
    yield* atOnce(calls)
    assert.lengthOf(
      (yield* rows(Members)).filter(({ role }) => role === "owner"),
      1,
    )
  })

  rule("a user cannot use a role that they lose concurrently", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const demotion = owner.call(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "member" })
    const raise = admin.call(organizationUpdateRole, { organization_id, user_id: member.user.id, role: "admin" })
    const lower = owner.call(organizationUpdateRole, { organization_id, user_id: member.user.id, role: "member" })
    const { ok } = yield* atOnce([Effect.andThen(demotion, lower), raise])
    assert.isAtLeast(ok ?? 0, 1)
    assert.deepStrictEqual(yield* rolesSeenBy(owner, organization_id), { owner: "owner", admin: "member", member: "member" })
  })
})
