import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { ActiveOrganizations, Invitations, Members, Organizations, TeamMembers, Teams } from "../../../../domain/organizations/tables.ts"
import { atOnce, browser, onWire, rows, times } from "../../../world.ts"
import { endpoints, founded, joined, person, rule, staffed } from "./organizations.ts"

const { organizationCreate, organizationUpdate, organizationDelete, organizationList, organizationGetFull } = endpoints
const { organizationSetActive, organizationGetActive, organizationInvite, organizationCreateTeam, organizationAddTeamMember } = endpoints
const { organizationLeave, organizationRemoveMember } = endpoints

const everything = [Organizations, Members, Invitations, Teams, TeamMembers, ActiveOrganizations]

describe("create", () => {
  rule("creates an organization whose only member is its creator, as owner", function* () {
    const ada = yield* person("ada")
    const { organization } = yield* ada.body(organizationCreate, { name: "Acme Works", slug: "ACME-Works" })
    const { id, ...wire } = (yield* onWire(organizationCreate, { organization })).organization
    assert.deepStrictEqual(wire, { name: "Acme Works", slug: "acme-works", created_at: "1970-01-01T00:00:00.000Z" })
    assert.deepStrictEqual(yield* rows(Organizations), [organization])
    const [member, ...others] = yield* rows(Members)
    assert.deepStrictEqual([others, member?.organization_id, member?.user_id, member?.role], [[], id, ada.user.id, "owner"])
    for (const table of [Invitations, Teams, ActiveOrganizations]) assert.lengthOf(yield* rows(table), 0)
  })

  rule("refuses a taken slug in any case, and writes nothing", function* () {
    const [ada, bob] = [yield* person("ada"), yield* person("bob")]
    yield* founded(ada, "acme")
    for (const their of [ada, bob])
      assert.strictEqual(yield* their.code(organizationCreate, { name: "Another", slug: "ACME" }), "slug_taken")
    assert.lengthOf(yield* rows(Organizations), 1)
    assert.lengthOf(yield* rows(Members), 1)
  })

  rule("ten concurrent calls with one slug: one succeeds", function* () {
    const people = yield* Effect.forEach(
      times(5, (index) => `person${index}`),
      person,
    )
    const calls = [...people, ...people].map((their) => their.call(organizationCreate, { name: "Acme", slug: "acme" }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, slug_taken: 9 })
    for (const table of [Organizations, Members]) assert.lengthOf(yield* rows(table), 1, table.name)
  })

  rule("refuses invalid names and slugs, and accepts valid ones", function* () {
    const ada = yield* person("ada")
    const name = "Acme"
    for (const input of [
      {},
      { name },
      { slug: "a" },
      { name: "", slug: "a" },
      { name: " \n", slug: "a" },
      { name: "x".repeat(201), slug: "a" },
    ])
      assert.strictEqual(yield* ada.code(organizationCreate, input), "invalid_request", JSON.stringify(input))
    for (const slug of ["", " ", "-a", ".", "..", "a b", "a/b", "é", "a\0", "x".repeat(65), 7, null, ["a"]])
      assert.strictEqual(yield* ada.code(organizationCreate, { name, slug }), "invalid_request", JSON.stringify(slug))
    for (const slug of ["a", "7", "a-b_c.d", "x".repeat(64)]) yield* ada.body(organizationCreate, { name: "x".repeat(200), slug })
    assert.strictEqual(yield* browser().code(organizationCreate, { name, slug: "b" }), "unauthorized")
  })
})

