export { keptSecret } from "./adapters/config/kept-secret.ts"
export { defineConfig } from "./adapters/config/load.ts"
