import type { RequestHandler } from "@sveltejs/kit"
import { auth } from "../../../../lib/server/auth"

export const fallback: RequestHandler = (event) => auth.fetch(event.request, { address: event.getClientAddress() })
