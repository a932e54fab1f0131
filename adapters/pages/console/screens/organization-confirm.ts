import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { id } from "../parts/values.ts"
import { askedId, calling, Operator } from "../screen.ts"

/** The organization of the page, by the id in its address. */
const shown = Effect.gen(function* () {
  const { call } = yield* Visit
  return (yield* call("adminOrganizationsShow", { organization_id: yield* askedId })).organization
})

export const removeMember = confirmation({
  path: "/organization/remove",
  permission: "members:update",
  also: ["organizations:read", "users:read"],
  section: "/organizations",
  needs: ["adminOrganizationsShow", "adminUsersShow", "adminOrganizationsRemoveMember"],
  problems: { sole_owner: "console.member.sole_owner" },
  title: "organization.member.remove",
  text: "console.member.remove.text",
  subject: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { t } = (yield* Operator).view.texts
    const [organization, { user }] = yield* Effect.all([shown, call("adminUsersShow", { user_id: query.get("user") ?? "" })], {
      concurrency: 2,
    })
    return {
      id: user.id,
      name: user.name ?? user.email,
      about: [
        [t("field.email"), leftToRight(user.email)],
        [t("console.organization"), organization.name],
        [t("console.id"), id(user.id)],
      ],
      page: ["/organization", { id: organization.id }],
      pageName: organization.name,
    } satisfies Subject
  }),
  run: ({ id: user_id, page: [, query] }) =>
    calling("console.member.removed", "adminOrganizationsRemoveMember", { organization_id: query?.["id"] ?? "", user_id }),
})

export const deleteOrganization = confirmation({
  path: "/organization/delete",
  permission: "organizations:delete",
  section: "/organizations",
  needs: ["adminOrganizationsShow", "adminOrganizationsDelete"],
  title: "organization.delete",
  text: "console.organization.delete.text",
  subject: Effect.gen(function* () {
    const { t } = (yield* Operator).view.texts
    const { id: own, name, slug } = yield* shown
    const about = [
      [t("organization.slug"), leftToRight(slug)],
      [t("console.id"), id(own)],
    ] as const
    return { id: own, name, about, page: ["/organizations"], pageName: t("account.organizations"), typed: slug } satisfies Subject
  }),
  run: ({ id: organization_id }) => calling("console.organization.deleted", "adminOrganizationsDelete", { organization_id }),
})
