export { ALL, prerender } from "../api/auth/[...path]"
