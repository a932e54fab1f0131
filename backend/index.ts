export type { Backend, BackendOptions, Incoming, SessionQuery, SessionVerdict } from "./backend.ts"
export { createBackend, refusalOf } from "./backend.ts"
