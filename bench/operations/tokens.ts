import { api, bearing, clientPost, fast, get, type Operation, post } from "../operation.ts"

export const tokens: ReadonlyArray<Operation> = [
  {
    name: "token",
    title: "GET /token (EdDSA)",
    modules: ["jwt"],
    connections: fast,
    requests: async ({ users }) => (await users()).map(({ cookie }) => get("/token", cookie)),
    expects: '"token":"',
  },
  {
    name: "verify-token",
    title: "POST /token/verify (EdDSA)",
    modules: ["jwt"],
    connections: fast,
    requests: async ({ jwts }) => (await jwts()).map((token) => post(`${api}/token/verify`, { token })),
    expects: '"valid":true',
    isRepeatable: true,
  },
  {
    name: "backend",
    title: "a backend verifies a JWT (EdDSA)",
    modules: ["jwt"],
    connections: fast,
    requests: async ({ jwts }) => (await jwts()).map((token) => bearing("/any", token)),
    expects: '"sub":"',
    isRepeatable: true,
    isOfBackend: true,
  },
  {
    name: "client-credentials",
    title: "POST /oauth2/token, client_credentials",
    modules: ["idp"],
    connections: fast,
    requests: async () => [clientPost("/oauth2/token", { grant_type: "client_credentials" })],
    expects: '"access_token":"',
  },
  {
    name: "userinfo",
    title: "GET /oauth2/userinfo",
    modules: ["idp"],
    connections: fast,
    requests: async ({ tokens }) => (await tokens()).map(({ access_token }) => bearing("/oauth2/userinfo", access_token)),
    expects: '"sub":"',
    isRepeatable: true,
  },
  {
    name: "introspect",
    title: "POST /oauth2/introspect",
    modules: ["idp"],
    connections: fast,
    requests: async ({ tokens }) => (await tokens()).map(({ access_token }) => clientPost("/oauth2/introspect", { token: access_token })),
    expects: '"active":true',
    isRepeatable: true,
  },
  // After those that use access tokens: a client keeps a limited number of them for a user, so refreshes remove the first ones.
  {
    name: "refresh",
    title: "POST /oauth2/token, refresh_token",
    modules: ["idp"],
    connections: fast,
    requests: async ({ tokens }) =>
      (await tokens()).map(({ refresh_token }) => clientPost("/oauth2/token", { grant_type: "refresh_token", refresh_token })),
    expects: '"id_token":"',
  },
]
