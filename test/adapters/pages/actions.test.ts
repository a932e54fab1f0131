import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { pages } from "../../../adapters/pages/pages.ts"
import { core } from "../../world.ts"
import { signedUp, withPages } from "./browse.ts"

const actions = pages.flatMap((page) => Object.keys(page.actions ?? {}).map((action) => ({ path: page.path, action })))

for (const [which, modules] of [
  ["every module", undefined],
  ["the core alone", core],
] as const)
  describe(`forms of a service with ${which}`, () => {
    layer(withPages(modules))((it) => {
      it.effect("answer every action, also without its fields and where its module is off, without a fault of the service", () =>
        Effect.gen(function* () {
          const faults: Array<string> = []
          for (const { path, action } of actions) {
            const their = yield* signedUp(`${path.slice(1).replaceAll("/", ".")}.${action}@example.com`)
            const { forms } = yield* their.open("/account")
            const form_token = forms.find(({ values }) => "form_token" in values)?.values["form_token"] ?? ""
            assert.isNotEmpty(form_token)
            const { status } = yield* their.request("POST", path, { form_token, action })
            if (status >= 500) faults.push(`${path} ${action}: ${status}`)
          }
          assert.deepStrictEqual(faults, [])
        }),
      )
    })
  })
