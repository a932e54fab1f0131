import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { screens } from "../../../../adapters/pages/console/screens.ts"
import * as Auth from "../../../../application/service/auth.ts"
import { builtInRoles, permissions, permitted } from "../../../../domain/administration/permissions.ts"
import { modules, root, withConsole, withRole } from "./console.ts"

const { endpoints } = Auth.make(modules)
const permissionOf = (operation: string) => {
  const access = endpoints[operation]?.access
  return typeof access === "object" ? access.permission : null
}

describe("the screens of the console", () => {
  it.each(screens.map((screen) => [screen.path, screen] as const))("%s can call all that it needs with its permission", (_, screen) => {
    const held = permitted([...(screen.permission === null ? [] : [screen.permission]), ...(screen.also ?? [])])
    const missing = screen.needs.filter((operation) => {
      const needed = permissionOf(operation)
      return needed !== null && !held.has(needed)
    })
    assert.deepStrictEqual(missing, [])
  })

  it("show everything that a permission can read", () => {
    const shown = new Set(screens.flatMap(({ needs, uses = [] }) => [...needs, ...uses].map(permissionOf)))
    assert.deepStrictEqual(
      permissions.filter((permission) => permission.endsWith(":read") && !shown.has(permission)),
      [],
    )
  })

  it.layer(withConsole())((it) => {
    it.effect("are linked for exactly the roles that may open them", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const served = screens.filter(({ section, needs }) => typeof section !== "string" && needs.every((name) => name in endpoints))
        const roles = { ...builtInRoles, admin: permissions }
        for (const [role, granted] of Object.entries(roles)) {
          const their = role === "admin" ? owner : yield* withRole(owner, role)
          const held = permitted(granted)
          const { html } = yield* their.open("/admin")
          for (const { path, permission } of served) {
            const may = permission === null || held.has(permission)
            const address = path === "/" ? "/admin" : `/admin${path}`
            assert.strictEqual(html.includes(`<li><a href="${address}"`), may, `${role}: link to ${path}`)
            assert.strictEqual((yield* their.open(address)).status, may ? 200 : 403, `${role}: ${path}`)
          }
        }
      }),
    )
  })
})
