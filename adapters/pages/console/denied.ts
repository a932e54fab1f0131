import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Permission } from "../../../domain/administration/permissions.ts"
import { Visit } from "../page.ts"
import { body } from "./parts/body.ts"
import { code } from "./parts/values.ts"
import { type ConsoleView, Operator } from "./screen.ts"

/** A page that the visitor may not see: the permission that it needs, and the roles that have it. */
export const denied = (permission: Permission) =>
  Effect.gen(function* () {
    const { view } = yield* Operator
    const { call } = yield* Visit
    const roles = view.may("users:read") ? (yield* call("adminRolesList")).roles : []
    const names = roles.filter(({ permissions }) => permissions.includes(permission)).map(({ name }) => name)
    return { title: view.texts.t("console.denied"), status: 403, main: template(view, { permission, roles: names }) }
  })

interface Props {
  readonly permission: Permission
  readonly roles: ReadonlyArray<string>
}

export const template = (view: ConsoleView, { permission, roles }: Props) => {
  const { t, rich, listed } = view.texts
  return body(
    view,
    { title: t("console.denied") },
    html`<div class="card"><p>${rich("console.denied.text", { permission: code(permission) })}</p>
${roles.length === 0 ? null : html`<p>${rich("console.denied.roles", { roles: listed(roles.map(code)) })}</p>`}</div>`,
  )
}
