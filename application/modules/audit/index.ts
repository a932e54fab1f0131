import { Schema } from "effect"
import { orElse, Seconds } from "../../../domain/settings.ts"
import * as Module from "../../service/module.ts"
import { listAll, listOfOrganization, listOwn, ofViewer } from "./endpoints.ts"
import { erase, erasureWrites } from "./erase.ts"
import { Exports, exportAll, exportEvents, exportTypes } from "./export.ts"
import { health } from "./health.ts"
import * as Own from "./own-events.ts"
import { recordWrites } from "./record.ts"
import { recordedEvents } from "./recorded-events.ts"
import { seal, sealUnderFirstSecret } from "./seal.ts"
import { ofAll, ofOwnSessions } from "./streams.ts"
import { Chain, Days, Erasures, Records, Seals, Unsealed } from "./tables.ts"

const Settings = Schema.Struct({
  keep: Seconds.pipe(orElse(90 * 86_400, "How long other records are kept, seconds (90 days).")),
  keep_changes: Seconds.pipe(
    orElse(
      365 * 86_400,
      "How long records of administration, and of changes of users, credentials and organizations, are kept, seconds (365 days). If `keep` is longer, it applies.",
    ),
  ),
  organization_roles: Schema.Array(Schema.NonEmptyString).pipe(
    orElse(["owner"], "The roles whose members read the records of their organization."),
  ),
})

/** Records every security-relevant outcome, in a log that shows whether records were changed or removed. */
export const audit = Module.define({
  name: "audit",
  settings: Settings,
  events: { ...Own.types, ...exportTypes },
  parts: ({ organization_roles, ...retention }, { events }) => ({
    tables: [Records, Unsealed, Seals, Chain, Days, Erasures, Exports],
    endpoints: [listOwn, listAll(events), listOfOrganization(organization_roles, events), exportAll({ ...retention, events })],
    graphFields: [ofViewer],
    streams: [ofOwnSessions, ofAll(events)],
    rowEvents: [...Own.events, exportEvents],
    health,
    recordedEvents,
    recorded: recordWrites({ ...retention, events }),
    beforeUserRemoval: [erasureWrites],
    background: [
      { every: 10_000, run: seal },
      { every: 60_000, run: erase },
    ],
    secretRotated: sealUnderFirstSecret,
  }),
})
