import { Effect } from "effect"
import { page, Visit } from "./page.ts"

/** The first page leads to the account. */
export const home = page({
  path: "/",
  needs: [],
  access: "public",
  show: Effect.map(Visit, ({ view }) => ({ to: view.href("/account") })),
})
