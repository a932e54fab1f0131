import { Effect, Option, Schema } from "effect"
import { removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as GraphField from "../../service/graph-field.ts"
import { browsersOf, RememberedBrowser, RememberedBrowsers } from "./browsers.ts"

export const browserList = Endpoint.make({
  method: "GET",
  path: "/2fa/browsers/list",
  name: "twoFactorBrowsersList",
  summary: "The browsers in which the user needs no second factor, the oldest first.",
  access: "session",
  output: Schema.Struct({ browsers: Schema.Array(RememberedBrowser) }),
  handler: Effect.fnUntraced(function* twoFactorBrowsersList() {
    return Endpoint.reply({ browsers: yield* browsersOf((yield* CurrentSession).user.id) })
  }),
})

export const browserRevoke = Endpoint.make({
  method: "POST",
  path: "/2fa/browsers/revoke",
  name: "twoFactorBrowsersRevoke",
  summary: "Asks for the second factor in one of these browsers again.",
  access: "session",
  input: Schema.Struct({ browser_id: Schema.String }),
  output: Schema.Struct({ success: Schema.Boolean }),
  handler: Effect.fnUntraced(function* twoFactorBrowsersRevoke({ browser_id }) {
    const store = yield* Store
    const { user } = yield* rereadSession
    const browser = yield* store.read(RememberedBrowsers, { id: browser_id })
    if (Option.isNone(browser) || browser.value.row.user_id !== user.row.id) return Endpoint.reply({ success: false })
    // Writes the user, so that a concurrent sign-in in that browser gets no session.
    yield* store.commit([removeVersioned(RememberedBrowsers, browser.value), update(Users, user, {})])
    return Endpoint.reply({ success: true })
  }, retryOnConflict),
})

export const viewersBrowsers = GraphField.make({
  on: "viewer",
  name: "rememberedBrowsers",
  summary: "The browsers in which the user needs no second factor, the oldest first.",
  output: Schema.Array(RememberedBrowser),
  load: (viewers) => Effect.forEach(viewers, ({ user }) => browsersOf(user.id)),
})
