// A hand-written GET /get-session on MongoDB: it finds the session and then its user, by plain commands without cursors, all in one session
// of the driver. Requires MONGODB_URL, SALLYPORT_SECRET and PORT.
import { type Document, MongoClient } from "mongodb"
import { isValid, noSession, serve, tokenHashOf, written } from "./session.ts"

const client = await new MongoClient(process.env["MONGODB_URL"] ?? "", { maxPoolSize: 32, enableUtf8Validation: false }).connect()
const db = client.db()
const session = client.startSession({ causalConsistency: false })

const find = async (collection: string, filter: Document): Promise<Document | undefined> => {
  const { cursor } = await db.command({ find: collection, filter, limit: 1, singleBatch: true }, { session })
  return cursor.firstBatch[0]
}

const timeOf = (date: Date) => date.toISOString()

serve(async (cookies) => {
  const token_hash = tokenHashOf(cookies)
  if (token_hash === null) return noSession
  const found = await find("session", { token_hash })
  if (found === undefined) return noSession
  const { _id: id, user_id, expires_at, created_at, updated_at } = found
  const user = await find("user", { _id: user_id })
  if (user === undefined || !isValid(expires_at.getTime(), created_at.getTime(), updated_at.getTime())) return noSession
  const { email, email_verified, name, image } = user
  return written({
    id,
    user_id,
    expires_at: timeOf(expires_at),
    began_at: timeOf(created_at),
    refreshed_at: timeOf(updated_at),
    email,
    email_verified,
    name,
    image,
    created_at: timeOf(user["created_at"]),
    updated_at: timeOf(user["updated_at"]),
  })
})
