import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { organization } from "../../../application/modules/organization/index.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { Member, Organization, Team } from "../../../domain/organizations/organization.ts"
import { Invitations, Members, Organizations, TeamMembers, Teams } from "../../../domain/organizations/tables.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import { storedUser } from "../../stored-user.ts"
import { core, rows, times } from "../../world.ts"
import type { Answer } from "../http/served.ts"
import { get, post } from "../http/served.ts"
import { counted, questions } from "./counted.ts"
import type { GraphqlAnswer } from "./request.ts"
import { codes, graphqlServed, joined, query } from "./request.ts"

/** Shows every user to every caller, as a faulty module would. The fields of organizations must still be for members only. */
const display = Endpoint.make({
  method: "GET",
  path: "/display",
  summary: "All organizations, teams and members.",
  access: "public",
  input: Endpoint.NoInput,
  output: Schema.Struct({ organizations: Schema.Array(Organization), teams: Schema.Array(Team), members: Schema.Array(Member) }),
  handler: Effect.fnUntraced(function* listed() {
    return Endpoint.reply({ organizations: yield* rows(Organizations), teams: yield* rows(Teams), members: yield* rows(Members) })
  }),
})
const careless = Module.define({ name: "careless", settings: Module.NoSettings, parts: () => ({ endpoints: [display] }) }).build({})
const built = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const modules = [...core, built, careless]

type Headers = Effect.Success<ReturnType<typeof joined>>

/** The answer of REST, which has to be a success. */
const told = Effect.fnUntraced(function* (asking: Effect.Effect<Answer, never, any>) {
  const answer = yield* asking
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json
})
const does = (headers: Headers, path: string, input: object) => told(post(`/organization/${path}`, input, { headers }))
const sees = (headers: Headers, path: string, asked: Record<string, string> = {}) =>
  told(get(`/organization/${path}?${new URLSearchParams(asked)}`, { headers }))

/** The data of an answer without errors. */
const shown = Effect.fnUntraced(function* (headers: Headers, text: string, variables: Record<string, unknown> = {}) {
  const answer = yield* query(text, variables, { headers })
  assert.deepStrictEqual(codes(answer), [], answer.text)
  return answer.data
})
const nodes = ({ edges }: any): ReadonlyArray<any> => edges.map(({ node }: any) => node)

const joins = Effect.fnUntraced(function* (owner: Headers, newcomer: Headers, email: string, organization_id: string, role: string) {
  const { invitation } = yield* does(owner, "invite", { organization_id, email, role })
  return (yield* does(newcomer, "accept-invitation", { invitation_id: invitation.id })).member.user_id as string
})

/** An organization with an owner, a member in a team and an invitation; their addresses begin with its slug. */
const staffed = Effect.fnUntraced(function* (slug: string) {
  const owner = yield* joined(`${slug}-owner@example.com`)
  const member = yield* joined(`${slug}-member@example.com`)
  const created = yield* does(owner, "create", { name: `The ${slug}`, slug })
  const organization_id: string = created.organization.id
  const member_id = yield* joins(owner, member, `${slug}-member@example.com`, organization_id, "member")
  const { team } = yield* does(owner, "create-team", { organization_id, name: "Night shift" })
  yield* does(owner, "add-team-member", { team_id: team.id, user_id: member_id })
  const { invitation } = yield* does(owner, "invite", { organization_id, email: `${slug}-guest@example.com`, role: "admin" })
  return { owner, member, member_id, organization_id, team_id: team.id as string, secret: invitation.id as string }
})

const everything = `{
  viewer {
    activeOrganization { slug }
    organizations(first: 5) { edges { node {
      id name slug role
      members(first: 5) { edges { node { role userId user { id email name image } } } }
      teams(first: 5) { edges { node { id name members(first: 5) { edges { node { role user { email } } } } } } }
      invitations(first: 5) { edges { cursor node { id email role status } } }
    } } }
  }
}`

