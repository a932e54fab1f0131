import { defineHandler } from "nitro/h3"
import { auth } from "../auth"

export default defineHandler(async (event) => {
  const { headers } = await auth.call.signOut({ headers: event.req.headers })
  headers.set("location", "/")
  return new Response(null, { status: 303, headers })
})
