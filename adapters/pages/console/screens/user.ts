import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Permission } from "../../../../domain/administration/permissions.ts"
import type { Attributes } from "../../../../domain/attributes/attributes.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import type { Key } from "../../../texts/texts.ts"
import { Visit } from "../../page.ts"
import type { Has } from "../parts/actions.ts"
import { body } from "../parts/body.ts"
import { filtersIn } from "../parts/filters.ts"
import { part } from "../parts/part.ts"
import { Operator, type Screen, type Template } from "../screen.ts"
import { activityCard, activityOf } from "./user/activity.ts"
import { consentActions, consentsCard } from "./user/consents.ts"
import { dangerCard } from "./user/danger.ts"
import { membershipsCard } from "./user/memberships.ts"
import { profileActions, profileCard } from "./user/profile.ts"
import { requiredActions, requiredCard } from "./user/required.ts"
import { rolesCard } from "./user/roles.ts"
import { sessionActions, sessionsCard } from "./user/sessions.ts"
import { signInActions, signInCard } from "./user/sign-in.ts"
import { type ShownUser, userShown } from "./user/subject.ts"

interface Props {
  readonly shown: ShownUser
  /** Whether it is the visitor, who cannot do most of it to themselves. */
  readonly isOwn: boolean
  readonly has: Has
  readonly attributes: Attributes
  /** The parts of the page, each of which can fail alone. */
  readonly parts: ReadonlyArray<SafeHtml>
}

/** One user, with all that an administrator can do. */
export const template: Template<Props> = (view, { shown, isOwn, has, attributes, parts }) => {
  const { user } = shown
  const parent = { href: view.at("/users"), label: view.texts.t("console.users") }
  return body(
    view,
    { title: user.name ?? user.email, parent },
    profileCard(view, { shown, isOwn, has, attributes }),
    ...parts,
    rolesCard(view, { shown, isOwn, has }),
    isOwn ? null : dangerCard(view, shown, has),
  )
}

type Part = readonly [title: Key, permission: Permission, shown: Effect.Effect<SafeHtml, AuthError, Visit>]

/** The parts that read more than the user. */
const partsOf = Effect.fnUntraced(function* partsOf({ shown: { user }, isOwn, has }: Omit<Props, "parts">) {
  const { call, query } = yield* Visit
  const { view } = yield* Operator
  const user_id = user.id
  const place = filtersIn(query, [])
  const all: ReadonlyArray<Part | null> = [
    [
      "console.user.sign_in",
      "users:read",
      Effect.map(
        call("adminUsersCredentials", { user_id }),
        (credentials) =>
          html`${signInCard(view, { user, credentials, isOwn, has })}${credentials.required_actions_enabled ? requiredCard(view, credentials) : null}`,
      ),
    ],
    [
      "console.user.sessions",
      "sessions:read",
      Effect.map(call("adminUsersSessions", { user_id }), ({ sessions }) => sessionsCard(view, { user_id, sessions, has })),
    ],
    [
      "account.organizations",
      "users:read",
      Effect.map(call("adminUsersMemberships", { user_id, limit: 20, ...place }), (found) =>
        membershipsCard(view, { ...found, query: { id: user_id, ...place } }),
      ),
    ],
    has("adminUsersConsents")
      ? ["account.applications", "users:read", Effect.map(call("adminUsersConsents", { user_id }), (found) => consentsCard(view, found))]
      : null,
    has("adminAuditList")
      ? ["console.user.activity", "audit:read", Effect.map(activityOf(user_id), (entries) => activityCard(view, { user_id, entries }))]
      : null,
  ]
  const permitted = all.filter((each) => each !== null).filter(([, permission]) => view.may(permission))
  return yield* Effect.all(
    permitted.map(([title, , content]) => part(view, view.texts.t(title), content)),
    { concurrency: "unbounded" },
  )
})

export const user: Screen = {
  path: "/user",
  permission: "users:read",
  needs: ["adminUsersShow"],
  uses: [
    "adminAuditList",
    "adminUnbanUser",
    "adminUsersConsents",
    "adminUsersCredentials",
    "adminUsersMemberships",
    "adminUsersRequire",
    "adminUsersResume",
    "adminUsersRevokeConsent",
    "adminUsersRevokeSession",
    "adminUsersSendReset",
    "adminUsersSendVerification",
    "adminUsersSessions",
    "adminUsersSetPhone",
    "adminUsersSetUsername",
    "adminUsersUpdate",
  ],
  section: "/users",
  show: Effect.gen(function* () {
    const { has, site } = yield* Visit
    const { view, id } = yield* Operator
    const shown = yield* userShown
    const { user } = shown
    const props = { shown, isOwn: user.id === id, has, attributes: site.attributes.user }
    return { title: user.name ?? user.email, main: template(view, { ...props, parts: yield* partsOf(props) }) }
  }),
  actions: { ...profileActions, ...signInActions, ...requiredActions, ...sessionActions, ...consentActions },
}
