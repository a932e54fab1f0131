import type { AnyTable } from "../../../domain/ports/table.ts"
import { firstIdAt, millisOf } from "../../../domain/storage/new-id.ts"
import { indexName, qualified, quote } from "../columns.ts"

// A table that is partitioned has a partition for each month, made ahead, and one for all other rows, so that every row can be stored.

/** The partition of the rows that have no month. */
export const otherOf = ({ name }: AnyTable) => `${name}_other`

/** A partition in the database. */
export interface Partition {
  readonly name: string
  /** The ids of its rows, as the catalog writes it. */
  readonly bound: string
}

/** A month of the calendar, UTC. */
export interface Month {
  readonly name: string
  /** The lowest id of the month, and that of the next one. */
  readonly from: string
  readonly to: string
}

const aDay = 86_400_000

/** The months for which a partition is made now. None begins within a day: nothing is added to it until the partition is made. */
export const monthsAhead = (table: AnyTable, now: Date): ReadonlyArray<Month> =>
  [1, 2].flatMap((months) => {
    const [start, end] = [months, months + 1].map((each) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + each)) as [number, number]
    if (start - now.getTime() < aDay) return []
    const name = `${table.name}_${new Date(start).toISOString().slice(0, 7).replace("-", "_")}`
    return [{ name, from: firstIdAt(start), to: firstIdAt(end) }]
  })

/** The range of a partition's ids; undefined for one without an end. */
export const rangeOf = ({ bound }: Partition): Pick<Month, "from" | "to"> | undefined => {
  const [, from, to] = bound.match(/^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/) ?? []
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** Whether no row can be added any more, also by a process whose clock is slow. */
export const isClosed = (partition: Partition, now: Date) => {
  const range = rangeOf(partition)
  return range !== undefined && millisOf(range.to) + aDay <= now.getTime()
}

/** Ids at equal distances in a range. */
export const spread = ({ from, to }: Pick<Month, "from" | "to">, count: number) => {
  const [start, end] = [millisOf(from), millisOf(to)]
  return Array.from({ length: count }, (_, at) => firstIdAt(Math.floor(start + ((end - start) * at) / count)))
}

/** The name of the constraint by which PostgreSQL knows, without reading them, that the other rows are not of this partition. */
export const freeOf = (partition: string) => `${partition}__free`

/** The statements that change the partitions of a table. */
export const statements = (table: AnyTable, schema: string | undefined) => {
  const name = qualified(schema, table.name)
  const other = qualified(schema, otherOf(table))
  const [id, expiry] = [quote(table.key), quote(table.expires ?? "")]
  const attached = (partition: string, { from, to }: Pick<Month, "from" | "to">) =>
    `ALTER TABLE ${name} ATTACH PARTITION ${qualified(schema, partition)} FOR VALUES FROM ('${from}') TO ('${to}')`
  const released = (partition: string) => `ALTER TABLE ${other} DROP CONSTRAINT IF EXISTS ${quote(freeOf(partition))}`

  return {
    released,
    /** Keeps further rows of the month out of the other rows. The month is far enough away that none are added before it has a partition. */
    reserved: ({ name, from, to }: Month) => [
      released(name),
      `ALTER TABLE ${other} ADD CONSTRAINT ${quote(freeOf(name))} CHECK (${id} < '${from}' OR ${id} >= '${to}') NOT VALID`,
    ],
    /** Reads the other rows, while they are used. */
    validated: (month: Month) => `ALTER TABLE ${other} VALIDATE CONSTRAINT ${quote(freeOf(month.name))}`,
    added: (month: Month) => [`CREATE TABLE ${qualified(schema, month.name)} (LIKE ${name} INCLUDING ALL)`, attached(month.name, month)],
    /** Fails if a row has been added that has not expired. */
    dropped: (partition: string, now: Date) => {
      const from = qualified(schema, partition)
      const late = `IF EXISTS (SELECT 1 FROM ${from} WHERE ${expiry} > ${until(now)}) THEN RAISE 'a row was added'; END IF`
      return [
        // The table first, as a reader locks them.
        `LOCK TABLE ONLY ${name} IN ACCESS EXCLUSIVE MODE`,
        `LOCK TABLE ${from} IN ACCESS EXCLUSIVE MODE`,
        `DO $sallyport$ BEGIN ${late}; END $sallyport$`,
        `DROP TABLE ${from}`,
        released(partition),
      ]
    },
    /** Replaces a partition by one with the rows that have not expired. */
    rewritten: (partition: string, range: Pick<Month, "from" | "to">, now: Date) => {
      const [old, rest] = [partition, `${partition}_rest`].map((each) => qualified(schema, each))
      const inRange = `CHECK (${id} >= '${range.from}' AND ${id} < '${range.to}')`
      return [
        `LOCK TABLE ${old} IN SHARE MODE`,
        `CREATE TABLE ${rest} (LIKE ${name} INCLUDING ALL, CONSTRAINT "in_range" ${inRange})`,
        // The table and this partition may have their columns in another order.
        `INSERT INTO ${rest} SELECT * FROM ${name} WHERE ${id} >= '${range.from}' AND ${id} < '${range.to}' AND ${expiry} > ${until(now)}`,
        `ALTER TABLE ${name} DETACH PARTITION ${old}`,
        `DROP TABLE ${old}`,
        `ALTER TABLE ${rest} RENAME TO ${quote(partition)}`,
        attached(partition, range),
        `ALTER TABLE ${old} DROP CONSTRAINT "in_range"`,
      ]
    },
  }
}

/** The earlier of two clocks: an instance whose clock is ahead must not drop rows that have not expired. */
const until = (now: Date) => `least('${now.toISOString()}'::timestamptz, now())`

/** Makes a plain table the partition of the other rows of a partitioned one, without touching its rows. */
export const partitioned = (
  table: AnyTable,
  schema: string | undefined,
  indexNames: ReadonlyArray<string>,
  createdIndexes: ReadonlyArray<string>,
) => {
  const [name, other] = [table.name, otherOf(table)].map((each) => qualified(schema, each)) as [string, string]
  const grants = `
    SELECT format('GRANT %s ON %s TO %s', g.privilege_type, '${name.replaceAll("'", "''")}', CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE g.grantee::regrole::text END) AS statement
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) g WHERE c.oid = '${other.replaceAll("'", "''")}'::regclass AND g.grantee <> c.relowner`
  return [
    `ALTER TABLE ${name} RENAME TO ${quote(otherOf(table))}`,
    ...indexNames.map((index, at) => `ALTER INDEX ${qualified(schema, index)} RENAME TO ${quote(`${otherOf(table)}__${at}`)}`),
    `CREATE TABLE ${name} (LIKE ${other} INCLUDING DEFAULTS) PARTITION BY RANGE (${quote(table.key)})`,
    `ALTER TABLE ${name} ADD CONSTRAINT ${quote(indexName(table, [], "pkey"))} PRIMARY KEY (${quote(table.key)})`,
    ...createdIndexes,
    `ALTER TABLE ${name} ATTACH PARTITION ${other} DEFAULT`,
    `DECLARE granted record; BEGIN FOR granted IN ${grants} LOOP EXECUTE granted.statement; END LOOP; END`,
  ].join("; ")
}
