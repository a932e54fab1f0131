import { Banned } from "../../../domain/errors.ts"
import * as Module from "../../service/module.ts"
import { AdminSettings, administratorsOnly, findings, isAdministrator } from "./administrators.ts"
import { endpoints } from "./endpoints.ts"
import { AdminMetadatas, refuseBanned } from "./users.ts"

/** Administrators, who manage users and keep some of them out. */
export const admin = Module.define({
  name: "admin",
  settings: AdminSettings,
  parts: (settings) => ({
    tables: [AdminMetadatas],
    endpoints: endpoints(administratorsOnly(settings)),
    gates: [refuseBanned],
    gateErrors: [Banned],
    confirmedAddresses: settings.admin_emails,
    findings: (core) => findings(settings, core),
    isAdministrator: isAdministrator(settings),
  }),
})
