import { core, optional } from "../application/modules/index.ts"
import { ownedByAll } from "../application/service/module.ts"

/** What all modules own together. */
export const owned = ownedByAll([...core, ...optional])
