import express, { type RequestHandler } from "express"
import { createBackend } from "sallyport/backend"
import { requireSession } from "sallyport/backend/express"
import { createClient } from "sallyport/client"

// An API for members of the active organization. A page of another origin sends it the session's cookie: fetch(…, { credentials: "include" }).

const service = process.env["AUTH_URL"] ?? "http://localhost:3000"
const page = process.env["PAGE_URL"] ?? "http://localhost:3703"
const backend = createBackend({ url: `${service}/api/auth` })
const client = createClient({ baseUrl: service })

/** CORS lets the page read answers, but stops no request of other pages with the user's cookie (CSRF): the second line does. */
const allowPage: RequestHandler = (request, response, next) => {
  const { origin } = request.headers
  if (origin !== undefined && origin !== page) return void response.sendStatus(403)
  response.set({ "access-control-allow-origin": page, "access-control-allow-credentials": "true", vary: "origin" })
  if (request.method !== "OPTIONS") return next()
  response.set({ "access-control-allow-headers": "content-type", "access-control-allow-methods": "PUT, DELETE" }).sendStatus(204)
}

/** Lets members through whose role in their active organization grants these permissions; after `requireSession`. */
const requirePermission =
  (permissions: Readonly<Record<string, ReadonlyArray<string>>>): RequestHandler =>
  async (request, response, next) => {
    const asUser = { headers: { cookie: request.headers.cookie ?? "" } }
    const active = await client.organization.getActive({}, asUser)
    if (active.error) return void response.sendStatus(503)
    const organization_id = active.data.active_organization_id
    if (organization_id === null) return void response.status(403).send("No organization is active.")
    const { data, error } = await client.organization.hasPermission({ organization_id, permissions }, asUser)
    if (error) return void response.sendStatus(503)
    if (!data.allowed) return void response.sendStatus(403)
    response.locals["organization"] = organization_id
    next()
  }

const app = express()
app.use(allowPage)
app.post("/projects", requireSession(backend), requirePermission({ project: ["create"] }), (request, response) => {
  response.status(201).json({ organization: response.locals["organization"], by: request.auth?.user.email })
})
app.listen(Number(process.env["PORT"] ?? 3704))
