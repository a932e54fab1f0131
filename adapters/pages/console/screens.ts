import type { Screen } from "./screen.ts"
import { administrators } from "./screens/administrators.ts"
import { audit } from "./screens/audit.ts"
import { client, clients, deleteClient, rotateClientSecret } from "./screens/clients.ts"
import { home } from "./screens/home.ts"
import { job, jobs } from "./screens/jobs.ts"
import { machines, revokeApiKey } from "./screens/machines.ts"
import { user } from "./screens/user.ts"
import { suspend } from "./screens/user-suspend.ts"
import { users } from "./screens/users.ts"
import { deleteWebhook, rotateWebhookSecret, webhooks } from "./screens/webhooks.ts"

/** All screens, in the order of the navigation. One whose endpoints are missing is not served. */
export const screens: ReadonlyArray<Screen> = [
  home,
  users,
  user,
  suspend,
  administrators,
  clients,
  client,
  rotateClientSecret,
  deleteClient,
  machines,
  revokeApiKey,
  webhooks,
  rotateWebhookSecret,
  deleteWebhook,
  audit,
  jobs,
  job,
]
