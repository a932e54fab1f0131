import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import type { AnyModule } from "../../../../application/service/module.ts"
import { modules as everything, told } from "../../../everything.ts"
import { password } from "../../../world.ts"
import { type Served, served } from "../../http/served.ts"
import { type Browse, browse, signedUp } from "../browse.ts"

const settings = {
  ...told.admin,
  roles: {
    reader: ["users:read"],
    suspender: ["users:suspend"],
    watcher: ["clients:read", "jobs:read"],
    editor: ["users:update"],
    clerk: ["service_accounts:write", "api_keys:read"],
  },
  required_actions: true,
}

/** All modules, with roles, and with other settings of the module `admin`. */
export const adminWith = (other: object): ReadonlyArray<AnyModule> => [
  ...everything.filter(({ name }) => name !== "admin"),
  admin.build(Schema.decodeUnknownSync(admin.settings)({ ...settings, ...other })),
]

/** All modules, with roles. */
export const modules = adminWith({})

/** The service with the console. `console`: its settings. */
export const withConsole = (console: Record<string, unknown> = {}, own: ReadonlyArray<AnyModule> = modules, more: Partial<Served> = {}) =>
  served({ modules: own, pages: { admin: console }, ...more })

/** The administrator by configuration, in a browser. */
export const root = signedUp("root@example.com", "Root")

/** A user with this role, whom the administrator gave it. */
export const withRole = Effect.fnUntraced(function* withRole(owner: Browse, role: string, email = `${role}@example.com`) {
  const their = yield* signedUp(email)
  yield* owner.api("/admin/roles/assign", { user_id: their.user.id, role })
  return their
})

/** The same administrator in another browser. */
export const rootAgain = Effect.gen(function* () {
  const owner = browse()
  yield* owner.api("/sign-in/email", { email: "root@example.com", password })
  return owner
})
