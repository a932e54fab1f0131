import createClient from "openapi-fetch"
import type { components, paths } from "./types.d.ts"

const [baseUrl = "", token, count] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })

const users: Array<components["schemas"]["AdministeredUser"]> = []
let cursor: string | undefined
do {
  const { data, error } = await client.GET("/admin/users/list", { params: { query: { limit: 500, ...(cursor && { cursor }) } } })
  if (error !== undefined) throw new Error(error.error.code)
  users.push(...data.users)
  cursor = data.next_cursor ?? undefined
} while (cursor !== undefined)

const isListed = (teams: ReadonlyArray<number> | undefined, plan: "free" | "pro" | undefined) =>
  teams?.length === 2 && plan === (teams[0]! % 2 === 1 ? "free" : "pro")
const listed = users.filter(({ attributes }) => isListed(attributes?.teams, attributes?.plan))
if (listed.length !== Number(count)) throw new Error(`${listed.length} of ${count} users have their attributes`)
if (new Set(users.map(({ id }) => id)).size !== users.length) throw new Error("a user was listed twice")

// @ts-expect-error: no schema of an attribute has this value
const unknownPlan = () => client.POST("/admin/users/create", { body: { attributes: { plan: "gold" } } })
// @ts-expect-error: the items are numbers
const namedTeams = () => client.POST("/admin/users/create", { body: { attributes: { teams: ["red"] } } })
void [unknownPlan, namedTeams]
