import { defineHandler, getRequestIP } from "nitro/h3"
import { refusalOf } from "sallyport/backend"
import { auth } from "../auth"

export default defineHandler(async (event) => {
  const verdict = await auth.getSession(event.req, { address: getRequestIP(event) ?? null })
  if (verdict.status === "authenticated") return Response.json(verdict.user, { headers: verdict.headers })
  const { status, body } = refusalOf(verdict)
  return Response.json(body, { status })
})
