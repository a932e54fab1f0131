import type { ModuleKeys } from "../../../../domain/tokens/module-keys.ts"
import type { OrganizationSettings } from "../settings.ts"
import { invitationChanges } from "./invitations.ts"
import { list } from "./list.ts"
import { managing } from "./managing.ts"
import { memberChanges } from "./members.ts"
import { changing } from "./organizations.ts"
import { reading } from "./reading.ts"

/** Organizations, their members and invitations, for administrators of the service. */
export const administration = (settings: OrganizationSettings, keys: ModuleKeys) =>
  [list(keys), ...reading, ...changing(settings), ...memberChanges(settings), ...managing, ...invitationChanges(settings)] as const
