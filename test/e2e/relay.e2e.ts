import { Environment, type FetchFunction, fetchQuery, Network, RecordSource, Store } from "relay-runtime"
import { beforeAll, expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { type Program, start } from "./program.ts"
import { type UsersQuery, usersQuery } from "./relay-users.ts"

// The list of users in the graph, as the connection handler of relay-runtime joins its pages.

const root = { email: "root@example.com", password: "correct horse battery staple" }
const limit = 12
const pages = 20
const added = 1000

let program: Program
let cookie: string
let made = 0

beforeAll(async () => {
  program = await start({ store: await freshStore(), modules: { admin: { admin_emails: [root.email] } } })
  cookie = (await program.call("/sign-up/email", root)).cookie ?? ""
})

const addUser = async () => {
  const { status, body } = await program.call("/admin/users/create", { email: `user${made++}@example.com` }, { cookie })
  expect(status).toBe(200)
  return body.user?.id ?? ""
}

/** Adds users, eight at a time: a busy service refuses calls when more wait. */
const addUsers = async (count: number) => {
  const ids: Array<string> = []
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: Math.min(8, count - ids.length) }, addUser))))
  return ids
}

/** A client with an empty cache. `received` has the users of all responses: the handler itself shows no user twice. */
const openClient = () => {
  const received: Array<string> = []
  const send: FetchFunction = async ({ text }, variables) => {
    const headers = { "content-type": "application/json", cookie }
    const body = JSON.stringify({ query: text, variables })
    const answer = await (await fetch(`http://localhost:${program.port}/graphql`, { method: "POST", headers, body })).json()
    received.push(...answer.data.viewer.users.edges.map(({ node }: { readonly node: { readonly id: string } }) => node.id))
    return answer
  }
  const environment = new Environment({ network: Network.create(send), store: new Store(new RecordSource()) })
  const read = async (variables: UsersQuery["variables"]) => {
    const users = (await fetchQuery<UsersQuery>(environment, usersQuery, variables).toPromise())?.viewer?.users
    if (!users) throw new Error("the caller sees no users")
    return { ids: users.edges.map(({ node }) => node.id), pageInfo: users.pageInfo }
  }
  return { received, read }
}

type PageInfo = Awaited<ReturnType<ReturnType<typeof openClient>["read"]>>["pageInfo"]

const forward = ({ hasNextPage, endCursor }: PageInfo) => (hasNextPage ? { first: limit, after: endCursor } : undefined)
const backward = ({ hasPreviousPage, startCursor }: PageInfo) => (hasPreviousPage ? { last: limit, before: startCursor } : undefined)

it.each([
  ["forward", { first: limit }, forward],
  ["backward", { last: limit }, backward],
] as const)("relay-runtime pages %s without losing or repeating a user while 1,000 are added", async (_, first, next) => {
  const existing = await addUsers(pages * limit)
  const { received, read } = openClient()
  let list = await read(first)
  for (let left = added, wanted = next(list.pageInfo); wanted !== undefined; wanted = next(list.pageInfo)) {
    const adding = addUsers(Math.min(left, Math.ceil(added / (pages - 1))))
    list = await read(wanted)
    left -= (await adding).length
  }
  expect(new Set(received).size).toBe(received.length)
  expect(list.ids.filter((id) => existing.includes(id)).toSorted()).toEqual(existing.toSorted())
  expect(list.ids.length).toBe(received.length)
})
