import { ServiceAccounts } from "../../../domain/administration/service-accounts.ts"
import { counting } from "../../../domain/storage/tally.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Module from "../../service/module.ts"
import { AdminSettings, findings, grants } from "./administrators.ts"
import * as Emails from "./emails.ts"
import { endpoints } from "./endpoints.ts"
import * as Erasure from "./erasure/emails.ts"
import { erasureParts } from "./erasure/index.ts"
import * as Errors from "./errors.ts"
import { events, types } from "./events.ts"
import * as Export from "./export/emails.ts"
import { exportParts } from "./export/index.ts"
import { AdminGrants } from "./grants-table.ts"
import { invitationEndpoints, mails, SignUpInvitations, spending } from "./invitations.ts"
import { jobParts } from "./jobs/index.ts"
import * as Merge from "./merge/emails.ts"
import { mergeParts } from "./merge/index.ts"
import { operationParts } from "./operations/index.ts"
import { OwnerGuards, ownerKeptAtRemoval, unverified } from "./owners.ts"
import * as Removal from "./removal/emails.ts"
import { requiredActions } from "./required-actions/challenge.ts"
import { RequiredActions } from "./required-actions/table.ts"
import * as Roles from "./roles.ts"
import { searchTexts } from "./search/texts.ts"
import { usersByText } from "./search/users.ts"
import * as Suspension from "./suspension/emails.ts"
import { usersOfViewer } from "./user-list.ts"
import { AdminMetadatas, refuseBanned } from "./users.ts"

/** Administrators, who manage, ban and remove users, and roles with a part of their permissions. */
export const admin = Module.define({
  name: "admin",
  errors: Object.values(Errors),
  events: types,
  mails: { ...Emails.mails, ...Suspension.mails, ...Removal.mails, ...Export.mails, ...Erasure.mails, ...Merge.mails, ...mails },
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: AdminSettings,
  faults: ({ roles, jobs, merges }) => [
    ...Roles.faults(roles),
    ...(merges === true && jobs !== true ? [{ path: ["jobs"], wanted: "true, since a merge is a job" }] : []),
  ],
  parts: (settings, _, keys) => {
    const exports = exportParts(settings)
    const erasures = erasureParts(settings)
    const merges = mergeParts(settings)
    const jobs = jobParts(settings, merges.operations)
    const operations = operationParts(settings)
    return {
      tables: [
        AdminMetadatas,
        AdminGrants,
        OwnerGuards,
        RequiredActions,
        ServiceAccounts,
        SignUpInvitations,
        ...jobs.tables,
        ...exports.tables,
        ...erasures.tables,
        ...merges.tables,
      ],
      rowEvents: [...events, ...jobs.rowEvents, ...exports.rowEvents, ...erasures.rowEvents, ...merges.rowEvents, ...operations.rowEvents],
      endpoints: [
        ...endpoints(settings, keys),
        ...invitationEndpoints,
        ...jobs.endpoints,
        ...exports.endpoints,
        ...erasures.endpoints,
        ...merges.endpoints,
        ...operations.endpoints,
      ],
      graphFields: [usersOfViewer],
      streams: jobs.streams,
      background: [counting(Users), searchTexts, ...jobs.background, ...erasures.background],
      searches: [usersByText],
      invitations: [spending],
      gates: [refuseBanned(settings)],
      gateErrors: settings.suspension ? [Errors.Banned, Errors.Suspended] : [Errors.Banned],
      confirmedAddresses: settings.admin_emails,
      findings: (core) => findings(settings, core),
      storedFindings: unverified(settings),
      grants: grants(settings),
      administratorsStepUp: settings.step_up ?? false,
      versionsRequired: settings.require_versions ?? false,
      beforeUserRemoval: [ownerKeptAtRemoval(settings)],
      removalErrors: [Errors.LastAdministrator],
      ...(settings.required_actions ? requiredActions : {}),
    }
  },
})
