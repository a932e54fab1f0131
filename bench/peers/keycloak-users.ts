// Keycloak with many users, which are written into its database by SQL, and the calls that its console sends for the list of users.

import type { ChildProcess } from "node:child_process"
import { Client } from "pg"
import type { Database } from "../databases.ts"
import { startKeycloak, tokenOfAdministrator } from "./keycloak.ts"

/** A server with many users, and the pages of its console or the calls that these need. */
export interface Directory {
  readonly name: string
  readonly base: string
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  /** For a number below the number of users. */
  readonly paths: Readonly<Record<string, (index: number) => string>>
}

const fill = async (url: string, count: number): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `INSERT INTO user_entity (id, email, email_constraint, email_verified, enabled, first_name, last_name, realm_id, username, created_timestamp, not_before)
     SELECT gen_random_uuid(), 'person' || i || '@example.com', 'person' || i || '@example.com', true, true, 'Person', i::text,
       (SELECT id FROM realm WHERE name = 'master'), 'person' || i, 1700000000000 + i, 0 FROM generate_series(1, $1::int) i`,
    [count],
  )
  await client.query("ANALYZE")
  await client.end()
}

/** A token of the administrator lives for a minute, so another one is taken in time. */
const tokens = (base: string) => {
  let [token, until] = ["", 0]
  return async () => {
    if (performance.now() > until) {
      token = await tokenOfAdministrator(base)
      until = performance.now() + 30_000
    }
    return { authorization: `Bearer ${token}` }
  }
}

export const openKeycloak = async (
  folder: string,
  { settings: { url = "" } }: Database,
  started: Array<ChildProcess>,
  count: number,
  limit: number,
): Promise<Directory> => {
  const { port } = await startKeycloak(folder, url, started)
  await fill(url, count)
  const base = `http://127.0.0.1:${port}`
  const users = `/admin/realms/master/users?briefRepresentation=true&max=${limit}`
  return {
    name: "keycloak",
    base,
    headers: tokens(base),
    paths: {
      "users, first page": () => `${users}&first=0`,
      "users, next page": () => `${users}&first=${limit}`,
      "users, page 1,000 or the last one": () => `${users}&first=${Math.min(1000 * limit, count) - limit}`,
      "search, found": (index) => `${users}&first=0&search=person${index}@`,
      "search, not found": (index) => `${users}&first=0&search=unknown${index}@`,
    },
  }
}
