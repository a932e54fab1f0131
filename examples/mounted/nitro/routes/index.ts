import { defineHandler, getRequestIP, html } from "nitro/h3"
import { auth } from "../auth"

export default defineHandler(async (event) => {
  const verdict = await auth.getSession(event.req, { address: getRequestIP(event) ?? null, extend: false })
  if (verdict.status === "unavailable") return new Response(null, { status: 503 })
  if (verdict.status === "anonymous") return html(`<a href="/auth/sign-in">Sign in</a>`)
  return html(`<a href="/auth/account">Account</a><form method="post" action="/sign-out"><button>Sign out</button></form>`)
})