describe("update", () => {
  rule("changes the name, the slug, both or nothing", function* () {
    const ada = yield* person("ada")
    const { id: organization_id, ...before } = yield* founded(ada)
    const update = (changes: object) =>
      Effect.map(ada.body(organizationUpdate, { organization_id, ...changes }), (body) => body.organization)
    assert.deepStrictEqual(yield* update({ name: "New" }), { ...before, id: organization_id, name: "New" })
    assert.deepStrictEqual(yield* update({ slug: "NEW" }), { ...before, id: organization_id, name: "New", slug: "new" })
    const both = yield* update({ name: "Both", slug: "both" })
    assert.deepStrictEqual(yield* update({}), both)
    assert.deepStrictEqual(yield* update({ slug: "Both" }), both)
    assert.deepStrictEqual(yield* rows(Organizations), [both])
    yield* founded(ada, "new")
  })

  rule("refuses another organization's slug and invalid ones", function* () {
    const ada = yield* person("ada")
    const { id: organization_id } = yield* founded(ada)
    yield* founded(ada, "other")
    assert.strictEqual(yield* ada.code(organizationUpdate, { organization_id, slug: "other" }), "slug_taken")
    for (const changes of [{ name: "" }, { name: 7 }, { slug: "a b" }, { slug: null }])
      assert.strictEqual(yield* ada.code(organizationUpdate, { organization_id, ...changes }), "invalid_request")
    assert.strictEqual(yield* ada.code(organizationUpdate, { name: "New" }), "invalid_request")
  })

  rule("is for the owner only", function* () {
    const { admin, member, outsider, organization_id } = yield* staffed
    for (const their of [admin, member, outsider])
      assert.strictEqual(yield* their.code(organizationUpdate, { organization_id, name: "Mine" }), "forbidden")
    assert.strictEqual(yield* outsider.code(organizationUpdate, { organization_id: "none", name: "Mine" }), "forbidden")
  })

  rule("keeps both changes when name and slug change concurrently", function* () {
    const ada = yield* person("ada")
    const { id: organization_id } = yield* founded(ada)
    const changes = [{ name: "New" }, { slug: "new" }]
    yield* Effect.all(
      changes.map((change) => ada.body(organizationUpdate, { organization_id, ...change })),
      { concurrency: "unbounded" },
    )
    const [organization] = yield* rows(Organizations)
    assert.deepStrictEqual([organization?.name, organization?.slug], ["New", "new"])
  })
})

describe("delete", () => {
  rule("removes everything that belongs to the organization, and nothing else", function* () {
    const { owner, member, organization_id } = yield* staffed
    const other = yield* founded(owner, "other")
    for (const id of [organization_id, other.id]) {
      yield* owner.body(organizationInvite, { organization_id: id, email: "new@example.com" })
      const { team } = yield* owner.body(organizationCreateTeam, { organization_id: id, name: "Team" })
      yield* owner.body(organizationAddTeamMember, { team_id: team.id, user_id: owner.user.id })
    }
    yield* owner.body(organizationSetActive, { organization_id: other.id })
    yield* member.body(organizationSetActive, { organization_id })

    assert.deepStrictEqual(yield* owner.body(organizationDelete, { organization_id }), { success: true })
    for (const table of everything) assert.lengthOf(yield* rows(table), 1, table.name)
    assert.deepStrictEqual((yield* owner.body(organizationGetActive)).active_organization_id, other.id)
    assert.deepStrictEqual(yield* member.body(organizationGetActive), { active_organization_id: null, organization: null })
    assert.strictEqual(yield* owner.code(organizationDelete, { organization_id }), "forbidden")
    yield* founded(owner, "acme")
  })

  rule("is for the owner only", function* () {
    const { admin, member, outsider, organization_id } = yield* staffed
    for (const their of [admin, member, outsider])
      assert.strictEqual(yield* their.code(organizationDelete, { organization_id }), "forbidden")
    assert.strictEqual(yield* admin.code(organizationDelete, {}), "invalid_request")
    assert.lengthOf(yield* rows(Organizations), 1)
  })
})

