import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { Unauthorized } from "../../../domain/errors.ts"
import { strongLeftToRight } from "../components/direction.ts"
import { card, form } from "../components/form.ts"
import { page, Visit } from "../page.ts"
import type { Template } from "../view.ts"
import { signedInUser } from "./complete.ts"
import { otherAccount } from "./request.ts"

interface Props {
  /** The host of the app's redirect URI, or its scheme. */
  readonly app: string
  readonly email: string
}

/** The page on which a user continues to an app that opened the browser for its sign-in. */
export const template: Template<Props> = (view, { app, email }) => {
  const { t, rich } = view.texts
  return card(
    view,
    t("native.title"),
    html`<p>${rich("native.text", { app: strongLeftToRight(app) })}</p>
<p>${t("native.warning")}</p>
${form(view, { action: "continue", submit: t("continue.button") })}
${otherAccount(view, email)}`,
  )
}

/** The page for a request with a fault: the browser is not sent to an address that the operator has not listed. */
export const invalidTemplate: Template<null> = (view) => {
  const { t } = view.texts
  return card(view, t("native.invalid.title"), html`<p>${t("native.invalid.text")}</p>`)
}

const invalid = Effect.map(Visit, ({ view }) => ({
  title: view.texts.t("native.invalid.title"),
  main: invalidTemplate(view, null),
  status: 400,
}))

/** The request of the app, from the address of the page. The endpoint finds its faults. */
const request = Effect.map(Visit, ({ query }) => {
  const state = query.get("state")
  return {
    redirect_uri: query.get("redirect_uri") ?? "",
    ...(state === null ? {} : { state }),
    code_challenge: query.get("code_challenge") ?? "",
    code_challenge_method: query.get("code_challenge_method") as "S256",
  }
})

/** Checks the request before the session, so that no user signs in for a request with a fault. */
const show = Effect.gen(function* () {
  const { view, call } = yield* Visit
  const { destination } = yield* call("nativeRequest", yield* request)
  const user = yield* signedInUser
  if (user === null) return yield* new Unauthorized()
  return { title: view.texts.t("native.title"), main: template(view, { app: destination, email: user.email }) }
})

/** A form, also for the signed-in: an app could otherwise get a code without a click, by opening the browser. */
export const native = page({
  path: "/native",
  needs: ["nativeRequest", "nativeCode"],
  access: "public",
  show: Effect.catchTag(show, "invalid_request", () => invalid),
  actions: {
    continue: Effect.gen(function* () {
      const { call } = yield* Visit
      return { to: (yield* call("nativeCode", yield* request)).redirect }
    }),
  },
})
