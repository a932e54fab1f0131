import type { Db, Document } from "mongodb"
import type { Change } from "../kinds/store.ts"

/** What requests do. */
const requestActions = ["find", "insert", "remove", "update"]
/** What `plan` and every start read. */
const startActions = ["listCollections"]
/** What `migrate` does. */
export const migrationActions = ["createCollection", "createIndex", "dropIndex", "listIndexes"]

/** The user who is logged in, and the rights of the user; undefined if the server asks for no login. */
export const loginOf = async (db: Db): Promise<Login | undefined> => {
  const { authInfo } = await db.command({ connectionStatus: 1, showPrivileges: true })
  const [user] = authInfo["authenticatedUsers"] as ReadonlyArray<Document>
  if (user === undefined) return undefined
  return { name: String(user["user"]), privileges: authInfo["authenticatedUserPrivileges"] as ReadonlyArray<Privilege> }
}

interface Login {
  readonly name: string
  readonly privileges: ReadonlyArray<Privilege>
}

/** Actions on one collection, on all of a database (`collection` is empty), or on all of all databases (both are). */
interface Privilege {
  readonly resource: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean }
  readonly actions: ReadonlyArray<string>
}

/** Which of these actions the user may not do with a collection; with the whole database if it is empty. */
export const missingActions = (login: Login | undefined, db: string, collection: string, actions: ReadonlyArray<string>) => {
  if (login === undefined) return []
  const isFor = ({ resource }: Privilege) =>
    resource.anyResource === true ||
    ((resource.db === "" || resource.db === db) && (resource.collection === "" || resource.collection === collection))
  const held = new Set(login.privileges.filter(isFor).flatMap((privilege) => privilege.actions))
  return actions.filter((action) => !held.has(action))
}

/** The rights without which requests or a start would fail. */
export const missingRights = async (db: Db, collections: ReadonlyArray<string>): Promise<ReadonlyArray<Change>> => {
  const login = await loginOf(db)
  if (login === undefined) return []
  const missing = [["", startActions] as const, ...collections.map((name) => [name, [...requestActions, "listIndexes"]] as const)].flatMap(
    ([collection, actions]) => {
      const lacking = missingActions(login, db.databaseName, collection, actions)
      return lacking.length === 0 ? [] : [{ collection, lacking }]
    },
  )
  return missing.map(({ collection, lacking }) => ({
    statement: granted(db.databaseName, collection, lacking),
    refusal: `The user ${login.name} lacks rights on ${collection === "" ? `the database ${db.databaseName}` : `collection ${collection}`}`,
  }))
}

/** For a role of the user: MongoDB gives rights to roles only. */
export const granted = (db: string, collection: string, actions: ReadonlyArray<string>) =>
  `db.grantPrivilegesToRole("sallyport_app", [${JSON.stringify({ resource: { db, collection }, actions })}])`
