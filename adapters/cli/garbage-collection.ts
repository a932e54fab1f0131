import { setFlagsFromString } from "node:v8"

/**
 * Disables V8's allocation-site pretenuring, which allocates objects directly in the old generation if earlier objects of the same site
 * lived long. With it, the nodes of parsed documents and everything that they reference stay in memory longer: the pauses of garbage
 * collection grew from 2 ms to 50 ms while a client sent distinct GraphQL documents (`npm run bench:bystander`).
 */
export const keepPausesShort = (): void => setFlagsFromString("--no-allocation-site-pretenuring")
