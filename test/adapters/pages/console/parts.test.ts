import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { Overloaded, Unauthorized } from "../../../../domain/errors.ts"
import { whileTimePasses } from "../../../world.ts"
import { signedUp } from "../browse.ts"
import { modules, root, withConsole } from "./console.ts"

/** The console of a service in which the handler of one endpoint is another one. */
const withHandler = (name: string, handler: AnyEndpoint["handler"]) =>
  withConsole(
    {},
    modules.map((module) => {
      const { [name]: endpoint, ...others } = module.endpoints
      return endpoint === undefined ? module : { ...module, endpoints: { ...others, [name]: { ...endpoint, handler } } }
    }),
  )

const failed = "This part could not be loaded."

/** The page of a user, of which one part reads the sessions. */
const opened = Effect.gen(function* () {
  const owner = yield* root
  const ada = yield* signedUp("ada@example.com", "Ada")
  return yield* whileTimePasses(owner.open(`/admin/user?id=${ada.user.id}`))
})

describe("a part of a page", () => {
  const broken = [
    ["fails", () => Effect.fail(new Overloaded())],
    ["never answers", () => Effect.never],
  ] as const
  for (const [name, handler] of broken)
    it.layer(withHandler("adminUsersSessions", handler))((it) => {
      it.effect(`that ${name} says so in its place, and the other parts are shown`, () =>
        Effect.gen(function* () {
          const page = yield* opened
          assert.deepStrictEqual([page.status, page.heading, page.text.split(failed).length], [200, "Ada", 2])
          assert.match(page.text, /Sessions This part could not be loaded\. Try again/)
          for (const other of ["Ways to sign in", "Organizations", "Activity"]) assert.include(page.text, other)
        }),
      )
    })

  it.layer(withHandler("adminUsersSessions", () => Effect.fail(new Unauthorized())))((it) => {
    it.effect("that needs another session leads the whole page to the sign-in", () =>
      Effect.gen(function* () {
        assert.match((yield* opened).at, /^\/sign-in\?/)
      }),
    )
  })
})
