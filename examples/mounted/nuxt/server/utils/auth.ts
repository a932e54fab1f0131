import { sallyport } from "sallyport"

export const auth = sallyport({ email_password: { enabled: true }, pages: { path: "/auth" } })
