import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { RememberedBrowser } from "../../../client/operations.ts"
import { form } from "../components/form.ts"
import { deviceName, labelFor } from "../components/names.ts"
import { time } from "../components/time.ts"
import { field, Visit } from "../page.ts"
import type { View } from "../view.ts"
import { goTo, section } from "./frame.ts"
import { list, row, tag } from "./parts.ts"

export type ShownBrowser = Pick<RememberedBrowser, "id" | "user_agent" | "current" | "expires_at">

/** The browsers in which the user needs no second factor, on the page of devices; nothing without one. */
export const rememberedBrowsers = (view: View, browsers: ReadonlyArray<ShownBrowser>) => {
  const { t } = view.texts
  if (browsers.length === 0) return null
  const rows = browsers.map((browser) => browserRow(view, browser))
  return section(t("account.remembered"), html`<p>${t("account.remembered.about")}</p>`, list(rows, ""))
}

const browserRow = (view: View, { id, user_agent, current, expires_at }: ShownBrowser) => {
  const { t, rich } = view.texts
  const device = html`<bdi dir="${view.texts.dir}">${deviceName(view, user_agent) ?? t("device.unknown")}</bdi>`
  const name = html`${device} ${current ? tag(t("account.sessions.this")) : null}`
  const submit = labelFor(t("account.remembered.forget"), device)
  const forget = form(view, { action: "forget", submit, look: "small danger", hidden: { browser_id: id } })
  return row(name, rich("account.remembered.until", { date: time(view, expires_at) }), forget)
}

/** Those of the visitor, the newest first; none where the service remembers none. */
export const shownBrowsers = Effect.gen(function* () {
  const { call, has } = yield* Visit
  return has("twoFactorBrowsersList") ? (yield* call("twoFactorBrowsersList")).browsers.toReversed() : []
})

export const forget = Effect.gen(function* () {
  const { call, form } = yield* Visit
  yield* call("twoFactorBrowsersRevoke", { browser_id: field(form, "browser_id") })
  return yield* goTo("/account/sessions", "account.remembered.forgotten")
})
