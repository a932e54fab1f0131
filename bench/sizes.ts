// Fills PostgreSQL with users, an account and three sessions for each, and audit records (default: a million users and as many records).
// Prints bytes per row, and the pages and the write-ahead log of the hot statements: npx node bench/sizes.ts [users]
// Uses the PostgreSQL of DATABASE_URL, where it creates a database, or starts one.

import { performance } from "node:perf_hooks"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import * as Database from "../adapters/postgres/database.ts"
import { layer } from "../adapters/postgres/postgres-store.ts"
import { list, read, readWithReferenced, readWithReferencing } from "../adapters/postgres/queries.ts"
import * as TableRows from "../adapters/postgres/table-rows.ts"
import { Records } from "../application/modules/audit/tables.ts"
import { Sessions } from "../domain/sessions/tables.ts"
import { Accounts, Users } from "../domain/users/tables.ts"
import { startPostgres } from "../test/postgres-server.ts"

const count = Number(process.argv[2] ?? 1_000_000)
const sessionsPerUser = 3
const batch = 50_000
const tables = [Users, Accounts, Sessions, Records]

// Ids are UUIDs of version 7, and hashes are 32 random bytes in base64url, as those of the service.
const id = (kind: string, index: string) =>
  `lpad(to_hex(1700000000000 + (${index})::bigint), 12, '0') || '-7000-8000-' || substr(md5('${kind}' || (${index})), 1, 12)`
const uuid = (kind: string, index: string) => `overlay(${id(kind, index)} placing '-' from 9 for 0)`
const hash = (kind: string, index: string) =>
  `translate(rtrim(encode(sha256(('${kind}' || (${index}))::bytea), 'base64'), '='), '+/', '-_')`
const agent = "'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'"
const password = `'$argon2id$v=19$m=19456,t=2,p=1$' || substr(${hash("salt", "i")}, 1, 22) || '$' || ${hash("password", "i")}`

const nth = `(${sessionsPerUser}::bigint * i + n)`
// Sessions and records are of users in no order, so the pages of their indexes are as full as those of a database in use.
const someUser = (index: string) => uuid("user", `${index} * 7919::bigint % ${count}`)
const time = (index: string, step: string) => `timestamptz '2026-01-01' + ${index} * interval '${step}'`

/** The columns of a row, by table. `i` is the number of the user, `n` that of the user's session. */
const columnsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  user: {
    id: uuid("user", "i"),
    email: "'person' || i || '@example.com'",
    email_verified: "true",
    name: "'Person ' || i",
    search_name: "'person ' || i",
    search_last: "i::text",
    search_domain: "'example.com'",
    created_at: time("i", "1 second"),
    updated_at: time("i", "1 second"),
  },
  account: {
    id: uuid("account", "i"),
    user_id: uuid("user", "i"),
    provider_id: "'credential'",
    account_id: uuid("user", "i"),
    password_hash: password,
    created_at: time("i", "1 second"),
    updated_at: time("i", "1 second"),
  },
  session: {
    id: uuid("session", nth),
    user_id: someUser(nth),
    token_hash: hash("session", nth),
    ip_address: "'203.0.113.' || i % 256",
    user_agent: agent,
    authenticated_at: time(nth, "0.4 seconds"),
    proved_at: time(nth, "0.4 seconds"),
    multi_factor: "false",
    methods: "'pwd'",
    created_at: time(nth, "0.4 seconds"),
    updated_at: time(nth, "0.4 seconds"),
    expires_at: `${time(nth, "0.4 seconds")} + interval '7 days'`,
  },
  audit_record: {
    id: uuid("record", "i"),
    at: time("i", "1 second"),
    type: "'session.created'",
    outcome: "'success'",
    actor_kind: "'user'",
    actor_id: someUser("i"),
    subject_kind: "'user'",
    subject_id: someUser("i"),
    session_id: uuid("session", "i"),
    ip_address: "'203.0.113.' || i % 256",
    user_agent: agent,
    request_id: uuid("request", "i"),
    count: "1",
    data: "jsonb_build_object('method', 'password')",
    salt: hash("salt", "i"),
    origin_hash: hash("origin", "i"),
    expires_at: `${time("i", "1 second")} + interval '90 days'`,
  },
}

const insertion = (table: string, from: number, to: number, extra = "") => {
  const columns = columnsOf[table] ?? {}
  const sessions = table === "session" ? `CROSS JOIN generate_series(0, ${sessionsPerUser - 1}) n` : ""
  const names = Object.keys(columns).map((name) => `"${name}"`)
  return `INSERT INTO "${table}" (${names}) SELECT ${Object.values(columns)} FROM generate_series(${from}, ${to}) i ${sessions} ${extra}`
}

const server = process.env["DATABASE_URL"] === undefined ? await startPostgres({ fsync: "on", full_page_writes: "on" }) : undefined
const given = new URL(process.env["DATABASE_URL"] ?? server?.url ?? "")
const name = `sallyport_sizes_${process.pid}`

