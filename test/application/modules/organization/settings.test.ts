import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Schema } from "effect"
import { organization } from "../../../../application/modules/organization/index.ts"
import { standard } from "../../../../domain/organizations/access-control.ts"
import { Members } from "../../../../domain/organizations/tables.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { rulesOf } from "../../../rule.ts"
import { core, endpoints as coreEndpoints, password, signedUp } from "../../../world.ts"
import { limits } from "./organizations.ts"

const decode = Schema.decodeUnknownEffect(organization.settings)

describe("settings", () => {
  it.effect("each have a default", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* decode({}), { access_control: standard, invitation_expires_in: 604_800, ...limits })
      const roles = { owner: {}, member: {} }
      const { access_control } = yield* decode({ access_control: { roles, hierarchy: ["member", "owner"] } })
      assert.deepStrictEqual(access_control, { roles, hierarchy: ["member", "owner"], creator_role: "owner", invite_default: "member" })
    }),
  )

  it.effect("require the roles, their order, and a positive lifetime", () =>
    Effect.gen(function* () {
      const roles = { owner: {}, member: {} }
      for (const settings of [
        { access_control: { roles } },
        { access_control: { hierarchy: ["member", "owner"] } },
        { access_control: { roles: { owner: ["team"] }, hierarchy: [] } },
        { invitation_expires_in: 0 },
        { invitation_expires_in: 1.5 },
        { max_per_user: 0 },
        { max_teams: 10_001 },
        { max_invitations: 0.5 },
      ])
        assert.isTrue(Exit.isFailure(yield* Effect.exit(decode(settings))), JSON.stringify(settings))
    }),
  )

  it("report errors under their own key", () => {
    const access_control = { ...standard, hierarchy: ["member", "boss"] }
    const paths = organization
      .faults({ access_control, invitation_expires_in: 60, ...limits }, {} as never)
      .map(({ path }) => path.join("."))
    assert.deepStrictEqual(paths, ["access_control.hierarchy.1", "access_control.creator_role"])
  })
})

// A band with the roles leader, player and listener, and an accountant outside the hierarchy.
const band = {
  roles: {
    leader: { member: ["create", "update", "delete"], invitation: ["create"], song: ["write", "play"] },
    player: { member: ["update", "delete"], invitation: ["create", "cancel"], song: ["play"] },
    accountant: { member: ["delete"], invitation: ["create"], money: ["count"] },
    listener: {},
    patron: { member: ["update", "delete"], invitation: ["create"] },
  },
  hierarchy: ["listener", "player", "leader", "patron"],
  creator_role: "leader",
  invite_default: "listener",
}
const built = organization.build({ access_control: band, invitation_expires_in: 60, ...limits })
const modules = [...core, built]
const rule = rulesOf(modules)
const { endpoints } = built

type Person = Effect.Success<ReturnType<typeof signedUp>>

const person = (name: string) => signedUp(`${name}@example.com`)
const founded = Effect.gen(function* () {
  const leader = yield* person("leader")
  const { id } = (yield* leader.body(endpoints.organizationCreate, { name: "Band", slug: "band" })).organization
  const joining = Effect.fnUntraced(function* (inviter: Person, name: string, role?: string) {
    const their = yield* person(name)
    const input = { organization_id: id, email: their.user.email, ...(role === undefined ? {} : { role }) }
    const { invitation } = yield* inviter.body(endpoints.organizationInvite, input)
    const { member } = yield* their.body(endpoints.organizationAcceptInvitation, { invitation_id: invitation.id })
    return { ...their, role: member.role }
  })
  return { leader, organization_id: id, joining }
})

describe("configured roles", () => {
  rule("determine the creator's and the default role, and the permissions", function* () {
    const { leader, organization_id, joining } = yield* founded
    const listener = yield* joining(leader, "listener")
    const player = yield* joining(leader, "player", "player")
    assert.deepStrictEqual([listener.role, player.role], ["listener", "player"])
    const allowed = (their: Person, permissions: Record<string, ReadonlyArray<string>>) =>
      Effect.map(their.body(endpoints.organizationHasPermission, { organization_id, permissions }), (body) => body.allowed)
    assert.isTrue(yield* allowed(leader, { song: ["write", "play"] }))
    assert.isTrue(yield* allowed(player, { song: ["play"] }))
    assert.isFalse(yield* allowed(player, { song: ["write", "play"] }))
    assert.isFalse(yield* allowed(leader, { organization: ["delete"] }))
    assert.strictEqual(yield* leader.code(endpoints.organizationDelete, { organization_id }), "forbidden")
    assert.strictEqual(
      yield* leader.code(endpoints.organizationUpdateRole, { organization_id, user_id: player.user.id, role: "member" }),
      "invalid_role",
    )
  })

  rule("outside the hierarchy rank below all of it", function* () {
    const { leader, organization_id, joining } = yield* founded
    const accountant = yield* joining(leader, "accountant", "accountant")
    const listener = yield* joining(leader, "listener")
    const invite = (role: string) => accountant.code(endpoints.organizationInvite, { organization_id, email: "x@example.com", role })
    for (const role of ["listener", "leader"]) assert.strictEqual(yield* invite(role), "forbidden")
    yield* accountant.body(endpoints.organizationInvite, { organization_id, email: "x@example.com", role: "accountant" })
    const removal = (their: Person, target: Person) =>
      their.code(endpoints.organizationRemoveMember, { organization_id, user_id: target.user.id })
    for (const target of [listener, accountant]) assert.strictEqual(yield* removal(accountant, target), "forbidden")
    yield* leader.body(endpoints.organizationRemoveMember, { organization_id, user_id: accountant.user.id })
  })

  rule("above the creator's role do not allow removing the last creator", function* () {
    const { leader, organization_id, joining } = yield* founded
    assert.strictEqual(
      yield* leader.code(endpoints.organizationInvite, { organization_id, email: "x@example.com", role: "patron" }),
      "forbidden",
    )
    const patron = yield* joining(leader, "patron")
    const store = yield* Store
    const member = Option.getOrThrow(yield* store.read(Members, { organization_id, user_id: patron.user.id }))
    yield* store.commit([update(Members, member, { role: "patron" })])
    const row = { organization_id, user_id: leader.user.id }
    for (const role of ["player", "patron"])
      assert.strictEqual(yield* patron.code(endpoints.organizationUpdateRole, { ...row, role }), "forbidden")
    const removal = patron.code(endpoints.organizationRemoveMember, row)
    assert.strictEqual(yield* removal, "forbidden")
    assert.strictEqual(yield* leader.code(endpoints.organizationLeave, { organization_id }), "sole_owner")
    assert.strictEqual(yield* leader.code(coreEndpoints.deleteUser, { password }), "sole_owner")
    const other = yield* joining(leader, "other", "leader")
    yield* patron.body(endpoints.organizationRemoveMember, row)
    assert.strictEqual(yield* other.code(endpoints.organizationLeave, { organization_id }), "sole_owner")
  })
})
