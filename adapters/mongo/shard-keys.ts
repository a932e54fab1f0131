import type { AnyTable } from "../../domain/ports/table.ts"

/** The shard key of a table as document paths; undefined if the collection stays on one shard. */
export const shardKeyOf = ({ shardKey, key }: AnyTable): ReadonlyArray<string> | undefined =>
  shardKey?.map((field) => (field === key ? "_id" : field))

/** The commands for `mongosh` that shard the collections of a database. Each needs the indexes that a start creates. */
export const shardCommands = (tables: ReadonlyArray<AnyTable>, database: string): ReadonlyArray<string> =>
  tables.flatMap((table) => {
    const paths = shardKeyOf(table)
    if (paths === undefined) return []
    const keys = paths.map((path) => `${path}: 1`).join(", ")
    return [`sh.shardCollection("${database}.${table.name}", { ${keys} })`]
  })
