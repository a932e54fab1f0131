import type { PgConnection, Row } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { clockDifference } from "../../clock-difference.ts"
import type { Danger, Facts, MissingRight, Replication } from "../../kinds/facts.ts"
import { withConnection } from "../migrations.ts"

/** What the server says about itself, as far as the role may read it. */
export const facts = (tables: ReadonlyArray<AnyTable>) =>
  withConnection((connection, { schema }) =>
    Effect.gen(function* () {
      const query = (text: string, values: ReadonlyArray<unknown> = []) => Effect.map(connection.query(text, values), ({ rows }) => rows)
      const clockAhead = yield* clockDifference(timeOf(connection))
      const [server = {}] = yield* query(serverSql, [schema ?? null])
      const isVisible = server["visible"] === true
      const names = tables.map(({ name }) => name)
      const [transaction] = isVisible ? yield* query(transactionSql) : []
      const sizes = yield* query(tablesSql, [server["schema"], names])
      const role = String(server["role"])
      return {
        role,
        clockAhead,
        isPlain: server["encrypted"] !== true && server["local"] !== true,
        connections: { limit: limitOf(server), others: Number(server["others"]) },
        dangers: dangersOf(server),
        ...(transaction === undefined ? {} : { transaction: transactionOf(transaction) }),
        tables: sizes.map((row) => ({
          name: String(row["name"]),
          rows: Number(row["rows"]),
          dead: Number(row["dead"]),
          isVacuumed: row["vacuumed"] === true,
        })),
        ...(isVisible ? { replication: replicationOf(server, yield* query(standbysSql), yield* query(slotsSql)) } : {}),
        ...(isVisible ? {} : { grant: `GRANT pg_read_all_stats TO ${server["quoted"]}` }),
        migration: (yield* query(migrationSql, [server["schema"], names])).map(migrationRight),
        next: (yield* query(nextSql, [server["schema"], names])).map(nextRight),
      } satisfies Facts
    }),
  )

/** The server's clock, in milliseconds since 1970. */
export const timeOf = (connection: PgConnection) =>
  Effect.map(connection.query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time", []), ({ rows }) =>
    Number(rows[0]?.["time"]),
  )

/** -1 is no limit. */
const limitOf = (server: Row) =>
  Math.min(...[server["limit"], server["of_role"], server["of_database"]].map(Number).filter((limit) => limit >= 0))

const settings: ReadonlyArray<Danger & { readonly safe: ReadonlyArray<string> }> = [
  {
    setting: "fsync",
    safe: ["on"],
    effect: "a crash of the machine can destroy the database",
    isFatal: true,
    remedy: "ALTER SYSTEM SET fsync = on, and reload",
  },
  {
    setting: "full_page_writes",
    safe: ["on"],
    effect: "a crash of the machine can destroy pages, unless the file system writes them atomically",
    isFatal: true,
    remedy: "ALTER SYSTEM SET full_page_writes = on, and reload",
  },
  {
    setting: "synchronous_commit",
    safe: ["on", "remote_apply", "remote_write", "local"],
    effect: "a crash can lose commits that were answered, so that a code or a token is valid twice",
    isFatal: true,
    remedy: "ALTER SYSTEM SET synchronous_commit = on, reload, and check ALTER ROLE … SET",
  },
  {
    setting: "autovacuum",
    safe: ["on"],
    effect: "dead rows stay for ever, and the server stops when transaction ids run out",
    isFatal: true,
    remedy: "ALTER SYSTEM SET autovacuum = on, and reload",
  },
]

/** `local` and `remote_write` do not wait for the disk of a standby, which is a danger only where one is to be waited for. */
const dangersOf = (server: Row): ReadonlyArray<Danger> => {
  const found = settings.filter(({ setting, safe }) => !safe.includes(String(server[setting])))
  const commit = String(server["synchronous_commit"])
  const isShort = server["waits"] === true && (commit === "local" || commit === "remote_write")
  return [
    ...found.map(({ safe: _, ...danger }) => ({ ...danger, setting: `${danger.setting} is ${server[danger.setting]}` })),
    ...(isShort
      ? [
          {
            setting: `synchronous_commit is ${commit}`,
            effect: "a failover can lose commits that were answered",
            isFatal: false,
            remedy: "ALTER SYSTEM SET synchronous_commit = on, and reload",
          },
        ]
      : []),
  ]
}

const transactionOf = (row: Row) => ({
  seconds: Number(row["seconds"]),
  owner: `${row["application"] || "a client"} of ${row["role"]} (process ${row["pid"]})`,
})

const lagging = 64 * 2 ** 20

