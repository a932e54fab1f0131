import { Command, Flag } from "effect/cli"
import { type AuditWork, exportAudit, listAudit, verifyAudit } from "./audit.ts"
import { jsonFlag, limitFlag } from "./record-commands.ts"
import type { StoreCommand } from "./store-command.ts"

const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const filters = {
  subject: text(
    "subject",
    "Only records about the user with this id or e-mail address, or about the organization or other row with this id",
  ),
  actor: text("actor", "Only records of what the user with this id or e-mail address, or the client with this id, did"),
  organization: text("organization", "Only records of the organization with this id"),
  type: text("type", "Only records of this type, such as sign_in.failed"),
  since: text("since", "Only records from this moment on, such as 2026-11-22T00:00:00Z"),
  until: text("until", "Only records before this moment"),
}

/** `audit list`, `audit export` and `audit verify`. */
export const auditCommand = <S>(onStore: StoreCommand<AuditWork, S>) =>
  Command.make("audit").pipe(
    Command.withDescription("Show, export and verify the audit log; stop a server with an embedded store first"),
    Command.withSubcommands([
      onStore("list", "List records, the newest first", { ...filters, limit: limitFlag, json: jsonFlag }, listAudit),
      onStore("export", "Print all records as JSON, one object a line, the newest first", filters, exportAudit),
      onStore("verify", "Check that no record was changed or removed; fails otherwise", { json: jsonFlag }, verifyAudit),
    ]),
  )
