import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { DeviceRequest } from "../../../client/operations.ts"
import { leftToRight } from "../components/direction.ts"
import { letterCodeField } from "../components/fields.ts"
import { button, card, form } from "../components/form.ts"
import { field, page, Visit } from "../page.ts"
import { avatar, type Picture, pictureOf } from "../picture.ts"
import { clientName, clientPolicies, scopeList } from "../scopes.ts"
import type { Template } from "../view.ts"
import { otherAccount } from "./request.ts"

const path = "/device"

/** The page on which a user enters the code that a device shows. */
export const enterTemplate: Template<null> = (view) => {
  const { t } = view.texts
  const body = letterCodeField(view, { name: "code", label: t("device.code"), hint: t("device.hint") })
  return card(
    view,
    t("device.title"),
    html`<p>${t("device.text")}</p>
${form(view, { action: "find", submit: t("continue.button"), body })}`,
  )
}

interface Props {
  readonly request: DeviceRequest
  readonly logo: Picture | null
  readonly code: string
  readonly email: string
}

/** The page on which a user allows or denies what a device requests. */
export const template: Template<Props> = (view, { request, logo, code, email }) => {
  const { t, rich } = view.texts
  const client = clientName(request.client)
  const shownCode = html`<strong class="unbroken">${leftToRight(code)}</strong>`
  return card(
    view,
    t("consent.title", { client }),
    html`<div class="person">${avatar(client, logo)}<p>${rich("device.compare", { code: shownCode })}</p></div>
<p>${t("device.warning")}</p>
${scopeList(view, t("consent.scopes"), request.scopes)}
${clientPolicies(view, request.client)}
${form(view, { action: "allow", submit: t("consent.allow"), more: button(t("consent.deny"), "deny") })}
${otherAccount(view, email)}`,
  )
}

/** The page after the decision. */
export const doneTemplate: Template<{ readonly allowed: boolean }> = (view, { allowed }) => {
  const { t } = view.texts
  return card(
    view,
    t(allowed ? "device.allowed.title" : "device.denied.title"),
    html`<p>${t(allowed ? "device.allowed.text" : "device.denied.text")}</p>`,
  )
}

const codeOf = Effect.map(Visit, ({ query }) => query.get("user_code") ?? "")

const enter = Effect.map(Visit, ({ view }) => ({ title: view.texts.t("device.title"), main: enterTemplate(view, null) }))

/** The same page with the fault, for a wrong code in the address. */
const wrong = Effect.map(Visit, ({ view }) => {
  const problem = { message: view.texts.t("error.invalid_otp"), field: "code" }
  return { title: view.texts.t("device.title"), main: enterTemplate({ ...view, problem }, null), status: 400 }
})

const asked = Effect.gen(function* () {
  const { view, call, site, session } = yield* Visit
  const code = yield* codeOf
  const request = yield* call("oauth2Device", { user_code: code })
  const logo = pictureOf(site, request.client.logo_uri)
  const main = template(view, { request, logo, code: code.toUpperCase(), email: session?.user.email ?? "" })
  return { title: view.texts.t("consent.title", { client: clientName(request.client) }), main, picture: logo }
})

const show = Effect.gen(function* () {
  const { view, query } = yield* Visit
  const done = query.get("done")
  if (done !== null) {
    const allowed = done === "allowed"
    return { title: view.texts.t(allowed ? "device.allowed.title" : "device.denied.title"), main: doneTemplate(view, { allowed }) }
  }
  if ((yield* codeOf) === "") return yield* enter
  return yield* Effect.catchTag(asked, "invalid_otp", () => wrong)
})

const find = Effect.gen(function* () {
  const { view, form, call } = yield* Visit
  const user_code = field(form, "code")
  yield* call("oauth2Device", { user_code })
  return { to: view.href(path, { user_code }) }
})

const answer = (endpoint: "oauth2DeviceAllow" | "oauth2DeviceDeny", done: "allowed" | "denied") =>
  Effect.gen(function* () {
    const { call, view } = yield* Visit
    yield* call(endpoint, { user_code: yield* codeOf })
    return { to: view.href(path, { done }) }
  })

/** The address contains the code, as `verification_uri_complete` does. The user has to compare it in any case (RFC 8628 section 3.3.1). */
export const device = page({
  path,
  needs: ["oauth2Device", "oauth2DeviceAllow", "oauth2DeviceDeny"],
  access: "session",
  wide: false,
  show,
  actions: { find, allow: answer("oauth2DeviceAllow", "allowed"), deny: answer("oauth2DeviceDeny", "denied") },
})
