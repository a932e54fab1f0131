import type { ConcreteRequest } from "relay-runtime"

// As relay-compiler 21.0.1 compiles it, which is a dependency of 120 MB:
// query usersQuery($first: Int, $after: String, $last: Int, $before: String) {
//   viewer { users(first: $first, after: $after, last: $last, before: $before) @connection(key: "all_users") { edges { node { id } } } }
// }

interface Users {
  readonly edges: ReadonlyArray<{ readonly node: { readonly id: string } }>
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

export interface UsersQuery {
  readonly response: { readonly viewer: { readonly users: Users | null } | null }
  readonly variables: {
    readonly first?: number | null
    readonly after?: string | null
    readonly last?: number | null
    readonly before?: string | null
  }
}

const scalar = (name: string) => ({ alias: null, args: null, kind: "ScalarField", name, storageKey: null }) as const
const linked = <Selections>(name: string, concreteType: string, selections: Selections, plural = false) =>
  ({ alias: null, args: null, concreteType, kind: "LinkedField", name, plural, selections, storageKey: null }) as const

const node = linked("node", "AdministeredUser", [scalar("id"), scalar("__typename")])
const page = ["endCursor", "hasNextPage", "hasPreviousPage", "startCursor"].map(scalar)
const connection = [linked("edges", "AdministeredUserEdge", [node, scalar("cursor")], true), linked("pageInfo", "PageInfo", page)]

const variables = ["after", "before", "first", "last"] as const
const args = variables.map((name) => ({ kind: "Variable", name, variableName: name }) as const)
const declared = (name: string) => ({ defaultValue: null, kind: "LocalArgument", name }) as const
const users = linked("users", "AdministeredUserConnection", connection)

export const usersQuery: ConcreteRequest = {
  fragment: {
    argumentDefinitions: variables.map(declared),
    kind: "Fragment",
    metadata: null,
    name: "usersQuery",
    selections: [linked("viewer", "Viewer", [{ ...users, alias: "users", name: "__all_users_connection" }])],
    type: "Query",
    abstractKey: null,
  },
  kind: "Request",
  operation: {
    argumentDefinitions: ["first", "after", "last", "before"].map(declared),
    kind: "Operation",
    name: "usersQuery",
    selections: [
      linked("viewer", "Viewer", [
        { ...users, args },
        { alias: null, args, filters: null, handle: "connection", key: "all_users", kind: "LinkedHandle", name: "users" },
      ]),
    ],
  },
  params: {
    cacheID: "99116b1de787fec36d8299ebd84911d5",
    id: null,
    metadata: { connection: [{ count: null, cursor: null, direction: "bidirectional", path: ["viewer", "users"] }] },
    name: "usersQuery",
    operationKind: "query",
    text: `query usersQuery(
  $first: Int
  $after: String
  $last: Int
  $before: String
) {
  viewer {
    users(first: $first, after: $after, last: $last, before: $before) {
      edges {
        node {
          id
          __typename
        }
        cursor
      }
      pageInfo {
        endCursor
        hasNextPage
        hasPreviousPage
        startCursor
      }
    }
  }
}
`,
  },
}
