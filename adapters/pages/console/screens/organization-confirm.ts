import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { id } from "../parts/details.ts"
import { Operator } from "../screen.ts"

/** The organization of the page, by the id in its address. */
const shown = Effect.gen(function* () {
  const { call, query } = yield* Visit
  return (yield* call("adminOrganizationsShow", { organization_id: query.get("id") ?? "" })).organization
})

export const removeMember = confirmation({
  path: "/organization/remove",
  permission: "members:update",
  also: ["organizations:read", "users:read"],
  section: "/organizations",
  needs: ["adminOrganizationsShow", "adminUsersShow", "adminOrganizationsRemoveMember"],
  title: "console.member.remove",
  text: "console.member.remove.text",
  asksReason: false,
  subject: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { t } = (yield* Operator).view.texts
    const organization = yield* shown
    const { user } = yield* call("adminUsersShow", { user_id: query.get("user") ?? "" })
    const subject: Subject = {
      id: user.id,
      name: user.name ?? user.email,
      about: [
        [t("console.user.address"), leftToRight(user.email)],
        [t("console.organization"), organization.name],
        [t("console.id"), id(user.id)],
      ],
      page: ["/organization", { id: organization.id }],
    }
    return subject
  }),
  run: Effect.fnUntraced(function* removeMember({ id: user_id, page: [, query] }) {
    const { call } = yield* Visit
    yield* call("adminOrganizationsRemoveMember", { organization_id: query?.["id"] ?? "", user_id })
    return "console.member.removed" as const
  }),
})

export const deleteOrganization = confirmation({
  path: "/organization/delete",
  permission: "organizations:delete",
  section: "/organizations",
  needs: ["adminOrganizationsShow", "adminOrganizationsDelete"],
  title: "console.organization.delete",
  text: "console.organization.delete.text",
  asksReason: false,
  subject: Effect.gen(function* () {
    const { t } = (yield* Operator).view.texts
    const { id: own, name, slug } = yield* shown
    const about: Subject["about"] = [
      [t("console.organization.slug"), leftToRight(slug)],
      [t("console.id"), id(own)],
    ]
    const subject: Subject = { id: own, name, about, page: ["/organizations"], typed: slug }
    return subject
  }),
  run: Effect.fnUntraced(function* removeOrganization({ id: organization_id }) {
    const { call } = yield* Visit
    yield* call("adminOrganizationsDelete", { organization_id })
    return "console.organization.deleted" as const
  }),
})
