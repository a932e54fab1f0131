import type { APIRoute } from "astro"
import { auth } from "../auth"

export const prerender = false
export const POST: APIRoute = async ({ request }) => {
  const { headers } = await auth.call.signOut({ headers: request.headers })
  headers.set("location", "/")
  return new Response(null, { status: 303, headers })
}
