// A hand-written GET /get-session on MongoDB: one aggregation with the user of the session, as a plain command without a cursor.
// Requires MONGODB_URL, SALLYPORT_SECRET and PORT.
import { MongoClient } from "mongodb"
import { isValid, noSession, serve, tokenHashOf, written } from "./session.ts"

const client = await new MongoClient(process.env["MONGODB_URL"] ?? "", { maxPoolSize: 32, ignoreUndefined: false }).connect()
const db = client.db()
const lookup = { from: "user", localField: "user_id", foreignField: "_id", as: "user" }

interface Stored {
  readonly _id: string
  readonly user_id: string
  readonly expires_at: Date
  readonly created_at: Date
  readonly updated_at: Date
  readonly user: ReadonlyArray<{
    readonly email: string
    readonly email_verified: boolean
    readonly name: string | null
    readonly image: string | null
    readonly created_at: Date
    readonly updated_at: Date
  }>
}

const read = async (token_hash: string): Promise<Stored | undefined> => {
  const pipeline = [{ $match: { token_hash } }, { $limit: 1 }, { $lookup: lookup }]
  const { cursor } = await db.command({ aggregate: "session", pipeline, cursor: {} })
  return cursor.firstBatch[0]
}

serve(async (cookies) => {
  const tokenHash = tokenHashOf(cookies)
  if (tokenHash === null) return noSession
  const session = await read(tokenHash)
  const user = session?.user[0]
  if (session === undefined || user === undefined) return noSession
  const { _id: id, user_id, expires_at, created_at, updated_at } = session
  if (!isValid(expires_at.getTime(), created_at.getTime(), updated_at.getTime())) return noSession
  return written({
    id,
    user_id,
    expires_at: expires_at.toISOString(),
    began_at: created_at.toISOString(),
    refreshed_at: updated_at.toISOString(),
    email: user.email,
    email_verified: user.email_verified,
    name: user.name,
    image: user.image,
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
  })
})
