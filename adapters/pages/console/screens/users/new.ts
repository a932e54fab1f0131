import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { checkbox, inputField, selectField } from "../../../components/fields.ts"
import { form } from "../../../components/form.ts"
import { field, Visit } from "../../../page.ts"
import { body } from "../../parts/body.ts"
import { goTo, Operator, type Screen, type Template } from "../../screen.ts"

interface Props {
  /** Whether users have passwords, which a mail can ask them to choose. */
  readonly hasPasswords: boolean
}

/** A form for a new user, who can be mailed a link. */
export const template: Template<Props> = (view, { hasPasswords }) => {
  const { t } = view.texts
  const fields = html`${inputField(view, {
    name: "email",
    label: t("field.email"),
    hint: t("console.users.new.address.hint"),
    type: "email",
    required: false,
    attributes: { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "254", dir: "ltr" },
  })}${checkbox(view, { name: "verified", label: t("console.user.address.verified") })}${inputField(view, {
    name: "name",
    label: t("account.name"),
    required: false,
    attributes: { autocomplete: "off", spellcheck: "false", maxlength: "256" },
  })}${selectField(view, {
    name: "send",
    label: t("console.users.new.mail"),
    value: "none",
    options: [
      ["none", t("console.none")],
      ...(hasPasswords ? ([["invite", t("console.users.new.mail.invite")]] as const) : []),
      ["verification", t("console.users.new.mail.verification")],
    ],
  })}`
  return body(
    view,
    { title: t("console.users.new"), parent: { href: view.at("/users"), label: t("console.users") } },
    html`<div class="card">${form(view, { action: "create", submit: t("console.users.new.create"), body: fields })}</div>`,
  )
}

const mails = ["none", "invite", "verification"] as const

export const newUser: Screen = {
  path: "/users/new",
  permission: "users:create",
  needs: ["adminUsersCreate"],
  section: "/users",
  problems: { user_already_exists: "console.users.new.exists" },
  show: Effect.gen(function* () {
    const { view } = yield* Operator
    const { core } = (yield* Visit).site
    return { title: view.texts.t("console.users.new"), main: template(view, { hasPasswords: core.email_password.enabled }) }
  }),
  actions: {
    create: Effect.gen(function* () {
      const { call, form } = yield* Visit
      const [email, name] = [field(form, "email").trim(), field(form, "name").trim()]
      const send = mails.find((mail) => mail === field(form, "send")) ?? "none"
      const { user } = yield* call("adminUsersCreate", {
        email: email === "" ? null : email,
        ...(field(form, "verified") === "yes" && { email_verified: true }),
        ...(name !== "" && { name }),
        send,
      })
      return yield* goTo("/user", "console.users.new.done", { id: user.id })
    }),
  },
}
