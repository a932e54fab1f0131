import { Router } from "express"
import { nodeHandler, sallyport } from "sallyport"
import config from "./sallyport.config.ts"

export const auth = sallyport(config)

/** The endpoints and pages of the service. */
export const authRoutes = Router().all([/^\/api\/auth\//, /^\/auth\//], nodeHandler(auth))
