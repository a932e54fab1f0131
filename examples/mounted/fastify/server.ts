import { fastify } from "fastify"
import { requireSession } from "sallyport/backend/fastify"
import { auth, authRoutes } from "./auth.ts"

const app = fastify()
app.register(authRoutes)

app.get("/", async (request, reply) => {
  const verdict = await auth.getSession(request, { address: request.ip, extend: false })
  if (verdict.status === "unavailable") return reply.code(503).send()
  reply.type("text/html")
  if (verdict.status === "anonymous") return `<a href="/auth/sign-in">Sign in</a>`
  return `<a href="/auth/account">Account</a><form method="post" action="/sign-out"><button>Sign out</button></form>`
})

app.get("/me", { preHandler: requireSession(auth) }, async (request) => request.auth?.user)

app.addContentTypeParser("application/x-www-form-urlencoded", (_request, _body, done) => done(null))
app.post("/sign-out", async (request, reply) => {
  const { headers } = await auth.call.signOut({ headers: request.headers })
  return reply.header("set-cookie", headers.getSetCookie()).redirect("/", 303)
})

await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: process.env["HOST"] ?? "0.0.0.0" })
