import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Attributes } from "../../../../../domain/attributes/attributes.ts"
import { leftToRight } from "../../../components/direction.ts"
import { inputField, selectField } from "../../../components/fields.ts"
import { form } from "../../../components/form.ts"
import { named } from "../../../components/names.ts"
import { field, type Input, Visit } from "../../../page.ts"
import { type ActionLink, actionLinks, actions, editInPlace, type Has } from "../../parts/actions.ts"
import { attributesFor, attributesInPlace, changedAttributes, privateLink, shownAttributes } from "../../parts/attributes.ts"
import { card } from "../../parts/body.ts"
import { stateOf } from "../../parts/users.ts"
import { details, id, time } from "../../parts/values.ts"
import { askedId, type ConsoleView, Operator, type Template } from "../../screen.ts"
import { backToUser, type ShownUser, userShown } from "./subject.ts"

const links: ReadonlyArray<ActionLink> = [
  { path: "/user/address", label: "console.user.address.change", permission: "users:credentials", needs: "adminUsersSetEmail" },
]
const suspendLink: ActionLink = {
  path: "/user/suspend",
  label: "console.user.suspend",
  permission: "users:suspend",
  needs: "adminUsersSuspend",
  isDanger: true,
}

interface Props {
  readonly shown: ShownUser
  readonly isOwn: boolean
  readonly has: Has
  readonly attributes: Attributes
}

/** The user, with their attributes, and the form to change name and language. */
export const profileCard: Template<Props> = (
  view,
  { shown: { user, ban, version, erasure_due_at = null }, isOwn, has, attributes: declared },
) => {
  const { t } = view.texts
  const query = { id: user.id }
  const attributes = attributesFor(view, declared)
  return card(
    t("account.profile"),
    {},
    details([
      [t("field.email"), html`${leftToRight(user.email)} <span class="tag">${verified(view, user)}</span>`],
      [t("console.user.name"), user.name === null ? null : named(user.name)],
      [t("console.user.language"), languageName(view, user.locale ?? null)],
      [t("console.users.state"), stateOf(view, user)],
      [t("console.user.suspended_until"), ban === null ? null : time(view, ban.expires_at, t("console.user.no_end"))],
      [t("console.user.suspended_for"), ban === null || ban.reason === null ? null : named(ban.reason)],
      [t("console.user.erase.due"), erasure_due_at === null ? null : time(view, erasure_due_at)],
      [t("console.id"), id(user.id)],
      [t("console.users.created"), time(view, user.created_at)],
      ...shownAttributes(view, user),
    ]),
    actions(
      view.may("users:update") ? editForm(view, user, version) : null,
      view.may("users:update") ? attributesInPlace(view, { attributes, shown: user, version }) : null,
      privateLink(view, declared, view.at("/user", query)),
      ...actionLinks(view, has, query, user.banned || isOwn ? links : [...links, suspendLink]),
      user.banned && view.may("users:suspend")
        ? form(view, { action: "resume", submit: t("console.user.resume"), look: "small secondary" })
        : null,
    ),
  )
}

type User = ShownUser["user"]

const verified = ({ texts }: ConsoleView, { email_verified }: User) =>
  texts.t(email_verified ? "account.email.verified" : "account.email.unverified")

const languageName = ({ languages }: ConsoleView, tag: string | null) => languages.find((language) => language.tag === tag)?.name ?? tag

const editForm = (view: ConsoleView, { name, locale: stored }: User, version: string) => {
  const { t } = view.texts
  const locale = stored ?? ""
  const known = view.languages.map(({ tag, name }) => [tag, name] as const)
  const own = locale === "" || known.some(([tag]) => tag === locale) ? [] : [[locale, locale] as const]
  const body = html`${inputField(view, {
    name: "name",
    label: t("account.name"),
    required: false,
    value: name ?? "",
    attributes: { autocomplete: "off", maxlength: "256" },
  })}${selectField(view, {
    name: "locale",
    label: t("console.user.language"),
    value: locale,
    options: [["", t("console.none")], ...own, ...known],
  })}`
  return editInPlace(
    view,
    ["name", "locale"],
    form(view, { action: "edit", submit: t("account.save"), look: "small", hidden: { version }, body }),
  )
}

/** Sends what has changed. An emptied field removes its value. */
const edit = Effect.gen(function* () {
  const { call, form } = yield* Visit
  const { user } = yield* userShown
  const members = (["name", "locale"] as const).map((member) => [member, field(form, member).trim()] as const)
  const changed = members.filter(([member, value]) => value !== (user[member] ?? ""))
  const changes = Object.fromEntries(changed.map(([member, value]) => [member, value === "" ? null : value]))
  yield* call("adminUsersUpdate", { user_id: user.id, changes, expected_version: field(form, "version") })
  return yield* backToUser("account.saved")
})

const changeAttributes = Effect.gen(function* () {
  const { call, form, site } = yield* Visit
  const { view } = yield* Operator
  const { user } = yield* userShown
  const attributes = changedAttributes(form, attributesFor(view, site.attributes.user), user)
  const changes = { attributes } as Input<"adminUsersUpdate">["changes"]
  yield* call("adminUsersUpdate", { user_id: user.id, changes, expected_version: field(form, "version") })
  return yield* backToUser("account.saved")
})

const resume = Effect.gen(function* () {
  const { call } = yield* Visit
  const user_id = yield* askedId
  // Another endpoint ends a ban.
  yield* Effect.catchTag(call("adminUsersResume", { user_id }), "invalid_request", () => call("adminUnbanUser", { user_id }))
  return yield* backToUser("console.user.resumed")
})

export const profileActions = { edit, attributes: changeAttributes, resume }
