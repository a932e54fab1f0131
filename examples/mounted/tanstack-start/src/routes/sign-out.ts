import { createFileRoute } from "@tanstack/react-router"
import { auth } from "../auth"

const POST = async ({ request }: { readonly request: Request }) => {
  const { headers } = await auth.call.signOut({ headers: request.headers })
  headers.set("location", "/")
  return new Response(null, { status: 303, headers })
}
export const Route = createFileRoute("/sign-out")({ server: { handlers: { POST } } })