describe("list", () => {
  rule("shows the caller's organizations with their role in each", function* () {
    const [ada, bob] = [yield* person("ada"), yield* person("bob")]
    assert.deepStrictEqual(yield* ada.body(organizationList), { organizations: [] })
    const [first, second] = [yield* founded(ada, "first"), yield* founded(bob, "second")]
    yield* founded(bob, "third")
    yield* joined(bob, ada, second.id, "admin")
    const body = yield* ada.body(organizationList)
    assert.deepStrictEqual(body, {
      organizations: [
        { ...first, role: "owner" },
        { ...second, role: "admin" },
      ],
    })
    const { organizations } = yield* onWire(organizationList, body)
    assert.deepStrictEqual(Object.keys(organizations[0]), ["id", "name", "slug", "created_at", "role"])
  })

  rule("is paged on request", function* () {
    const ada = yield* person("ada")
    const made = yield* Effect.forEach(
      times(5, (index) => `org${index}`),
      (slug) => founded(ada, slug),
    )
    const seen: Array<string> = []
    let cursor: string | null | undefined
    do {
      const page = yield* ada.body(organizationList, { limit: "2", ...(cursor ? { cursor } : {}) })
      seen.push(...page.organizations.map(({ id }) => id))
      cursor = page.next_cursor
    } while (typeof cursor === "string")
    assert.deepStrictEqual([seen, cursor], [made.map(({ id }) => id), null])
    assert.deepStrictEqual((yield* ada.body(organizationList, { limit: "5" })).next_cursor, null)
    for (const limit of ["0", "1001", "-1", "1.5", "", "x", "1e2"])
      assert.strictEqual(yield* ada.code(organizationList, { limit }), "invalid_request", limit)
    assert.strictEqual(yield* ada.code(organizationList, { cursor: "\0" }), "invalid_request")
    const beyond = Buffer.from(JSON.stringify({ id: "~" })).toString("base64url")
    assert.deepStrictEqual((yield* ada.body(organizationList, { cursor: beyond })).organizations, [])
  })
})

describe("set-active and get-active", () => {
  rule("store one active organization per user", function* () {
    const { owner, member, organization_id } = yield* staffed
    const other = yield* founded(owner, "other")
    assert.deepStrictEqual(yield* owner.body(organizationGetActive), { active_organization_id: null, organization: null })
    assert.deepStrictEqual(yield* owner.body(organizationSetActive, { organization_id }), { active_organization_id: organization_id })
    yield* owner.body(organizationSetActive, { organization_id: other.id })
    assert.deepStrictEqual(yield* owner.body(organizationGetActive), { active_organization_id: other.id, organization: other })
    assert.isNull((yield* member.body(organizationGetActive)).organization)
    assert.lengthOf(yield* rows(ActiveOrganizations), 1)
  })

  rule("refuse an organization of which the caller is not a member", function* () {
    const { member, outsider, organization_id } = yield* staffed
    assert.strictEqual(yield* outsider.code(organizationSetActive, { organization_id }), "forbidden")
    for (const input of [{}, { organization_id: null }])
      assert.strictEqual(yield* member.code(organizationSetActive, input), "invalid_request")
    assert.strictEqual(yield* member.code(organizationSetActive, { organization_id: "none" }), "forbidden")
  })

  rule("clear the active organization when the member leaves or is removed", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    for (const their of [admin, member]) yield* their.body(organizationSetActive, { organization_id })
    yield* admin.body(organizationLeave, { organization_id })
    yield* owner.body(organizationRemoveMember, { organization_id, user_id: member.user.id })
    for (const their of [admin, member]) assert.isNull((yield* their.body(organizationGetActive)).active_organization_id)
  })
})

describe("get-full", () => {
  rule("shows the organization with its members, pending invitations and teams", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const { invitation } = yield* owner.body(organizationInvite, { organization_id, email: "new@example.com" })
    const { team } = yield* owner.body(organizationCreateTeam, { organization_id, name: "Team" })
    const body = yield* owner.body(organizationGetFull, { organization_id })
    const listed = (their: typeof owner, role: string) => ({ user_id: their.user.id, role, email: their.user.email })
    assert.deepStrictEqual(body.members, [listed(owner, "owner"), listed(admin, "admin"), listed(member, "member")])
    assert.deepStrictEqual(body.teams, [team])
    const wire = yield* onWire(organizationGetFull, body)
    assert.deepStrictEqual(Object.keys(wire), ["organization", "members", "invitations", "teams"])
    assert.deepStrictEqual(wire.invitations, [(yield* onWire(organizationInvite, { invitation })).invitation])
    assert.deepStrictEqual((yield* member.body(organizationGetFull, { organization_id })).members, body.members)
  })

  rule("shows the active organization when none is named, and is invalid without one", function* () {
    const { member, outsider, organization_id } = yield* staffed
    assert.strictEqual(yield* member.code(organizationGetFull), "invalid_request")
    yield* member.body(organizationSetActive, { organization_id })
    assert.strictEqual((yield* member.body(organizationGetFull)).organization.id, organization_id)
    for (const input of [{ organization_id }, { organization_id: "none" }])
      assert.strictEqual(yield* outsider.code(organizationGetFull, input), "forbidden")
  })
})
