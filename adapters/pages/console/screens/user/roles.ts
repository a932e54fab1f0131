import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { inputField, selectField } from "../../../components/fields.ts"
import { roleName } from "../../../components/names.ts"
import { field, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { type ActionLink, actionLinks, type Has } from "../../parts/actions.ts"
import { card } from "../../parts/body.ts"
import { dayStart } from "../../parts/days.ts"
import { plainField } from "../../parts/field.ts"
import { table } from "../../parts/table.ts"
import { details, id, roleOptions, time } from "../../parts/values.ts"
import { calling, Operator, type Template } from "../../screen.ts"
import { type ShownUser, userSubject } from "./subject.ts"

const assign: ActionLink = {
  path: "/user/role",
  label: "console.user.role.assign",
  permission: "users:roles",
  needs: "adminRolesAssign",
}
const withdraw: ActionLink = {
  path: "/user/role/withdraw",
  label: "console.user.role.withdraw",
  permission: "users:roles",
  needs: "adminRolesWithdraw",
}

interface Props {
  readonly shown: ShownUser
  readonly isOwn: boolean
  readonly has: Has
}

/** The roles of the user: the one that `set-role` sets, and those that are assigned. */
export const rolesCard: Template<Props> = (view, { shown: { user, roles }, isOwn, has }) => {
  const { t } = view.texts
  const link = (action: ActionLink, query = {}) => (isOwn ? null : html`${actionLinks(view, has, { id: user.id, ...query }, [action])}`)
  return card(
    t("console.roles"),
    { action: link(assign) },
    details([[t("organization.role"), roleName(view, user.role)]]),
    table({
      caption: t("console.roles"),
      columns: [
        { label: t("organization.role"), cell: ({ role }) => roleName(view, role) },
        {
          label: t("console.organization"),
          cell: ({ organization_id }) => (organization_id === null ? t("console.user.role.everywhere") : id(organization_id)),
        },
        { label: t("console.user.role.until"), cell: ({ expires_at }) => time(view, expires_at, t("console.user.no_end")) },
        {
          label: t("console.actions"),
          cell: ({ role, organization_id }) => link(withdraw, { role, ...(organization_id !== null && { organization: organization_id }) }),
        },
      ],
      rows: roles,
      empty: t("console.user.roles.none"),
    }),
  )
}

export const assignRole = confirmation({
  path: "/user/role",
  permission: "users:roles",
  section: "/users",
  needs: ["adminUsersShow", "adminRolesList", "adminRolesAssign"],
  title: "console.user.role.assign",
  text: "console.user.role.assign.text",
  subject: Effect.gen(function* () {
    const { call } = yield* Visit
    const [subject, { roles }] = yield* Effect.all([userSubject, call("adminRolesList")], { concurrency: 2 })
    return { ...subject, roles: roles.map(({ name }) => name) }
  }),
  fields: (view, { roles }) => {
    const { t } = view.texts
    return html`${selectField(view, {
      name: "role",
      label: t("organization.role"),
      options: roleOptions(view, roles),
    })}${plainField(view, { name: "organization_id", label: t("console.user.role.organization"), required: false, maxlength: 64 })}${inputField(
      view,
      {
        name: "expires_at",
        label: t("console.user.role.end"),
        type: "date",
        required: false,
        attributes: { autocomplete: "off" },
      },
    )}`
  },
  run: Effect.fnUntraced(function* assignRoleTo({ id: user_id }) {
    const { call, form } = yield* Visit
    const [organization_id, day] = [field(form, "organization_id").trim(), field(form, "expires_at").trim()]
    yield* call("adminRolesAssign", {
      user_id,
      role: field(form, "role"),
      ...(organization_id !== "" && { organization_id }),
      ...(day !== "" && { expires_at: dayStart(day) }),
    })
    return "console.user.role.assigned" as const
  }),
})

export const withdrawRole = confirmation({
  path: "/user/role/withdraw",
  permission: "users:roles",
  section: "/users",
  needs: ["adminUsersShow", "adminRolesWithdraw"],
  title: "console.user.role.withdraw",
  text: "console.user.role.withdraw.text",
  subject: Effect.gen(function* () {
    const { query } = yield* Visit
    const { view } = yield* Operator
    const { t } = view.texts
    const subject = yield* userSubject
    const [role, organization_id] = [query.get("role") ?? "", query.get("organization")]
    const place = organization_id === null ? [] : [[t("console.organization"), id(organization_id)] as const]
    const about = [...subject.about, [t("organization.role"), html`${roleName(view, role)}`] as const, ...place]
    return { ...subject, about, role, organization_id }
  }),
  run: ({ id: user_id, role, organization_id }) =>
    calling("console.user.role.withdrawn", "adminRolesWithdraw", {
      user_id,
      role,
      ...(organization_id !== null && { organization_id }),
    }),
})
