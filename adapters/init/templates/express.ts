import { serverFiles, type Write } from "./server.ts"

const mounted = (config: string) => `import { Router } from "express"
import { nodeHandler, sallyport } from "sallyport"
import config from "${config}"

export const auth = sallyport(config)

/** The endpoints and pages of the service. */
export const authRoutes = Router().all([/^\\/api\\/auth\\//, /^\\/auth\\//], nodeHandler(auth))
`

export const express: Write = serverFiles(mounted, {
  mount: `import { authRoutes } from "./auth"; app.use(authRoutes)`,
  guard: `import { requireSession } from "sallyport/backend/express"; app.get("/me", requireSession(auth), …)`,
})
