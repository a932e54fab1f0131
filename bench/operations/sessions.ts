import { bearing, fast, get, graphql, type Operation } from "../operation.ts"
import { eachOf, signIn } from "../service.ts"

const viewer = "{ viewer { user { id email name } session { id expiresAt } } }"

export const sessions: ReadonlyArray<Operation> = [
  {
    name: "get-session",
    title: "GET /get-session by cookie",
    connections: fast,
    requests: async ({ users }) => (await users()).map(({ cookie }) => get("/get-session", cookie)),
    expects: '"email":',
    isRepeatable: true,
  },
  {
    name: "bearer",
    title: "GET /get-session by bearer",
    modules: ["bearer"],
    connections: fast,
    requests: async ({ users }) => (await users()).map(({ bearer }) => bearing("/get-session", bearer)),
    expects: '"email":',
    isRepeatable: true,
  },
  {
    name: "list-sessions",
    title: "GET /list-sessions, 2 sessions",
    connections: fast,
    requests: async ({ port, fewUsers }) => {
      const users = await fewUsers()
      await eachOf(users, ({ email }) => signIn(port, email))
      return users.map(({ cookie }) => get("/list-sessions", cookie))
    },
    expects: '"sessions":[{',
    isRepeatable: true,
  },
  {
    name: "graphql-viewer",
    title: "GraphQL viewer",
    connections: fast,
    requests: async ({ users }) => (await users()).map(({ cookie }) => graphql(viewer, cookie)),
    expects: '"email":"',
    isRepeatable: true,
  },
]
