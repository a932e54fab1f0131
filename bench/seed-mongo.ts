import { type Db, type Document, MongoClient } from "mongodb"
import { searchedOf } from "../domain/ports/table.ts"
import { Users } from "../domain/users/tables.ts"
import { storedUser } from "../test/stored-user.ts"
import { codeHashOf, emailOf, idOf, seededPasswordHash, tokenHashOf } from "./seed.ts"

const batch = 5000
const day = 86_400_000

/** Collections of the service have string ids. */
const documentsOf = (db: Db, name: string) => db.collection<Document & { readonly _id: string }>(name)

/** Adds users with accounts and sessions, from one number to another (excluded). */
export const seed = async (url: string, from: number, to: number): Promise<void> => {
  await using client = new MongoClient(url)
  const db = client.db()
  const password_hash = await seededPasswordHash()
  const now = Date.now()
  for (let first = from; first < to; first += batch) {
    const people = Array.from({ length: Math.min(batch, to - first) }, (_, offset) => person(first + offset, now, password_hash))
    await documentsOf(db, "user").insertMany(people.map(({ user }) => user))
    await documentsOf(db, "account").insertMany(people.map(({ account }) => account))
    await documentsOf(db, "session").insertMany(people.map(({ session }) => session))
  }
}

const person = (index: number, now: number, password_hash: string) => {
  const user_id = idOf("user", index)
  const created_at = new Date(now)
  const at = { created_at, updated_at: created_at, revision: 1 }
  const { id: _id, ...user } = storedUser({ id: user_id, email: emailOf(index), name: `Person ${index}` })
  return {
    user: { _id, ...user, ...searchedOf(Users, user), ...at, created_at: new Date(now - index) },
    account: { _id: idOf("account", index), provider_id: "credential", account_id: user_id, user_id, password_hash, ...at },
    session: {
      _id: idOf("session", index),
      user_id,
      token_hash: tokenHashOf(index),
      expires_at: new Date(now + 7 * day),
      ip_address: null,
      user_agent: null,
      authenticated_at: created_at,
      proved_at: created_at,
      multi_factor: false,
      methods: "pwd",
      ...at,
    },
  }
}

/** Makes a code valid for each of these addresses. */
export const putCodes = async (url: string, emails: ReadonlyArray<string>): Promise<void> => {
  await using client = new MongoClient(url)
  const codes = documentsOf(client.db(), "email_code")
  const expires_at = new Date(Date.now() + day)
  await codes.deleteMany({})
  await codes.insertMany(emails.map((email) => ({ _id: email, hash: codeHashOf(email), attempts: 0, expires_at, revision: 1 })))
}
