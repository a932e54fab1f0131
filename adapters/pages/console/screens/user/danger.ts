import { html } from "@remix-run/html-template"
import { type ActionLink, actionLinks, actions, type Has, inPlace } from "../../parts/actions.ts"
import { plainField } from "../../parts/field.ts"
import type { ConsoleView } from "../../screen.ts"
import type { ShownUser } from "./subject.ts"

const links: ReadonlyArray<ActionLink> = [
  {
    path: "/user/impersonate",
    label: "console.user.impersonate",
    permission: "users:impersonate",
    needs: "adminImpersonateStart",
  },
  { path: "/user/export", label: "console.user.export", permission: "users:export", needs: "adminUsersExport" },
  { path: "/user/erase", label: "console.user.erase", permission: "users:delete", needs: "adminUsersErase", isDanger: true },
  { path: "/user/remove", label: "console.user.remove", permission: "users:delete", needs: "adminRemoveUser", isDanger: true },
]

const cancel: ActionLink = {
  path: "/user/erase/cancel",
  label: "console.user.erase.cancel",
  permission: "users:delete",
  needs: "adminUsersCancelErasure",
}

/** What cannot be undone, or shows all of the account; last on the page. */
export const dangerCard = (view: ConsoleView, { user: { id }, erasure_due_at }: ShownUser, has: Has) => {
  const offered = erasure_due_at === undefined ? links : [cancel, ...links]
  const mayMerge = view.may("users:merge") && view.may("jobs:run") && has("adminUsersMerge")
  const shown = actions(...actionLinks(view, has, { id }, offered), mayMerge ? mergeForm(view, id) : null)
  if (shown === null) return null
  return html`<section class="card danger-zone"><div class="heading"><h2>${view.texts.t("console.user.danger")}</h2></div>${shown}</section>`
}

/** Asks for the other user; the page of the confirmation shows both. */
const mergeForm = (view: ConsoleView, id: string) => {
  const { t } = view.texts
  const other = plainField(view, { name: "into", label: t("console.user.merge.into") })
  const action = view.at("/user/merge")
  return inPlace(
    view,
    t("console.user.merge"),
    [],
    html`<form method="get" action="${action}"><input type="hidden" name="id" value="${id}">${other}<button type="submit" class="small">${t("continue.button")}</button></form>`,
  )
}
