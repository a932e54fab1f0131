export type { Asked, Backend, BackendOptions, Incoming, SessionVerdict } from "./backend.ts"
export { createBackend, refusalOf } from "./backend.ts"
