import { html } from "@remix-run/html-template"
import type { Permission } from "../../../../../domain/administration/permissions.ts"
import type { Key } from "../../../../texts/texts.ts"
import { selectField } from "../../../components/fields.ts"
import type { Has } from "../../parts/actions.ts"
import type { ConsoleView } from "../../screen.ts"

/** What can be done to the users who are chosen in the list. */
const operations = {
  suspend: { label: "console.user.suspend", permission: "users:suspend" },
  unban: { label: "console.user.resume", permission: "users:suspend" },
  revoke_sessions: { label: "console.user.sessions.end", permission: "sessions:revoke" },
  remove: { label: "console.user.remove", permission: "users:delete" },
} as const satisfies Readonly<Record<string, { readonly label: Key; readonly permission: Permission }>>
export type JobOperation = keyof typeof operations

const names = Object.keys(operations) as ReadonlyArray<JobOperation>

/** The operations that the visitor may start. */
export const operationsOf = (view: ConsoleView, has: Has): ReadonlyArray<JobOperation> =>
  view.may("jobs:run") && has("adminJobsCreate") ? names.filter((name) => view.may(operations[name].permission)) : []

/** The operation of a text that visitors send, if they may start it. */
export const operationIn = (view: ConsoleView, name: string | null) =>
  names.find((each) => each === name && view.may(operations[each].permission)) ?? null

/** An operation in words; those that other pages start have their own names. */
export const operationName = ({ texts }: ConsoleView, name: string) => {
  const known = names.find((each) => each === name)
  return known === undefined ? name : texts.t(operations[known].label)
}

/** The choice of what to do with the chosen users. */
export const operationField = (view: ConsoleView, offered: ReadonlyArray<JobOperation>) =>
  html`<div class="chosen">${selectField(view, {
    name: "operation",
    label: view.texts.t("console.users.chosen"),
    options: offered.map((name) => [name, operationName(view, name)]),
  })}<button type="submit" class="small secondary">${view.texts.t("continue.button")}</button></div>`