describe("organizations in the graph", () => {
  layer(graphqlServed({ modules }), { excludeTestServices: true })((it) => {
    it.effect("have the same content for their members as in REST", () =>
      Effect.gen(function* () {
        const { owner, member, member_id, organization_id, team_id } = yield* staffed("acme")
        yield* told(post("/update-user", { name: "Mia", image: "https://example.com/mia.png" }, { headers: member }))
        for (const [headers, role] of [
          [owner, "owner"],
          [member, "member"],
        ] as const) {
          const { viewer } = yield* shown(headers, everything)
          assert.isNull(viewer.activeOrganization)
          const [node] = nodes(viewer.organizations)
          const listed = yield* sees(headers, "list")
          assert.deepStrictEqual(
            [{ id: node.id, name: node.name, slug: node.slug, role: node.role }],
            listed.organizations.map(({ created_at, ...rest }: any) => rest),
          )
          assert.strictEqual(node.role, role)
          assert.deepStrictEqual(
            nodes(node.members).map(({ role, userId, user }) => ({ user_id: userId, role, email: user.email })),
            (yield* sees(headers, "list-members", { organization_id })).members,
          )
          assert.deepStrictEqual(nodes(node.members)[1].user, {
            id: member_id,
            email: "acme-member@example.com",
            name: "Mia",
            image: "https://example.com/mia.png",
          })
          const [team, ...noMore] = nodes(node.teams)
          assert.deepStrictEqual([team.id, team.name, noMore], [team_id, "Night shift", []])
          assert.deepStrictEqual(nodes(team.members), [{ role: "member", user: { email: "acme-member@example.com" } }])
          const { invitations } = yield* sees(headers, "list-invitations", { organization_id })
          assert.deepStrictEqual(
            nodes(node.invitations),
            invitations.map(({ id, email, role }: any) => ({ id, email, role, status: "PENDING" })),
          )
        }

        yield* does(member, "set-active", { organization_id })
        assert.deepStrictEqual((yield* shown(member, everything)).viewer.activeOrganization, { slug: "acme" })
        assert.isNull((yield* shown(owner, everything)).viewer.activeOrganization)
        assert.deepStrictEqual((yield* query(everything)).data, { viewer: null })
      }),
    )

    it.effect("hide the id of an invitation, in cursors too, from members who could not have sent it", () =>
      Effect.gen(function* () {
        const { owner, member, secret } = yield* staffed("secretive")
        const invitationsOf = Effect.fnUntraced(function* (headers: Headers) {
          const { viewer } = yield* shown(headers, everything)
          return nodes(viewer.organizations)[0].invitations.edges[0]
        })
        const [owners, members] = [yield* invitationsOf(owner), yield* invitationsOf(member)]
        assert.strictEqual(owners.node.id, secret)
        assert.notStrictEqual(members.node.id, secret)
        for (const { cursor } of [owners, members]) assert.notInclude(Buffer.from(cursor, "base64url").toString(), secret)
        const answer = yield* post("/organization/accept-invitation", { invitation_id: members.node.id }, { headers: member })
        assert.strictEqual(answer.json.error.code, "invalid_invitation")
      }),
    )

    const careless = `{
      display {
        organizations { slug role members { edges { node { id } } } teams { edges { node { id } } } invitations { edges { node { id } } } }
        teams { name members { edges { node { id } } } }
        members { organizationId user { email } }
      }
    }`
    const secretsOf = (display: any, organization_id: string) =>
      display.members.filter(({ organizationId }: any) => organizationId === organization_id).map(({ user }: any) => user)
    const refusalsOf = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => `${extensions.code} ${extensions.status}`)

    it.effect("are refused to callers who are not members, on every path", () =>
      Effect.gen(function* () {
        const here = yield* staffed("here")
        const there = yield* staffed("there")
        const outsider = yield* joined("stranger@example.com")
        const { viewer } = yield* shown(outsider, everything)
        assert.deepStrictEqual(viewer, { activeOrganization: null, organizations: { edges: [] } })

        const strange = yield* query(careless, {}, { headers: outsider })
        assert.deepStrictEqual([...new Set(refusalsOf(strange))], ["forbidden 403"])
        for (const each of strange.data.display.organizations) {
          const { slug, ...edges } = each
          assert.deepStrictEqual(edges, { role: null, members: null, teams: null, invitations: null }, slug)
        }
        for (const { members } of strange.data.display.teams) assert.isNull(members)
        for (const { user } of strange.data.display.members) assert.isNull(user)

        const foreign = (yield* query(careless, {}, { headers: there.owner })).data.display
        const bySlug = Object.fromEntries(foreign.organizations.map((each: any) => [each.slug, each]))
        assert.deepStrictEqual(bySlug["here"], { slug: "here", role: null, members: null, teams: null, invitations: null })
        assert.strictEqual(bySlug["there"].role, "owner")
        assert.deepStrictEqual(
          [bySlug["there"].members, bySlug["there"].teams, bySlug["there"].invitations].map((each) => nodes(each).length),
          [2, 1, 1],
        )
        assert.deepStrictEqual(secretsOf(foreign, here.organization_id), [null, null])
        assert.deepStrictEqual(secretsOf(foreign, there.organization_id), [
          { email: "there-owner@example.com" },
          { email: "there-member@example.com" },
        ])
        assert.deepStrictEqual([...new Set(refusalsOf(yield* query(careless)))], ["unauthorized 401"])
      }),
    )

    it.effect("are refused to removed members", () =>
      Effect.gen(function* () {
        const { owner, member, member_id, organization_id } = yield* staffed("former")
        yield* does(member, "set-active", { organization_id })
        yield* does(owner, "remove-member", { organization_id, user_id: member_id })
        const { viewer } = yield* shown(member, everything)
        assert.deepStrictEqual(viewer, { activeOrganization: null, organizations: { edges: [] } })
        const { display } = (yield* query(careless, {}, { headers: member })).data
        const former = display.organizations.find(({ slug }: any) => slug === "former")
        assert.deepStrictEqual(former, { slug: "former", role: null, members: null, teams: null, invitations: null })
        assert.deepStrictEqual(secretsOf(display, organization_id), [null])
        const [left] = nodes((yield* shown(owner, everything)).viewer.organizations)
        assert.deepStrictEqual(nodes(nodes(left.teams)[0].members), [])
      }),
    )
  })
})

