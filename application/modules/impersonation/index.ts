import { Impersonations } from "../../../domain/sessions/impersonation.ts"
import * as Module from "../../service/module.ts"
import { administration } from "./administration.ts"
import { mails } from "./emails.ts"
import { endEvery, endLapsed } from "./ending.ts"
import { events, types } from "./events.ts"
import { faults, ImpersonationSettings } from "./settings.ts"
import { start } from "./start.ts"
import { leavingBySignOut, stop } from "./stop.ts"

/** Administrators in the accounts of users, for a time, on the record. */
export const impersonation = Module.define({
  name: "impersonation",
  events: types,
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: ImpersonationSettings,
  faults,
  parts: (settings) => ({
    tables: [Impersonations],
    rowEvents: events,
    endpoints: [start, stop(settings), ...administration(settings)],
    hooks: [leavingBySignOut],
    background: [{ every: endEvery, run: endLapsed(settings) }],
  }),
})
