import * as Module from "../../service/module.ts"
import { AdminSettings, administratorsOnly, findings, isAdministrator } from "./administrators.ts"
import { endpoints } from "./endpoints.ts"
import * as Errors from "./errors.ts"
import { events, types } from "./events.ts"
import { AdminMetadatas, refuseBanned } from "./users.ts"

/** Administrators, who manage, ban and remove users. */
export const admin = Module.define({
  name: "admin",
  errors: Object.values(Errors),
  events: types,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: AdminSettings,
  parts: (settings) => ({
    tables: [AdminMetadatas],
    rowEvents: events,
    guard: administratorsOnly(settings),
    endpoints,
    gates: [refuseBanned],
    gateErrors: [Errors.Banned],
    confirmedAddresses: settings.admin_emails,
    findings: (core) => findings(settings, core),
    isAdministrator: isAdministrator(settings),
  }),
})
