export { fallback } from "../../api/auth/[...path]/+server"
