import { html } from "@remix-run/html-template"
import { credentialKindName } from "../../../components/credential-kinds.ts"
import { leftToRight } from "../../../components/direction.ts"
import { named, roleName } from "../../../components/names.ts"
import type { Output } from "../../../page.ts"
import { stateOf } from "../../parts/users.ts"
import { nothing, time, twoLines, userLink } from "../../parts/values.ts"
import type { ConsoleView } from "../../screen.ts"

type Listed = Output<"adminUsersList">
export type AdministeredUser = Listed["users"][number]

/** The columns of the list: each user with the roles and the details that the endpoint has for them. */
export const columnsOf = (view: ConsoleView, { roles, details = [] }: Pick<Listed, "roles" | "details">) => {
  const { t } = view.texts
  const detailsOf = new Map(details.map((each) => [each.user_id, each]))
  const further = roles.filter(({ organization_id }) => organization_id === null)
  const rolesOf = ({ id, role }: AdministeredUser) => [
    ...new Set([role, ...further.flatMap((each) => (each.user_id === id ? [each.role] : []))]),
  ]
  const shown = ({ id }: AdministeredUser) => detailsOf.get(id)
  const lastSeen = { label: t("console.users.seen"), cell: (user: AdministeredUser) => time(view, shown(user)?.last_seen_at ?? null) }
  return [
    { label: t("console.users.user"), cell: (user: AdministeredUser) => nameOf(view, user) },
    { label: t("console.users.state"), cell: (user: AdministeredUser) => stateOf(view, user) },
    { label: t("console.user.sign_in"), cell: (user: AdministeredUser) => waysIn(view, shown(user)?.ways_in ?? []) },
    { label: t("console.user.second_factor"), cell: (user: AdministeredUser) => factorOf(view, shown(user)?.second_factor) },
    {
      label: t("organization.role"),
      cell: (user: AdministeredUser) =>
        html`<span class="role">${view.texts.listed(rolesOf(user).map((role) => roleName(view, role)))}</span>`,
    },
    { label: t("console.users.created"), cell: ({ created_at }: AdministeredUser) => time(view, created_at) },
    ...(view.may("sessions:read") ? [lastSeen] : []),
  ] as const
}

/** The name of a user with the address. */
const nameOf = (view: ConsoleView, { id, name, email }: AdministeredUser) =>
  twoLines(userLink(view, id, named(name ?? email)), name === null ? null : leftToRight(email), "line muted")

const waysIn = (view: ConsoleView, kinds: ReadonlyArray<string>) =>
  kinds.length === 0 ? nothing : view.texts.listed(kinds.map((kind) => credentialKindName(view, kind)))

const factorOf = ({ texts }: ConsoleView, isHeld: boolean | undefined) =>
  isHeld === undefined ? nothing : texts.t(isHeld ? "account.authenticator.on" : "console.user.second_factor.off")
