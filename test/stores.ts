import { layer } from "../application/ports/StoreMemory.ts"
import type { AnyTable } from "../application/Table.ts"
export const storeLayer = (tables: ReadonlyArray<AnyTable>) => layer(tables)
