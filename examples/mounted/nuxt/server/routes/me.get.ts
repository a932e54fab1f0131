import { refusalOf } from "sallyport/backend"
import { auth } from "../utils/auth"

export default defineEventHandler(async (event) => {
  const verdict = await auth.getSession(event, { address: getRequestIP(event) ?? null })
  if (verdict.status === "authenticated") return Response.json(verdict.user, { headers: verdict.headers })
  const { status, body } = refusalOf(verdict)
  return Response.json(body, { status })
})
