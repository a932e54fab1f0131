import express, { type RequestHandler } from "express"
import { createVerifier } from "sallyport/backend/verify-token"

const issuer = `${process.env.AUTH_URL ?? "http://localhost:3000"}/api/auth`
const page = process.env.PAGE_URL ?? "http://localhost:3703"
const verify = createVerifier({ issuer })

/** Lets the page read answers (CORS). Its requests carry no cookies. */
const allowPage: RequestHandler = (request, response, next) => {
  response.set({ "access-control-allow-origin": page, "access-control-allow-headers": "authorization" })
  if (request.method === "OPTIONS") response.sendStatus(204)
  else next()
}

const requireToken: RequestHandler = async (request, response, next) => {
  const [, token = ""] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "") ?? []
  const verdict = await verify(token)
  if (verdict.status === "unavailable") return void response.sendStatus(503)
  if (verdict.status === "invalid") return void response.sendStatus(401)
  response.locals.user = verdict.claims
  next()
}

const app = express()
app.use(allowPage)
app.get("/notes", requireToken, (_, response) => {
  response.json({ notes: `The notes of ${response.locals.user.email}` })
})
app.listen(Number(process.env.PORT ?? 3704))
