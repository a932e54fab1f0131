import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { inputField } from "../../../components/fields.ts"
import { form } from "../../../components/form.ts"
import { named } from "../../../components/names.ts"
import { field, Visit } from "../../../page.ts"
import { recentProof } from "../../confirmation.ts"
import { body } from "../../parts/body.ts"
import { dayStart } from "../../parts/days.ts"
import { boxesField, boxesIn, enteredOr, linesField, linesIn } from "../../parts/inputs.ts"
import { details, id } from "../../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../../screen.ts"
import { showSecret } from "../../secret.ts"
import { type Account, accountShown } from "./accounts.ts"

/** The form of a new key of a service account. */
export const template: Template<Account> = (view, account) => {
  const { t } = view.texts
  const fields = [
    inputField(view, {
      name: "name",
      label: t("console.name"),
      value: enteredOr(view, "name", ""),
      attributes: { autocomplete: "off", maxlength: "64" },
    }),
    account.permissions.length === 0 ? null : permissionsField(view, account),
    linesField(view, {
      name: "application",
      label: t("console.api_key.application"),
      hint: t("console.field.lines"),
      values: [],
    }),
    linesField(view, {
      name: "addresses",
      label: t("console.api_key.addresses"),
      hint: t("console.api_key.addresses.hint"),
      values: [],
    }),
    inputField(view, {
      name: "expires_at",
      label: t("console.user.role.end"),
      type: "date",
      required: false,
      value: enteredOr(view, "expires_at", ""),
      attributes: { autocomplete: "off" },
    }),
  ]
  const owner = details([
    [t("console.kind.service_account"), named(account.name)],
    [t("console.id"), id(account.id)],
  ])
  return body(
    view,
    { title: t("console.api_key.new"), parent: { href: view.at("/machines"), label: t("console.machines") } },
    html`<div class="card">${owner}${form(view, { action: "save", submit: t("console.create"), body: html`${fields}` })}</div>`,
  )
}

const permissionsField = (view: ConsoleView, { permissions }: Account) =>
  boxesField(view, {
    name: "permissions",
    label: view.texts.t("console.roles.permissions"),
    options: permissions,
    chosen: permissions,
  })

export const newApiKey: Screen = {
  path: "/api-key/new",
  permission: "api_keys:write",
  also: ["service_accounts:read"],
  needs: ["adminServiceAccountsShow", "adminApiKeysCreate"],
  section: "/machines",
  show: Effect.gen(function* () {
    yield* recentProof
    const { view } = yield* Operator
    return { title: view.texts.t("console.api_key.new"), main: template(view, yield* accountShown) }
  }),
  actions: {
    save: Effect.gen(function* () {
      yield* recentProof
      const { call, form } = yield* Visit
      const { id: service_account_id, permissions } = yield* accountShown
      const [addresses, day] = [linesIn(form, "addresses"), field(form, "expires_at").trim()]
      const { key } = yield* call("adminApiKeysCreate", {
        service_account_id,
        name: field(form, "name").trim(),
        permissions: [...boxesIn(form, "permissions", permissions), ...linesIn(form, "application")],
        ...(addresses.length > 0 && { addresses }),
        ...(day !== "" && { expires_at: dayStart(day) }),
      })
      return yield* showSecret(key, "/machines", "console.secret.rotated")
    }),
  },
}
