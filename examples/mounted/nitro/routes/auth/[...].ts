export { default } from "../api/auth/[...]"
