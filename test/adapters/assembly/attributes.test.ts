import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { clientTypesOf } from "../../../adapters/assembly/client-types.ts"
import { assemble, documentOf, schemaOf } from "../../../adapters/assembly/service.ts"
import { completed } from "../../../adapters/assembly/start.ts"
import { printed } from "../../../adapters/graphql/schema.ts"
import { ConfigurationFault, type SallyportConfiguration, sallyport } from "../../../index.ts"
import { configured, cookieOf, password, publicUrl, request } from "./configured.ts"

const declared = {
  home_town: { schema: { type: "string", maxLength: 40 }, read: "admin" },
  plan: { schema: { enum: ["free", "pro"], title: "Plan" } },
  nickname: { schema: { type: "string", maxLength: 40 }, write: "user", sign_up: true },
  tags: { schema: { type: "array", items: { type: "string", maxLength: 10 }, maxItems: 3 }, write: "user" },
  size: { schema: { type: "number", minimum: 0 } },
  risk: { schema: { type: "integer" }, read: "private" },
} as const
const base = {
  ...configured().configuration,
  docs: { enabled: true },
  graphql: { introspection: true },
  modules: {
    ...{
      admin: { admin_emails: ["root@example.com"] },
      organization: {},
      multi_session: {},
      email_otp: {},
      magic_link: {},
      two_factor: {},
    },
    ...{ bearer: {}, passkey: {}, username: {}, one_time_token: {}, idp: {}, audit: {}, events: {} },
  },
} as const satisfies SallyportConfiguration
const withAttributes = { ...base, users: { attributes: declared } } as const satisfies SallyportConfiguration