const replicationOf = (server: Row, standbys: ReadonlyArray<Row>, slots: ReadonlyArray<Row>): Replication => ({
  waits: server["waits"] === true,
  standbys: standbys.map((row) => {
    const behind = Number(row["behind"])
    const standby = { name: String(row["name"]), isSynchronous: row["sync"] === "sync" || row["sync"] === "quorum" }
    if (row["state"] !== "streaming") return { ...standby, fault: `is in the state ${row["state"]}` }
    return behind > lagging ? { ...standby, fault: `is ${Math.round(behind / 2 ** 20)} MB behind` } : standby
  }),
  slots: slots.map((row) => ({
    name: String(row["name"]),
    isRead: row["active"] === true,
    heldBytes: Number(row["held"]),
    isLost: row["status"] === "lost" || row["status"] === "unreserved",
  })),
})

const migrationRight = ({ kind, name, role, owner, schema }: Row): MissingRight =>
  kind === "create"
    ? { text: `${role} may not create tables in the schema ${schema}`, grant: `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role}` }
    : { text: `${role} does not own ${name}, and cannot change it`, grant: `GRANT ${owner} TO ${role}` }

const nextRight = ({ owner, role, rights, schema }: Row): MissingRight => ({
  text: `${role} would lack ${rights} on the tables of the next version`,
  grant: `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema} GRANT ${rights} ON TABLES TO ${role}`,
})

const serverSql = `
SELECT coalesce($1::text, current_schema()::text) AS schema, current_user::text AS role, quote_ident(current_user) AS quoted, pg_has_role('pg_read_all_stats', 'USAGE') AS visible,
  current_setting('max_connections')::int - CASE WHEN r.rolsuper THEN 0 ELSE current_setting('superuser_reserved_connections')::int END
    - CASE WHEN r.rolsuper THEN 0 ELSE coalesce(current_setting('reserved_connections', true), '0')::int END AS "limit",
  r.rolconnlimit AS of_role, d.datconnlimit AS of_database,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND usesysid IS DISTINCT FROM r.oid)::int AS others,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes, current_setting('autovacuum') AS autovacuum,
  current_setting('synchronous_commit') AS synchronous_commit, current_setting('synchronous_standby_names') <> '' AS waits,
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
  coalesce(inet_server_addr() << '127.0.0.0/8' OR inet_server_addr() = '::1', true) AS local
FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`

const transactionSql = `
SELECT extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds, pid, usename::text AS role, application_name AS application
FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND xact_start IS NOT NULL
ORDER BY xact_start LIMIT 1`

const tablesSql = `
SELECT c.relname::text AS name, s.n_live_tup::float8 AS rows, s.n_dead_tup::float8 AS dead,
  NOT EXISTS (SELECT 1 FROM pg_options_to_table(c.reloptions) WHERE option_name = 'autovacuum_enabled' AND NOT option_value::boolean) AS vacuumed
FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
WHERE s.schemaname = $1::text AND c.relname = ANY($2::text[]) ORDER BY c.relname`

/** A running backup is connected as a standby is. */
const standbysSql = `
SELECT application_name AS name, state, sync_state AS sync, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 AS behind
FROM pg_stat_replication r WHERE state <> 'backup' AND application_name NOT IN ('pg_basebackup', 'pg_receivewal')
  AND NOT EXISTS (SELECT 1 FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical') ORDER BY application_name`

const slotsSql = `
SELECT slot_name::text AS name, active, coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 AS held, wal_status AS status
FROM pg_replication_slots ORDER BY slot_name`

const migrationSql = `
SELECT 'create' AS kind, NULL AS name, quote_ident(current_user) AS role, NULL AS owner, quote_ident($1::text) AS schema FROM pg_namespace
WHERE nspname = $1::text AND NOT (has_schema_privilege(oid, 'CREATE') AND has_schema_privilege(oid, 'USAGE'))
UNION ALL SELECT 'own', string_agg(c.relname, ', ' ORDER BY c.relname), quote_ident(current_user), quote_ident(pg_get_userbyid(c.relowner)), quote_ident($1::text)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') AND c.relname = ANY($2::text[]) AND NOT pg_has_role(c.relowner, 'USAGE')
GROUP BY c.relowner`

/** Default privileges count for the role that creates the tables: the owner of those that exist. */
const nextSql = `
SELECT quote_ident(pg_get_userbyid(o.owner)) AS owner, quote_ident(current_user) AS role, string_agg(r.name, ', ' ORDER BY r.name) AS rights, quote_ident($1::text) AS schema
FROM (SELECT DISTINCT c.relowner AS owner, n.oid AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') AND c.relname = ANY($2::text[]) AND NOT pg_has_role(c.relowner, 'USAGE')) o
  CROSS JOIN unnest(ARRAY['DELETE', 'INSERT', 'SELECT', 'UPDATE']) r (name)
WHERE NOT EXISTS (SELECT 1 FROM pg_default_acl a, aclexplode(a.defaclacl) g
  WHERE a.defaclrole = o.owner AND a.defaclnamespace IN (0, o.schema) AND a.defaclobjtype = 'r' AND g.privilege_type = r.name
    AND CASE WHEN g.grantee = 0 THEN true ELSE pg_has_role(g.grantee, 'USAGE') END)
GROUP BY o.owner`
