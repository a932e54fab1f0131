import express from "express"
import { requireSession } from "sallyport/backend/express"
import { auth, authRoutes } from "./auth.ts"

const app = express()
app.use(authRoutes)

app.get("/", async (request, response) => {
  const verdict = await auth.getSession(request, { address: request.ip, extend: false })
  if (verdict.status === "unavailable") response.sendStatus(503)
  else if (verdict.status === "anonymous") response.send(`<a href="/auth/sign-in">Sign in</a>`)
  else response.send(`<a href="/auth/account">Account</a><form method="post" action="/sign-out"><button>Sign out</button></form>`)
})

app.get("/me", requireSession(auth), (request, response) => response.json(request.auth?.user))

app.post("/sign-out", async (request, response) => {
  const { headers } = await auth.call.signOut({ headers: request.headers })
  response.append("set-cookie", headers.getSetCookie()).redirect(303, "/")
})

app.listen(Number(process.env["PORT"] ?? 3000), process.env["HOST"] ?? "0.0.0.0")
