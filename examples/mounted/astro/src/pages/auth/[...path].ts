export { ALL } from "../api/auth/[...path]"

export const prerender = false
