import type { Screen } from "./screen.ts"
import { administrators } from "./screens/administrators.ts"
import { audit } from "./screens/audit.ts"
import { exportAudit } from "./screens/audit-export.ts"
import { auditLive } from "./screens/audit-live.ts"
import { editClient, newClient } from "./screens/clients/editing.ts"
import { client, clients, deleteClient, rotateClientSecret } from "./screens/clients.ts"
import { health } from "./screens/health.ts"
import { job, jobs } from "./screens/jobs.ts"
import { keys, rotateKeys } from "./screens/keys.ts"
import { deleteAccount, editAccount, newAccount } from "./screens/machines/accounts.ts"
import { newApiKey } from "./screens/machines/new-key.ts"
import { machines, revokeApiKey } from "./screens/machines.ts"
import { organization } from "./screens/organization.ts"
import { deleteOrganization, removeMember } from "./screens/organization-confirm.ts"
import { organizationMember } from "./screens/organization-member.ts"
import { organizations } from "./screens/organizations.ts"
import { discardMessage, outbox } from "./screens/outbox.ts"
import { overview } from "./screens/overview/index.ts"
import { search } from "./screens/search.ts"
import { settings } from "./screens/settings.ts"
import { shortcuts } from "./screens/shortcuts.ts"
import { userActions } from "./screens/user/index.ts"
import { user } from "./screens/user.ts"
import { newUser } from "./screens/users/new.ts"
import { severalUsers } from "./screens/users/several.ts"
import { users } from "./screens/users.ts"
import { webhook } from "./screens/webhook.ts"
import { editWebhook, newWebhook } from "./screens/webhooks/editing.ts"
import { deleteWebhook, rotateWebhookSecret, webhooks } from "./screens/webhooks.ts"

/** All screens, in the order of the navigation. One whose endpoints are missing is not served. */
export const screens: ReadonlyArray<Screen> = [
  overview,
  search,
  users,
  newUser,
  severalUsers,
  user,
  ...userActions,
  organizations,
  organization,
  organizationMember,
  removeMember,
  deleteOrganization,
  administrators,
  clients,
  newClient,
  client,
  editClient,
  rotateClientSecret,
  deleteClient,
  machines,
  newApiKey,
  revokeApiKey,
  newAccount,
  editAccount,
  deleteAccount,
  webhooks,
  newWebhook,
  webhook,
  editWebhook,
  rotateWebhookSecret,
  deleteWebhook,
  audit,
  auditLive,
  exportAudit,
  outbox,
  discardMessage,
  jobs,
  job,
  keys,
  rotateKeys,
  settings,
  health,
  shortcuts,
]
