import { fast, get, type Operation } from "../operation.ts"

export const administration: ReadonlyArray<Operation> = [
  {
    name: "list-users",
    title: "GET /admin/list-users, newest 20",
    modules: ["admin"],
    connections: fast,
    requests: async ({ administrators }) => (await administrators()).map(({ cookie }) => get("/admin/list-users?limit=20", cookie)),
    expects: '"users":[{',
    isRepeatable: true,
  },
  {
    name: "search-users",
    title: "GET /admin/list-users, by the beginning of an address",
    modules: ["admin"],
    connections: fast,
    requests: async ({ administrators, users }) => {
      const sessions = await administrators()
      const searches = (await users()).map(({ email }) => email.slice(0, email.indexOf("@")))
      return searches.map((search, index) => get(`/admin/list-users?limit=20&search=${search}`, sessions[index % sessions.length]!.cookie))
    },
    expects: '"users":[{',
    isRepeatable: true,
  },
]