const padded = (index: number) => String(index).padStart(3, "0")

/** As many users, and as many organizations of the first one's, with all of them in as many teams of each. */
const crowded = Effect.fnUntraced(function* (owner_id: string, wide: number) {
  const { commit } = yield* Store
  const now = yield* DateTime.now
  const crowd = times(wide, (index) => `${owner_id} ${padded(index)}`)
  const users = crowd.map((id) => storedUser({ id, email: `${id.replace(" ", "-")}@example.com`, created_at: now }))
  yield* Effect.orDie(commit(users.map((user) => insert(Users, user))))
  for (const organization_id of crowd) {
    const part = (index: number) => ({ id: `${organization_id} ${padded(index)}`, organization_id, created_at: now })
    const owner = { ...part(0), user_id: owner_id, role: "owner" }
    const members = users.map(({ id: user_id }, index) => ({ ...part(index + 1), user_id, role: "member" }))
    const teams = times(wide, (index) => ({ ...part(index), name: "Team" }))
    // The last member of the organization is the first one of the team.
    const places = teams.flatMap(({ id: team_id }) =>
      members.map(({ id: member_id, user_id }, index) => ({ id: `${team_id} ${padded(wide - index)}`, team_id, member_id, user_id })),
    )
    const guest = {
      role: "member",
      status: "pending",
      token_hash: null,
      admitted_at: null,
      initiator: null,
      inviter_id: owner_id,
      expires_at: DateTime.add(now, { days: 7 }),
    } as const
    const invitations = times(wide, (index) => {
      const { id: reference, ...rest } = part(index)
      return { ...rest, ...guest, id: `secret of ${reference}`, reference, email: `guest${index}@example.com` }
    })
    const organization = { id: organization_id, name: "Many", slug: organization_id.replace(" ", "-"), created_at: now }
    yield* Effect.orDie(
      commit([
        insert(Organizations, organization),
        ...[owner, ...members].map((member) => insert(Members, member)),
        ...teams.map((team) => insert(Teams, team)),
        ...places.map((place) => insert(TeamMembers, place)),
        ...invitations.map((invitation) => insert(Invitations, invitation)),
      ]),
    )
  }
  return crowd
})

