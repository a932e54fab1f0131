import { api, fast, get, graphql, type Operation, post } from "../operation.ts"

const threeLevels =
  "{ viewer { organizations(first: 5) { edges { node { id name role members(first: 20) { edges { node { role user { id email name } } } } } } } } }"

export const organizations: ReadonlyArray<Operation> = [
  {
    name: "get-full",
    title: "GET /organization/get-full, 10 members",
    modules: ["organization"],
    connections: fast,
    requests: async ({ members }) =>
      (await members()).map(({ user, organization }) => get(`/organization/get-full?organization_id=${organization}`, user.cookie)),
    expects: '"members":[{',
    isRepeatable: true,
  },
  {
    name: "has-permission",
    title: "POST /organization/has-permission",
    modules: ["organization"],
    connections: fast,
    requests: async ({ members }) =>
      (await members()).map(({ user, organization }) =>
        post(`${api}/organization/has-permission`, { organization_id: organization, permissions: { member: ["create"] } }, user.cookie),
      ),
    expects: '"allowed":',
    isRepeatable: true,
  },
  {
    name: "graphql-graph",
    title: "GraphQL viewer, organizations, members, users",
    modules: ["organization"],
    connections: fast,
    requests: async ({ members }) => (await members()).map(({ user }) => graphql(threeLevels, user.cookie)),
    expects: '"user":{"id":"',
    isRepeatable: true,
  },
]
