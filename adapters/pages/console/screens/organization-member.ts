import { Effect } from "effect"
import type { Attributes } from "../../../../domain/attributes/attributes.ts"
import { NotFound } from "../../../../domain/errors.ts"
import { leftToRight } from "../../components/direction.ts"
import { roleName } from "../../components/names.ts"
import { field, type Input, type Output, Visit } from "../../page.ts"
import { attributesFor, attributesForm, changedAttributes, shownAttributes } from "../parts/attributes.ts"
import { body, card } from "../parts/body.ts"
import { filtersIn } from "../parts/filters.ts"
import { details, userLink } from "../parts/values.ts"
import { askedId, goTo, Operator, type Screen, type Template } from "../screen.ts"

interface Props {
  readonly member: Output<"adminOrganizationsMembers">["members"][number]
  /** The attributes that the visitor may change. */
  readonly attributes: Attributes
  /** The query of the page of the organization. */
  readonly query: Readonly<Record<string, string>>
}

/** One member of an organization, with the attributes of the membership. */
export const template: Template<Props> = (view, { member, attributes, query }) => {
  const { t } = view.texts
  const { user_id, email, role, version } = member
  return body(
    view,
    { title: email, heading: leftToRight(email), parent: { href: view.at("/organization", query), label: t("console.organization") } },
    card(
      t("console.attributes"),
      {},
      details([
        [t("console.users.user"), userLink(view, user_id, leftToRight(email))],
        [t("organization.role"), roleName(view, role)],
        ...shownAttributes(view, member),
      ]),
      view.may("members:update") ? attributesForm(view, { attributes, shown: member, version }) : null,
    ),
  )
}

/** Rows of the list of members. */
export const membersLimit = 50

/** The member, found by the place in the list of members that the address has. */
const memberShown = Effect.gen(function* () {
  const { call, query } = yield* Visit
  const { cursor } = filtersIn(query, [])
  const place = { organization_id: yield* askedId, limit: membersLimit, ...(cursor && { cursor }) }
  const { members } = yield* call("adminOrganizationsMembers", place)
  return members.find(({ user_id }) => user_id === query.get("user")) ?? (yield* new NotFound())
})

const own = Effect.gen(function* () {
  const { site } = yield* Visit
  return attributesFor((yield* Operator).view, site.attributes.member)
})

export const organizationMember: Screen = {
  path: "/organization/member",
  permission: "members:read",
  also: ["organizations:read"],
  needs: ["adminOrganizationsMembers"],
  uses: ["adminOrganizationsUpdateMember"],
  section: "/organizations",
  show: Effect.gen(function* () {
    const { query } = yield* Visit
    const { view } = yield* Operator
    const member = yield* memberShown
    const props = { member, attributes: yield* own, query: filtersIn(query, ["id", "invitations"]) }
    return { title: member.email, main: template(view, props) }
  }),
  actions: {
    attributes: Effect.gen(function* () {
      const { call, form, query } = yield* Visit
      const member = yield* memberShown
      const attributes = changedAttributes(form, yield* own, member)
      const changes = { attributes } as Input<"adminOrganizationsUpdateMember">["changes"]
      const one = { organization_id: yield* askedId, user_id: member.user_id }
      yield* call("adminOrganizationsUpdateMember", { ...one, changes, expected_version: field(form, "version") })
      return yield* goTo("/organization", "account.saved", filtersIn(query, ["id", "invitations"]))
    }),
  },
}
