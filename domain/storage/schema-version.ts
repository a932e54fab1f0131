/**
 * The version of the schema that this code declares, and the oldest version whose code works on it. A change that earlier code cannot work
 * with raises both; any other change of a table raises the first. Databases of earlier releases have none, which is 0.
 */
export const schemaVersion = { version: 3, oldest: 0 } as const

/** Why this code must not use a database that later code has migrated; undefined if it may. */
export const refusalOf = (database: { readonly version: number; readonly oldest: number }): string | undefined =>
  schemaVersion.version >= database.oldest
    ? undefined
    : `The database has the schema ${database.version} of a later version, which versions before schema ${database.oldest} cannot use; this one has schema ${schemaVersion.version}: start a later version, or restore a backup`
