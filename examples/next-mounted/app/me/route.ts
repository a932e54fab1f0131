import { requireSession } from "sallyport/backend/next"
import { auth } from "../../lib/auth"

export const GET = requireSession(auth)((_, { auth }) => Response.json(auth.user))
