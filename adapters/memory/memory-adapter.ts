import { Schema } from "effect"
import { developmentOnly } from "../kinds/adapter.ts"
import { storeAdapter } from "../kinds/store.ts"
import { loaded } from "../loaded.ts"

/** Rows in this process. */
export const memory = storeAdapter({
  kind: "memory",
  settings: Schema.Struct({ kind: Schema.Literal("memory") }),
  select: () => ({
    label: "memory: all data is lost when the process ends",
    // A module that is evaluated again during development finds its data.
    ...(process.env["NODE_ENV"] === "development" ? { identity: "memory" } : {}),
    system: "other",
    isShared: false,
    isLasting: false,
    layer: (tables) => loaded(async () => (await import("./memory-store.ts")).layer(tables)),
    stateOf: (settings) => developmentOnly(settings, "in memory, all data is lost when the process ends", "store"),
  }),
})
