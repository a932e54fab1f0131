import { serverFiles, type Write } from "./server.ts"

const mounted = (config: string) => `import { getConnInfo } from "@hono/node-server/conninfo"
import { Hono } from "hono"
import { sallyport } from "sallyport"
import config from "${config}"

export const auth = sallyport(config)

/** The endpoints and pages of the service. */
export const authRoutes = new Hono()
for (const path of ["/api/auth/*", "/auth/*"])
  authRoutes.all(path, (context) => auth.fetch(context.req.raw, { address: getConnInfo(context).remote.address ?? null }))
`

export const hono: Write = serverFiles(mounted, {
  mount: `import { authRoutes } from "./auth"; app.route("/", authRoutes)`,
  guard: `import { requireSession } from "sallyport/backend/hono"; app.get("/me", requireSession(auth), …)`,
})
