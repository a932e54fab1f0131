import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../../../components/form.ts"
import { field, type Output, Visit } from "../../../page.ts"
import { inPlace } from "../../parts/actions.ts"
import { card } from "../../parts/body.ts"
import { askedId, type ConsoleView, type Template } from "../../screen.ts"
import { backToUser } from "./subject.ts"

type Credentials = Output<"adminUsersCredentials">
type Required = Credentials["required_actions"]

const texts = {
  change_password: "console.user.required.change_password",
  verify_email: "console.user.required.verify_email",
  enrol_factor: "console.user.required.enrol_factor",
} as const
const all = ["change_password", "verify_email", "enrol_factor"] as const

/** What the user has to do at the next sign-in. */
export const requiredCard: Template<Pick<Credentials, "required_actions">> = (view, { required_actions: required }) => {
  const { t } = view.texts
  const present =
    required.length === 0
      ? html`<p class="muted">${t("console.user.required.none")}</p>`
      : html`<ul>${required.map((action) => html`<li>${t(texts[action])}</li>`)}</ul>`
  return card(t("console.user.required"), {}, present, view.may("users:credentials") ? requireForm(view, required) : null)
}

const requireForm = (view: ConsoleView, required: Required) => {
  const { t } = view.texts
  const boxes = all.map((action) => {
    const checked = required.includes(action) ? html.raw` checked` : null
    return html`<div class="choice"><input id="${action}" name="${action}" type="checkbox" value="yes"${checked}><label for="${action}">${t(texts[action])}</label></div>`
  })
  return inPlace(
    view,
    t("console.change"),
    [],
    html`<p>${t("console.user.required.about")}</p>`,
    form(view, { action: "require", submit: t("account.save"), look: "small", body: html`${boxes}` }),
  )
}

export const requiredActions = {
  require: Effect.gen(function* () {
    const { call, form } = yield* Visit
    const actions = all.filter((action) => field(form, action) === "yes")
    yield* call("adminUsersRequire", { user_id: yield* askedId, actions })
    return yield* backToUser("account.saved")
  }),
}
