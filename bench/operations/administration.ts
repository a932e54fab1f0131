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
      // Up to the @, so that each search finds one user, whatever the number of users is.
      const searches = (await users()).map(({ email }) => encodeURIComponent(email.slice(0, email.indexOf("@") + 1)))
      return searches.map((search, index) => get(`/admin/list-users?limit=20&search=${search}`, sessions[index % sessions.length]!.cookie))
    },
    expects: '"users":[{',
    isRepeatable: true,
  },
]
