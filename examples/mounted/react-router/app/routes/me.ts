import { refusalOf } from "sallyport/backend"
import { auth } from "../auth.server"

export const loader = async ({ request }: { readonly request: Request }) => {
  const verdict = await auth.getSession(request)
  if (verdict.status === "authenticated") return Response.json(verdict.user, { headers: verdict.headers })
  const { status, body } = refusalOf(verdict)
  return Response.json(body, { status })
}