/** A new user, and their session. */
const known = Effect.fnUntraced(function* (email: string) {
  const headers = yield* joined(email)
  return { headers, id: (yield* told(get("/get-session", { headers }))).user.id as string }
})

const deep = `query ($first: Int!) {
  viewer { organizations(first: $first) { edges { node {
    role
    teams(first: $first) { edges { node { members(first: $first) { edges { node { role user { email } } } pageInfo { hasNextPage } } } } }
  } } } }
}`
const broad = `query ($first: Int!) {
  viewer { activeOrganization { id } organizations(first: $first) { edges { node {
    members(first: $first) { edges { node { user { email } } } }
    invitations(first: $first) { edges { node { id } } }
  } } } }
}`

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((one, other) => one + other)

describe("many organizations in the graph", () => {
  layer(graphqlServed({ modules, instead: counted }), { excludeTestServices: true })((it) => {
    it.effect("are read with as many store calls as a few", () =>
      Effect.gen(function* () {
        const { headers, id } = yield* known("busy@example.com")
        yield* crowded(id, 10)
        const asked = Effect.fnUntraced(function* (text: string, first: number) {
          questions.count = 0
          const answer = yield* query(text, { first }, { headers })
          assert.deepStrictEqual(codes(answer), [])
          return { nodes: answer.text.match(/"node":/g)?.length ?? 0, questions: questions.count, data: answer.data }
        })
        const [few, many] = [yield* asked(deep, 2), yield* asked(deep, 10)]
        assert.deepStrictEqual([few.nodes, many.nodes], [2 + 4 + 8, 10 + 100 + 1000])
        const own = { session: 1, organizations: 2, role: 1, teams: 2, members: 3, user: 2 }
        assert.deepStrictEqual([few.questions, many.questions], [total(own), total(own)])
        const [first] = nodes(few.data.viewer.organizations)
        const [team] = nodes(first.teams)
        assert.deepStrictEqual(nodes(team.members), [
          { role: "member", user: { email: `${id}-009@example.com` } },
          { role: "member", user: { email: `${id}-008@example.com` } },
        ])
        assert.isTrue(team.members.pageInfo.hasNextPage)

        const [less, more] = [yield* asked(broad, 2), yield* asked(broad, 10)]
        assert.deepStrictEqual([less.nodes, more.nodes], [2 + 8, 10 + 200])
        const each = { session: 1, active: 1, organizations: 2, members: 2, invitations: 2, user: 2 }
        assert.deepStrictEqual([less.questions, more.questions], [total(each), total(each)])
      }),
    )
  })

  layer(graphqlServed({ modules }), { excludeTestServices: true })((it) => {
    /** All nodes of a list, by pages of three; `from` is what leads to it. */
    const paged = Effect.fnUntraced(function* (headers: Headers, list: string, from: (viewer: any) => any) {
      const seen: Array<any> = []
      const cursors: Array<string> = []
      for (let after: string | null = null; ; ) {
        const text = `query ($after: String) { viewer { ${list} } }`
        const { edges, pageInfo } = from((yield* shown(headers, text, { after })).viewer)
        seen.push(...nodes({ edges }))
        cursors.push(...edges.map(({ cursor }: any) => cursor))
        if (!pageInfo.hasNextPage) return { seen, cursors }
        assert.lengthOf(edges, 3)
        assert.strictEqual(pageInfo.endCursor, cursors.at(-1))
        after = pageInfo.endCursor
      }
    })
    const page = (fields: string) => `(first: 3, after: $after) { edges { cursor node { ${fields} } } pageInfo { hasNextPage endCursor } }`
    const inFirst = (name: string, fields: string) => `organizations(first: 1) { edges { node { ${name}${page(fields)} } } }`
    const first =
      (name: string) =>
      (viewer: any): any =>
        nodes(viewer.organizations)[0][name]

    it.effect("are paged in the order of REST", () =>
      Effect.gen(function* () {
        const { headers, id } = yield* known("reader@example.com")
        const [organization_id = ""] = yield* crowded(id, 7)
        const own = yield* paged(headers, `organizations${page("id")}`, ({ organizations }) => organizations)
        const { organizations } = yield* sees(headers, "list")
        assert.deepStrictEqual(
          own.seen.map(({ id }) => id),
          organizations.map(({ id }: any) => id),
        )
        const members = yield* paged(headers, inFirst("members", "userId"), first("members"))
        const listed = yield* sees(headers, "list-members", { organization_id })
        assert.lengthOf(members.seen, 8)
        assert.deepStrictEqual(
          members.seen.map(({ userId }) => userId),
          listed.members.map(({ user_id }: any) => user_id),
        )
        const teams = yield* paged(headers, inFirst("teams", "id"), first("teams"))
        const all = yield* sees(headers, "list-teams", { organization_id })
        assert.deepStrictEqual(
          teams.seen.map(({ id }) => id),
          all.teams.map(({ id }: any) => id),
        )
        const inTeam = `organizations(first: 1) { edges { node { teams(first: 1) { edges { node { members${page("userId")} } } } } } }`
        const places = yield* paged(headers, inTeam, (viewer) => nodes(first("teams")(viewer))[0].members)
        const there = yield* sees(headers, "list-team-members", { team_id: teams.seen[0].id })
        assert.lengthOf(places.seen, 7)
        assert.deepStrictEqual(
          places.seen.map(({ userId }) => userId),
          there.members.map(({ user_id }: any) => user_id),
        )
        const invitations = yield* paged(headers, inFirst("invitations", "id"), first("invitations"))
        const open = yield* sees(headers, "list-invitations", { organization_id })
        assert.lengthOf(invitations.seen, 7)
        assert.deepStrictEqual(
          invitations.seen.map(({ id }) => id),
          open.invitations.map(({ id }: any) => id),
        )

        const nowhere = (place: unknown) => Buffer.from(JSON.stringify(place)).toString("base64url")
        for (const after of [own.cursors[0], nowhere({ reference: 1 }), nowhere({ reference: "no\0place" }), "nonsense"]) {
          const answer = yield* query(`query ($after: String) { viewer { ${inFirst("invitations", "id")} } }`, { after }, { headers })
          assert.deepStrictEqual(codes(answer), ["invalid_request"])
        }
      }),
    )

    it.effect("have full pages of open invitations, even with closed ones between them", () =>
      Effect.gen(function* () {
        const { headers, id } = yield* known("patient@example.com")
        const organizations = (yield* crowded(id, 4)).slice(0, 2)
        const { commit } = yield* Store
        const now = yield* DateTime.now
        const past = {
          role: "member",
          token_hash: null,
          admitted_at: null,
          initiator: null,
          inviter_id: id,
          created_at: now,
          email: "guest@example.com",
        } as const
        const closed = organizations.flatMap((organization_id) =>
          times(40, (index) => {
            const reference = `${organization_id} ${padded(index % 4)} ${index}`
            const isOver = index % 3 > 0
            const status = isOver ? ("pending" as const) : ("accepted" as const)
            const expires_at = isOver ? now : DateTime.add(now, { days: 1 })
            return { ...past, organization_id, reference, id: `secret of ${reference}`, status, expires_at }
          }),
        )
        yield* Effect.orDie(commit(closed.map((invitation) => insert(Invitations, invitation))))
        const expected = [3, 2, 1, 0].map((index) => `guest${index}@example.com`)
        const { seen } = yield* paged(headers, inFirst("invitations", "email"), first("invitations"))
        assert.deepStrictEqual(
          seen.map(({ email }) => email),
          expected,
        )
        const { viewer } = yield* shown(
          headers,
          `{ viewer { organizations(first: 2) { edges { node { invitations(first: 2) { edges { node { email } } } } } } } }`,
        )
        for (const { invitations } of nodes(viewer.organizations)) {
          assert.deepStrictEqual(
            nodes(invitations).map(({ email }) => email),
            expected.slice(0, 2),
          )
        }
      }),
    )
  })
})
