import type { APIRoute } from "astro"
import { refusalOf } from "sallyport/backend"
import { auth } from "../auth"

export const prerender = false
export const GET: APIRoute = async ({ request, clientAddress }) => {
  const verdict = await auth.getSession(request, { address: clientAddress })
  if (verdict.status === "authenticated") return Response.json(verdict.user, { headers: verdict.headers })
  const { status, body } = refusalOf(verdict)
  return Response.json(body, { status })
}
