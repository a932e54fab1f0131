import type { APIRoute } from "astro"
import { auth } from "../../../auth"

export const prerender = false
export const ALL: APIRoute = ({ request, clientAddress }) => auth.fetch(request, { address: clientAddress })
