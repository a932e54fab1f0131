import { Effect } from "effect"
import { Visit } from "../page.ts"
import { Operator } from "./screen.ts"

// A secret is shown after a redirect, so that a reload of the page neither repeats the action nor shows the secret again.

/** Keeps a secret for the next visit to the screen with this path, by the same administrator. */
export const keepSecret = Effect.fnUntraced(function* keepSecret(path: string, value: string) {
  const { setFlow } = yield* Visit
  const { id: user_id } = yield* Operator
  setFlow({ console_secret: { user_id, path, value } })
})

/** The secret that was kept for the screen with this path. It can be taken once. */
export const takeSecret = Effect.fnUntraced(function* takeSecret(path: string) {
  const { flow, setFlow } = yield* Visit
  const { id } = yield* Operator
  const { console_secret: kept } = flow()
  if (kept === undefined || kept.path !== path || kept.user_id !== id) return undefined
  setFlow({ console_secret: undefined })
  return kept.value
})
