import { requireSession } from "sallyport/backend/next"
import { backend } from "../../backend"

export const GET = requireSession(backend)((_, { auth }) => Response.json(auth.user))
