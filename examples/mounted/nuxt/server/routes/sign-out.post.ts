import { auth } from "../utils/auth"

export default defineEventHandler(async (event) => {
  const { headers } = await auth.call.signOut({ headers: event.headers })
  headers.set("location", "/")
  return new Response(null, { status: 303, headers })
})
