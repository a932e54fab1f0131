import type { Screen } from "./screen.ts"
import { administrators } from "./screens/administrators.ts"
import { audit } from "./screens/audit.ts"
import { exportAudit } from "./screens/audit-export.ts"
import { client, clients, deleteClient, rotateClientSecret } from "./screens/clients.ts"
import { health } from "./screens/health.ts"
import { home } from "./screens/home.ts"
import { job, jobs } from "./screens/jobs.ts"
import { keys, rotateKeys } from "./screens/keys.ts"
import { machines, revokeApiKey } from "./screens/machines.ts"
import { organization } from "./screens/organization.ts"
import { deleteOrganization, removeMember } from "./screens/organization-confirm.ts"
import { organizations } from "./screens/organizations.ts"
import { discardMessage, outbox } from "./screens/outbox.ts"
import { settings } from "./screens/settings.ts"
import { userActions } from "./screens/user/index.ts"
import { user } from "./screens/user.ts"
import { newUser } from "./screens/users/new.ts"
import { severalUsers } from "./screens/users/several.ts"
import { users } from "./screens/users.ts"
import { webhook } from "./screens/webhook.ts"
import { deleteWebhook, rotateWebhookSecret, webhooks } from "./screens/webhooks.ts"

/** All screens, in the order of the navigation. One whose endpoints are missing is not served. */
export const screens: ReadonlyArray<Screen> = [
  home,
  users,
  newUser,
  severalUsers,
  user,
  ...userActions,
  organizations,
  organization,
  removeMember,
  deleteOrganization,
  administrators,
  clients,
  client,
  rotateClientSecret,
  deleteClient,
  machines,
  revokeApiKey,
  webhooks,
  webhook,
  rotateWebhookSecret,
  deleteWebhook,
  audit,
  exportAudit,
  outbox,
  discardMessage,
  jobs,
  job,
  keys,
  rotateKeys,
  settings,
  health,
]
