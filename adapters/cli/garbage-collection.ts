import { setFlagsFromString } from "node:v8"

/**
 * Stops V8 from allocating objects among the long-lived ones where earlier ones lived long. Once it does so for the nodes of parsed
 * documents, everything they refer to survives as well: the pauses of garbage collection grew from 2 ms to 50 ms while a client sent
 * distinct GraphQL documents (`npm run bench:bystander`).
 */
export const keepPausesShort = (): void => setFlagsFromString("--no-allocation-site-pretenuring")
