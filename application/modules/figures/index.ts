import * as Module from "../../service/module.ts"
import { makeActive } from "./active.ts"
import { countingWrites } from "./counting.ts"
import { figures as endpoint } from "./endpoint.ts"
import { ActiveDays, Figures, name, Starts } from "./tables.ts"

/** Counts what the audit log records by hour and day, and how many users are active. */
export const figures = Module.define({
  name,
  settings: Module.NoSettings,
  faults: (_, { modules = {} }) => ("audit" in modules ? [] : [{ path: [], wanted: "modules.audit as well, whose records are counted" }]),
  parts: () => {
    const { note, mergeWaiting } = makeActive()
    return {
      tables: [Figures, ActiveDays, Starts],
      endpoints: [endpoint()],
      sealed: countingWrites,
      accepted: note,
      background: [{ every: 60_000, run: mergeWaiting }],
    }
  },
})
