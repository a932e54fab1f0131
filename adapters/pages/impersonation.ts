import { Effect } from "effect"
import { page, Visit } from "./page.ts"

export const leavingPath = "/impersonation/stop"

/** Where the banner of impersonated sessions sends its form. */
export const leaving = page({
  path: leavingPath,
  needs: ["impersonationStop"],
  access: "session",
  show: Effect.map(Visit, ({ view }) => ({ to: view.href("/account") })),
  actions: {
    stop: Effect.gen(function* () {
      const { call, view } = yield* Visit
      yield* call("impersonationStop")
      return { to: view.href("/account"), forget: true }
    }),
  },
})
