import { createFileRoute } from "@tanstack/react-router"
import { getRequestIP } from "@tanstack/react-start/server"
import { auth } from "../../auth"

const handle = ({ request }: { readonly request: Request }) => auth.fetch(request, { address: getRequestIP() ?? null })
export const Route = createFileRoute("/auth/$")({ server: { handlers: { ANY: handle } } })
