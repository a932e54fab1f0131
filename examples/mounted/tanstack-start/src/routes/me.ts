import { createFileRoute } from "@tanstack/react-router"
import { getRequestIP } from "@tanstack/react-start/server"
import { refusalOf } from "sallyport/backend"
import { auth } from "../auth"

const GET = async ({ request }: { readonly request: Request }) => {
  const verdict = await auth.getSession(request, { address: getRequestIP() ?? null })
  if (verdict.status === "authenticated") return Response.json(verdict.user, { headers: verdict.headers })
  const { status, body } = refusalOf(verdict)
  return Response.json(body, { status })
}
export const Route = createFileRoute("/me")({ server: { handlers: { GET } } })
