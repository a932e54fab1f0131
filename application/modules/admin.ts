import * as Module from "../Module.ts"
import { AdminSettings, administratorsOnly, findings, isAdministrator } from "./admin/administrators.ts"
import { endpoints } from "./admin/endpoints.ts"
import { AdminMetadatas, refuseBanned } from "./admin/users.ts"

/** Administrators, who manage users and keep some of them out. */
export const admin = Module.define({
  name: "admin",
  settings: AdminSettings,
  parts: (settings) => ({
    tables: [AdminMetadatas],
    endpoints: endpoints(administratorsOnly(settings)),
    gates: [refuseBanned],
    confirmedAddresses: settings.admin_emails,
    findings: (core) => findings(settings, core),
    isAdministrator: isAdministrator(settings),
  }),
})