const connected = async <A>(url: URL, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const own = new URL(given)
own.pathname = name
await connected(given, (client) => client.query(`CREATE DATABASE ${name}`))
try {
  await Effect.runPromise(
    Effect.scoped(Layer.build(layer(tables).pipe(Layer.provide(Database.layer(Redacted.make(own.href), { timeout: "60 seconds" }))))),
  )
  await connected(own, measure)
} finally {
  await connected(given, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  server?.stop()
}

async function measure(client: Client) {
  const begun = performance.now()
  for (let from = 0; from < count; from += batch)
    for (const { name } of tables) await client.query(insertion(name, from, Math.min(from + batch, count) - 1))
  await client.query("VACUUM ANALYZE")
  console.log(`filled ${count} users in ${Math.round((performance.now() - begun) / 1000)} s\n`)
  await printSizes(client)
  await printStatements(client)
}

async function printSizes(client: Client) {
  for (const { name } of tables) {
    const { rows } = await client.query(
      `SELECT count(*) AS rows, pg_table_size('"${name}"') AS heap, pg_indexes_size('"${name}"') AS indexes FROM "${name}"`,
    )
    const [{ rows: all, heap, indexes }] = rows
    const each = (bytes: string) => Math.round(Number(bytes) / Number(all))
    console.log(`${name}: ${all} rows, ${each(heap)} bytes of table and ${each(indexes)} bytes of indexes for each`)
    const sizes = await client.query(
      `SELECT indexrelname AS name, pg_relation_size(indexrelid) AS bytes FROM pg_stat_user_indexes WHERE relname = $1 ORDER BY 1`,
      [name],
    )
    for (const { name, bytes } of sizes.rows)
      console.log(`  ${name}: ${Math.round(Number(bytes) / 2 ** 20)} MiB, ${each(bytes)} bytes each`)
  }
  const { rows } = await client.query("SELECT pg_database_size(current_database()) AS bytes")
  console.log(
    `database: ${(Number(rows[0].bytes) / 1e9).toFixed(2)} GB, ${Math.round(Number(rows[0].bytes) / count)} bytes for each user\n`,
  )
}

async function printStatements(client: Client) {
  const [users, accounts, sessions, records] = [Users, Accounts, Sessions, Records].map((table) => TableRows.make(table, undefined)) as [
    TableRows.TableRows,
    TableRows.TableRows,
    TableRows.TableRows,
    TableRows.TableRows,
  ]
  const { rows } = await client.query(
    `SELECT s.id, s.token_hash, s.user_id, u.email FROM session s JOIN "user" u ON u.id = s.user_id WHERE u.email = $1 ORDER BY s.id LIMIT 1`,
    [`person${Math.floor(count / 2)}@example.com`],
  )
  const [{ id, token_hash, user_id, email }] = rows
  const statements: ReadonlyArray<readonly [label: string, text: string, values: ReadonlyArray<unknown>]> = [
    ["read the session and its user by token", readWithReferenced(sessions)({ token_hash }, "user_id", users).text, [token_hash]],
    [
      "read the user and the password by address",
      readWithReferencing(users)({ email }, accounts, "account_id", { provider_id: "credential" }).text,
      [email, "credential"],
    ],
    ["read a user by id", read(users)({ id: user_id }).text, [user_id]],
    [
      "list a user's sessions, newest first",
      list(sessions)({ user_id }, { limit: 100, order: "created_at", descending: true }).text,
      [user_id, 100],
    ],
    [
      "list a user's audit records, newest first",
      list(records)({ subject_id: user_id }, { limit: 100, descending: true }).text,
      [user_id, 100],
    ],
    ["add a session", insertion("session", count, count, "WHERE n = 0"), []],
    ["extend a session", `UPDATE "session" SET updated_at = now(), expires_at = now() + interval '7 days' WHERE id = $1`, [id]],
    ["add an audit record", insertion("audit_record", count, count), []],
    ["remove a session", `DELETE FROM "session" WHERE id = $1`, [id]],
  ]
  for (const [label, text, values] of statements) console.log(`${label}: ${await explained(client, text, values)}`)
}

/** The pages that a statement reads and dirties, its log and its time. Runs twice: the first run also fills the caches of the catalog. */
async function explained(client: Client, text: string, values: ReadonlyArray<unknown>) {
  const run = async () => {
    await client.query("BEGIN")
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, WAL, FORMAT JSON) ${text}`, [...values])
    await client.query("ROLLBACK")
    return rows[0]["QUERY PLAN"][0]
  }
  await run()
  const { Plan: plan, "Execution Time": millis } = await run()
  const pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
  return `${pages} pages, ${plan["Shared Dirtied Blocks"]} dirtied, ${plan["WAL Bytes"]} bytes of log, ${millis} ms`
}
