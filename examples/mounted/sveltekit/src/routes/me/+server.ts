import type { RequestHandler } from "@sveltejs/kit"
import { refusalOf } from "sallyport/backend"
import { auth } from "../../lib/server/auth"

export const GET: RequestHandler = async ({ request, getClientAddress }) => {
  const verdict = await auth.getSession(request, { address: getClientAddress() })
  if (verdict.status === "authenticated") return Response.json(verdict.user, { headers: verdict.headers })
  const { status, body } = refusalOf(verdict)
  return Response.json(body, { status })
}