const closers: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
const started = (configuration: SallyportConfiguration) => {
  const { fetch, close } = sallyport(configuration)
  closers.push(close)
  const post = async (path: string, body: unknown, cookie = "") => {
    const response = await fetch(request(path, { body, cookie }))
    return { status: response.status, body: await response.json(), cookie: cookieOf(response.headers) }
  }
  const get = async (path: string, cookie: string) => (await fetch(request(path, { cookie }))).json()
  const graphql = async (query: string, cookie: string) => {
    const headers = { "content-type": "application/json", cookie }
    const response = await fetch(new Request(`${publicUrl}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) }))
    return response.json()
  }
  return { post, get, graphql }
}

describe("a service with attributes", () => {
  it("takes and shows them over REST and GraphQL", async () => {
    const { post, get, graphql } = started(withAttributes)
    const root = await post("/sign-up/email", { email: "root@example.com", password })
    const ada = await post("/sign-up/email", { email: "ada@example.com", password, attributes: { nickname: "Countess" } })
    expect(ada.body.user.attributes).toEqual({ nickname: "Countess" })
    const { id } = ada.body.user
    const update = (attributes: object) => post("/admin/users/update", { user_id: id, changes: { attributes } }, root.cookie)
    expect((await update({ plan: "pro", size: 1.5, risk: 3 })).body.user.attributes).toEqual({
      nickname: "Countess",
      plan: "pro",
      size: 1.5,
      risk: 3,
    })
    expect(await update({ unknown: 1 })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", message: "changes.attributes.unknown: Unexpected key" } },
    })
    expect((await get("/get-session", ada.cookie)).user.attributes).toEqual({ nickname: "Countess", plan: "pro", size: 1.5 })

    const changed = await graphql(
      'mutation { updateUser(input: { attributes: { tags: ["a"], nickname: null } }) { user { attributes { nickname plan tags size } } } }',
      ada.cookie,
    )
    expect(changed).toEqual({ data: { updateUser: { user: { attributes: { nickname: null, plan: "pro", tags: ["a"], size: 1.5 } } } } })
    const viewer = await graphql("{ viewer { user { id attributes { plan tags } } } }", ada.cookie)
    expect(viewer).toEqual({ data: { viewer: { user: { id, attributes: { plan: "pro", tags: ["a"] } } } } })
    const shown = await graphql(`{ adminUsersShow(input: { userId: "${id}" }) { user { attributes { plan risk } } } }`, root.cookie)
    expect(shown).toEqual({ data: { adminUsersShow: { user: { attributes: { plan: "pro", risk: 3 } } } } })
    const users = "{ viewer { users(last: 2) { edges { node { email attributes { plan risk } } } } } }"
    const { edges } = (await graphql(users, root.cookie)).data.viewer.users
    expect(edges.map(({ node }: { readonly node: object }) => node)).toEqual(
      expect.arrayContaining([
        { email: "ada@example.com", attributes: { plan: "pro", risk: 3 } },
        { email: "root@example.com", attributes: { plan: null, risk: null } },
      ]),
    )
    const hidden = await graphql("{ viewer { user { attributes { risk } } } }", ada.cookie)
    expect(JSON.stringify(hidden)).toContain("Cannot query field")
    const foreign = await graphql('mutation { updateUser(input: { attributes: { plan: "pro" } }) { user { id } } }', ada.cookie)
    expect(JSON.stringify(foreign)).toContain("errors")
  })

  it("lists users by an indexed attribute over REST and GraphQL, once its index has them", async () => {
    let now = Date.now()
    const { post, get, graphql } = started({
      ...withAttributes,
      users: { attributes: { ...declared, plan: { ...declared.plan, indexed: true } } },
      clock: { now: () => now },
    })
    const root = await post("/sign-up/email", { email: "root@example.com", password })
    const ada = await post("/admin/users/create", { email: "ada@example.com", attributes: { plan: "pro" } }, root.cookie)
    const list = (attribute: string, value: string) => get(`/admin/users/list?attribute=${attribute}&value=${value}`, root.cookie)
    const query = `{ adminUsersList(input: { attribute: "plan", value: "pro" }) { users { id } } }`
    expect((await list("size", "1")).error).toMatchObject({ code: "invalid_request", message: "attribute: Expected an indexed attribute" })
    expect((await list("plan", "pro")).error.code).toBe("index_building")
    expect(JSON.stringify(await graphql(query, root.cookie))).toContain("index_building")
    while ("error" in (await list("plan", "pro"))) {
      now += 1000
      await setTimeout(20)
    }
    expect((await list("plan", "pro")).users.map(({ id }: { id: string }) => id)).toEqual([ada.body.user.id])
    expect((await list("plan", "free")).users).toEqual([])
    expect(await graphql(query, root.cookie)).toEqual({ data: { adminUsersList: { users: [{ id: ada.body.user.id }] } } })
  })

  it("takes and shows those of organizations over REST and GraphQL, and describes them", async () => {
    const organizations = {
      attributes: {
        tier: { schema: { enum: ["small", "large"] } },
        home_page: { schema: { type: "string", maxLength: 40 }, write: "user" },
        risk: { schema: { type: "integer" }, read: "admin" },
      },
    } as const
    const configuration = { ...base, organizations } as const satisfies SallyportConfiguration
    const { post, get, graphql } = started(configuration)
    const root = await post("/sign-up/email", { email: "root@example.com", password })
    const ada = await post("/sign-up/email", { email: "ada@example.com", password })
    const { organization } = (await post("/organization/create", { name: "Acme", slug: "acme" }, ada.cookie)).body
    const { id: organization_id } = organization
    expect(organization.attributes).toEqual({})
    const changes = { attributes: { tier: "large", risk: 1 } }
    const administered = await post("/admin/organizations/update", { organization_id, changes }, root.cookie)
    expect(administered.body.organization.attributes).toEqual({ tier: "large", risk: 1 })
    const own = await post("/organization/update", { organization_id, attributes: { home_page: "/acme" } }, ada.cookie)
    expect(own.body.organization.attributes).toEqual({ tier: "large", home_page: "/acme" })
    expect((await get(`/admin/organizations/show?organization_id=${organization_id}`, root.cookie)).organization.attributes).toEqual({
      tier: "large",
      home_page: "/acme",
      risk: 1,
    })
    const { organizations: listed } = await get("/organization/list", ada.cookie)
    expect(listed[0]).toMatchObject({ role: "owner", attributes: { tier: "large", home_page: "/acme" } })
    const viewer = await graphql(
      "{ viewer { organizations(first: 1) { edges { node { id attributes { tier homePage } } } } } }",
      ada.cookie,
    )
    expect(viewer).toEqual({
      data: { viewer: { organizations: { edges: [{ node: { id: organization_id, attributes: { tier: "large", homePage: "/acme" } } }] } } },
    })
    const update = `mutation { adminOrganizationsUpdate(input: { organizationId: "${organization_id}", changes: { attributes: { tier: null } } }) {
      organization { attributes { tier risk } } } }`
    expect(await graphql(update, root.cookie)).toEqual({
      data: { adminOrganizationsUpdate: { organization: { attributes: { tier: null, risk: 1 } } } },
    })
    const { openapi, types } = await described(configuration)
    const { Organization, ListedOrganization, AdministeredOrganization, OrganizationAttributes, OrganizationAttributeChanges } =
      openapi.components.schemas
    expect(Organization.properties.attributes).toEqual({ $ref: "#/components/schemas/OrganizationAttributes" })
    expect(ListedOrganization.properties.attributes).toEqual({ $ref: "#/components/schemas/OrganizationAttributes" })
    expect(Object.keys(OrganizationAttributes.properties)).toEqual(["tier", "home_page"])
    expect(Object.keys(OrganizationAttributeChanges.properties)).toEqual(["home_page"])
    expect(AdministeredOrganization.properties.attributes).toEqual({ $ref: "#/components/schemas/AdministeredOrganizationAttributes" })
    expect(types).toMatch(/export type OrganizationAttributes = \{\nreadonly tier\?: "small" \| "large"/)
  })

  it("takes and shows those of members over REST and GraphQL, and describes them", async () => {
    const members = {
      attributes: {
        cost_centre: { schema: { type: "integer" } },
        title: { schema: { type: "string", maxLength: 40 }, write: "user" },
        salary: { schema: { type: "integer" }, read: "admin" },
      },
    } as const
    const configuration = { ...base, members } as const satisfies SallyportConfiguration
    const { post, get, graphql } = started(configuration)
    const root = await post("/sign-up/email", { email: "root@example.com", password })
    const ada = await post("/sign-up/email", { email: "ada@example.com", password })
    const { id: organization_id } = (await post("/organization/create", { name: "Acme", slug: "acme" }, ada.cookie)).body.organization
    const one = { organization_id, user_id: ada.body.user.id }
    const changes = { attributes: { cost_centre: 7, salary: 1 } }
    const administered = await post("/admin/organizations/update-member", { ...one, changes }, root.cookie)
    expect(administered.body.member).toMatchObject({ role: "owner", attributes: { cost_centre: 7, salary: 1 } })
    const own = await post("/organization/update-member", { ...one, attributes: { title: "Founder" } }, ada.cookie)
    expect(own.body.member.attributes).toEqual({ cost_centre: 7, title: "Founder" })
    expect((await post("/organization/update-member", { ...one, attributes: { salary: 2 } }, ada.cookie)).body.error).toMatchObject({
      code: "invalid_request",
      message: "attributes.salary: Unexpected key",
    })
    const listed = await get(`/organization/list-members?organization_id=${organization_id}`, ada.cookie)
    expect(listed.members).toEqual([
      { user_id: one.user_id, role: "owner", email: "ada@example.com", attributes: { cost_centre: 7, title: "Founder" } },
    ])
    await post("/organization/create-team", { organization_id, name: "Engines" }, ada.cookie)
    const { teams } = await get(`/organization/list-teams?organization_id=${organization_id}`, ada.cookie)
    await post("/organization/add-team-member", { team_id: teams[0].id, user_id: one.user_id }, ada.cookie)
    const nodes = "edges { node { user { email } attributes { costCentre title } } }"
    const viewer = await graphql(
      `{ viewer { organizations(first: 1) { edges { node { members(first: 1) { ${nodes} } teams(first: 1) { edges { node { members(first: 1) { ${nodes} } } } } } } } } }`,
      ada.cookie,
    )
    const shown = { edges: [{ node: { user: { email: "ada@example.com" }, attributes: { costCentre: 7, title: "Founder" } } }] }
    expect(viewer).toEqual({
      data: { viewer: { organizations: { edges: [{ node: { members: shown, teams: { edges: [{ node: { members: shown } }] } } }] } } },
    })
    const { openapi, types } = await described(configuration)
    const { Member, ListedMember, AdministeredMember, MemberAttributes, MemberAttributeChanges } = openapi.components.schemas
    for (const { properties } of [Member, ListedMember])
      expect(properties.attributes).toEqual({ $ref: "#/components/schemas/MemberAttributes" })
    expect(AdministeredMember.properties.attributes).toEqual({ $ref: "#/components/schemas/AdministeredMemberAttributes" })
    expect(Object.keys(MemberAttributes.properties)).toEqual(["cost_centre", "title"])
    expect(Object.keys(MemberAttributeChanges.properties)).toEqual(["title"])
    expect(types).toMatch(/export type MemberAttributes = \{\nreadonly cost_centre\?: number/)
    expect(JSON.stringify(openapi)).toContain("organization.member_updated")
  })

  const described = (configuration: SallyportConfiguration) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const complete = yield* completed({ ...configuration })
        const { auth } = yield* assemble(complete)
        const schema = yield* schemaOf(auth, complete)
        return {
          openapi: JSON.parse(JSON.stringify(yield* documentOf(auth, complete))),
          graphql: printed(schema),
          types: yield* clientTypesOf(auth, complete),
        }
      }),
    )

  it("describes them in OpenAPI, in the schema of GraphQL and in the types of clients", async () => {
    const { openapi, graphql, types } = await described(withAttributes)
    const { User, AdministeredUser, UserAttributes, AdministeredAttributes, UserAttributeChanges, SignUpAttributes } =
      openapi.components.schemas
    expect(User.properties.attributes).toEqual({ $ref: "#/components/schemas/UserAttributes" })
    expect(AdministeredUser.properties.attributes).toEqual({ $ref: "#/components/schemas/AdministeredAttributes" })
    expect(UserAttributes.properties).toEqual({
      plan: { type: "string", enum: ["free", "pro"], description: "Plan" },
      nickname: { type: "string", maxLength: 40 },
      tags: { type: "array", maxItems: 3, items: { type: "string", maxLength: 10 } },
      size: { type: "number", minimum: 0 },
    })
    expect(Object.keys(AdministeredAttributes.properties)).toEqual(Object.keys(declared))
    expect(Object.keys(UserAttributeChanges.properties)).toEqual(["nickname", "tags"])
    expect(UserAttributeChanges.properties.nickname).toEqual({ type: ["string", "null"], maxLength: 40 })
    expect(Object.keys(SignUpAttributes.properties)).toEqual(["nickname"])
    const typed = (name: string) =>
      new RegExp(`^(?:type|input) ${name} \\{\\n([^}]*)\\}`, "m")
        .exec(graphql)?.[1]
        ?.split(/\s*\n\s*/)
        .filter((line) => /^\w/.test(line.trim()))
        .map((line) => line.trim())
    expect(typed("UserAttributes")).toEqual(["nickname: String", "plan: String", "size: Float", "tags: [String!]"])
    expect(typed("AdministeredAttributes")).toContain("homeTown: String")
    expect(typed("UserAttributeChangesInput")).toEqual(["nickname: String", "tags: [String!]"])
    expect(types).toMatch(
      /export type UserAttributes = \{\n\/\*\* Plan \*\/\nreadonly plan\?: "free" \| "pro"\nreadonly nickname\?: string/,
    )
  })

  it("has without attributes the documents of before", async () => {
    expect(await described({ ...base, users: { attributes: {} }, organizations: { attributes: {} }, members: { attributes: {} } })).toEqual(
      await described(base),
    )
    expect(JSON.stringify(await described(base))).not.toMatch(/[^A-Za-z_]attributes[^A-Za-z]/)
  })

  it("does not start with faults in them", async () => {
    const faulty = {
      ...base,
      users: {
        attributes: {
          email: { schema: { type: "string", maxLength: 9 }, claims: "email" },
          a_1: { schema: {} },
          a1: { schema: { const: 1 } },
          B: { schema: { const: 1 } },
        },
      },
      members: { attributes: { title: { schema: {} }, salary: { schema: { const: 1 }, read: "admin", write: "user" } } },
    } as SallyportConfiguration
    const { ready, close } = sallyport(faulty)
    closers.push(close)
    const fault = await ready().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(fault).toBeInstanceOf(ConfigurationFault)
    for (const path of ["email.claims", "a_1.schema.type", "a1", "B"]) expect(String(fault)).toContain(`users.attributes.${path}: found `)
    for (const path of ["title.schema.type", "salary.write"]) expect(String(fault)).toContain(`members.attributes.${path}: found `)
  })

  it.each(["organizations", "members"])("does not start with attributes of %s without organizations", async (section) => {
    const { organization: _, ...modules } = base.modules
    const attributes = { title: { schema: { const: 1 } } }
    const { ready, close } = sallyport({ ...base, modules, [section]: { attributes } } as SallyportConfiguration)
    closers.push(close)
    await expect(ready()).rejects.toThrow(`${section}.attributes: found `)
  })
})
