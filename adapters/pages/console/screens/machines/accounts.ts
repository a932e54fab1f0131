import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { type Permission, permissions } from "../../../../../domain/administration/permissions.ts"
import { inputField } from "../../../components/fields.ts"
import { form } from "../../../components/form.ts"
import { field, type Output, Visit } from "../../../page.ts"
import { confirmation, recentProof, type Subject } from "../../confirmation.ts"
import { body, editing } from "../../parts/body.ts"
import { plainField } from "../../parts/field.ts"
import { boxesField, boxesIn, enteredOr } from "../../parts/inputs.ts"
import { id } from "../../parts/values.ts"
import { requireSame, versionOf } from "../../parts/version.ts"
import { askedId, type ConsoleView, calling, goTo, Operator, type Screen, type Template } from "../../screen.ts"

export type Account = Output<"adminServiceAccountsShow">["service_account"]

/** The service account of this page, by the id in its address. */
export const accountShown = Effect.gen(function* () {
  const { call } = yield* Visit
  return (yield* call("adminServiceAccountsShow", { service_account_id: yield* askedId })).service_account
})

/** Callers grant only what they hold. What the account has beyond stays on its form, so that a change does not take it away. */
const offered = (view: ConsoleView, account: Account | null) =>
  permissions.filter((permission) => view.may(permission) || account?.permissions.includes(permission) === true)

const accountForm = (view: ConsoleView, account: Account | null) => {
  const { t } = view.texts
  const name = inputField(view, {
    name: "name",
    label: t("console.name"),
    value: enteredOr(view, "name", account?.name ?? ""),
    attributes: { autocomplete: "off", maxlength: "64" },
  })
  const boxes = boxesField(view, {
    name: "permissions",
    label: t("console.roles.permissions"),
    hint: t("console.service_account.about"),
    options: offered(view, account),
    chosen: account?.permissions ?? [],
  })
  const organization = plainField(view, {
    name: "organization_id",
    label: t("console.user.role.organization"),
    required: false,
    value: enteredOr(view, "organization_id", ""),
    maxlength: 64,
  })
  const submit = t(account === null ? "console.create" : "account.save")
  const hidden = account === null ? {} : { version: versionOf(account) }
  return form(view, { action: "save", submit, hidden, body: html`${name}${account === null ? organization : null}${boxes}` })
}

const parentOf = (view: ConsoleView) => ({ href: view.at("/machines"), label: view.texts.t("console.machines") })

export const newTemplate: Template<null> = (view) =>
  body(
    view,
    { title: view.texts.t("console.service_account.new"), parent: parentOf(view) },
    html`<div class="card">${accountForm(view, null)}</div>`,
  )

export const editTemplate: Template<Account> = (view, account) =>
  body(view, { ...editing(view, account.name), parent: parentOf(view) }, html`<div class="card">${accountForm(view, account)}</div>`)

const enteredPermissions = Effect.map(Visit, ({ form }) => boxesIn(form, "permissions", permissions) as ReadonlyArray<Permission>)

const common = { permission: "service_accounts:write", also: ["api_keys:read"], section: "/machines" } as const

export const newAccount: Screen = {
  ...common,
  path: "/service-accounts/new",
  needs: ["adminServiceAccountsCreate"],
  show: Effect.gen(function* () {
    yield* recentProof
    const { view } = yield* Operator
    return { title: view.texts.t("console.service_account.new"), main: newTemplate(view, null) }
  }),
  actions: {
    save: Effect.gen(function* () {
      yield* recentProof
      const { call, form } = yield* Visit
      const organization_id = field(form, "organization_id").trim()
      yield* call("adminServiceAccountsCreate", {
        name: field(form, "name").trim(),
        permissions: yield* enteredPermissions,
        ...(organization_id !== "" && { organization_id }),
      })
      return yield* goTo("/machines", "console.service_account.created")
    }),
  },
}

export const editAccount: Screen = {
  ...common,
  path: "/service-account/edit",
  needs: ["adminServiceAccountsShow", "adminServiceAccountsUpdate"],
  show: Effect.gen(function* () {
    yield* recentProof
    const { view } = yield* Operator
    const account = yield* accountShown
    return { title: view.texts.t("console.edit.at", { name: account.name }), main: editTemplate(view, account) }
  }),
  actions: {
    save: Effect.gen(function* () {
      yield* recentProof
      const { call, form } = yield* Visit
      const account = yield* accountShown
      yield* requireSame(account)
      const changes = { name: field(form, "name").trim(), permissions: yield* enteredPermissions }
      yield* call("adminServiceAccountsUpdate", { service_account_id: account.id, changes })
      return yield* goTo("/machines", "account.saved")
    }),
  },
}

export const deleteAccount = confirmation({
  ...common,
  path: "/service-account/delete",
  needs: ["adminServiceAccountsShow", "adminServiceAccountsDelete"],
  title: "console.service_account.delete",
  text: "console.service_account.delete.text",
  subject: Effect.gen(function* () {
    const { view } = yield* Operator
    const account = yield* accountShown
    const { id: own, name } = account
    const about = [[view.texts.t("console.id"), id(own)]] as const
    return { id: own, name, about, page: ["/machines"], version: versionOf(account), typed: name } satisfies Subject
  }),
  run: ({ id: service_account_id }) => calling("console.service_account.deleted", "adminServiceAccountsDelete", { service_account_id }),
})
