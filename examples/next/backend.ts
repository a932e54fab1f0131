import { createBackend } from "sallyport/backend"

export const backend = createBackend({ url: `${process.env.AUTH_URL ?? "http://localhost:3000"}/api/auth` })
