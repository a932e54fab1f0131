import { Banned } from "../../../domain/errors.ts"
import * as Module from "../../service/module.ts"
import { AdminSettings, administratorsOnly, findings, isAdministrator } from "./administrators.ts"
import { endpoints } from "./endpoints.ts"
import { events } from "./events.ts"
import { AdminMetadatas, refuseBanned } from "./users.ts"

/** Administrators, who manage, ban and remove users. */
export const admin = Module.define({
  name: "admin",
  settings: AdminSettings,
  parts: (settings) => ({
    tables: [AdminMetadatas],
    rowEvents: events,
    guard: administratorsOnly(settings),
    endpoints,
    gates: [refuseBanned],
    gateErrors: [Banned],
    confirmedAddresses: settings.admin_emails,
    findings: (core) => findings(settings, core),
    isAdministrator: isAdministrator(settings),
  }),
})
