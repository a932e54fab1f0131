import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { type Context, Hono } from "hono"
import { html } from "hono/html"
import { requireSession } from "sallyport/backend/hono"
import { auth, authRoutes } from "./auth.ts"

const app = new Hono()
app.route("/", authRoutes)
const address = (context: Context) => getConnInfo(context).remote.address

app.get("/", async (context) => {
  const verdict = await auth.getSession(context.req.raw, { address: address(context), extend: false })
  if (verdict.status === "unavailable") return context.text("Try again in a minute.", 503)
  if (verdict.status === "anonymous") return context.html(`<a href="/auth/sign-in">Sign in</a>`)
  return context.html(html`<p>Signed in as ${verdict.user.email}</p>
    <form method="post" action="/sign-out"><button>Sign out</button></form>`)
})

app.get("/me", requireSession(auth, { address }), (context) => context.json(context.get("auth").user))

app.post("/sign-out", async (context) => {
  const { headers } = await auth.call.signOut({ headers: context.req.raw.headers })
  headers.set("location", "/")
  return new Response(null, { status: 303, headers })
})

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000), hostname: process.env["HOST"] ?? "0.0.0.0" })
