import { getConnInfo } from "@hono/node-server/conninfo"
import { Hono } from "hono"
import { sallyport } from "sallyport"
import config from "./sallyport.config.ts"

export const auth = sallyport(config)

/** The endpoints and pages of the service. */
export const authRoutes = new Hono()
for (const path of ["/api/auth/*", "/auth/*"])
  authRoutes.all(path, (context) => auth.fetch(context.req.raw, { address: getConnInfo(context).remote.address ?? null }))
