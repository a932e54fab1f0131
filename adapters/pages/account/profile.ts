import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { LinkedAccount, User } from "../../../client/operations.ts"
import { isSynthetic } from "../../../domain/values/text.ts"
import { leftToRight } from "../components/direction.ts"
import { inputField, selectField } from "../components/fields.ts"
import { form } from "../components/form.ts"
import { named } from "../components/names.ts"
import { field, Visit } from "../page.ts"
import { avatar, type Picture, pictureOf } from "../picture.ts"
import type { Template, View } from "../view.ts"
import { checkUp, type Protection, protection } from "./check-up.ts"
import { accountPage, framed, goTo, inSection, section, signedIn } from "./frame.ts"
import { linkedAccounts } from "./identity.ts"
import { linkButton, row, tag } from "./parts.ts"
import { signalsElement, signalsScripts } from "./passkey-signals.ts"

interface Props {
  readonly user: Pick<User, "name" | "image" | "locale" | "email" | "email_verified">
  readonly picture: Picture | null
  /** Null without a linked number; undefined where users cannot link one. */
  readonly phone: string | null | undefined
  /** Null without a user name; undefined where users cannot have one. */
  readonly username: string | null | undefined
  readonly protection: Protection
  /** Whether passkeys keep a name that has just changed. */
  readonly signals: boolean
}

/** The profile. */
export const template: Template<Props> = (view, { user, picture, phone, username, protection, signals }) => {
  const { t } = view.texts
  const fields = html`${inputField(view, {
    name: "name",
    label: t("account.name"),
    required: false,
    value: user.name ?? "",
    attributes: { autocomplete: "name", maxlength: "256", enterkeyhint: "next" },
  })}${inputField(view, {
    name: "image",
    label: t("account.image"),
    hint: t("account.image.hint"),
    required: false,
    value: user.image ?? "",
    // A path of the own origin is no URL for the type `url`.
    attributes: { autocomplete: "photo", inputmode: "url", maxlength: "2048", enterkeyhint: "done", dir: "ltr" },
  })}${languageField(view, user)}`
  const rows = [
    addressRow(view, user),
    username === undefined ? [] : usernameRow(view, username),
    phone === undefined ? [] : phoneRow(view, phone),
  ].flat()
  return framed(
    view,
    { title: t("account.profile") },
    checkUp(view, protection),
    section(
      t("account.profile.about"),
      html`<div class="person">${avatar(user.name ?? user.email, picture)}<p>${user.name === null ? leftToRight(user.email) : named(user.name)}</p></div>`,
      form(view, { action: "save", submit: t("account.save"), body: fields, look: "small" }),
    ),
    section(t("account.contact"), html`<ul class="list">${rows}</ul>`),
    section(
      t("account.delete"),
      html`<p>${t("account.delete.about")}</p>${linkButton(view.href("/account/delete"), t("account.delete"), "danger")}`,
    ),
    signals ? signalsElement(view) : null,
  )
}

/** The language of pages and mails. Scripts of an application can store others than those of the pages. */
const languageField = (view: View, { locale = "" }: Props["user"]) => {
  const { t } = view.texts
  const known = view.languages.map(({ tag, name }) => [tag, name] as const)
  const own = locale === "" || known.some(([tag]) => tag === locale) ? [] : [[locale, locale] as const]
  const options = [["", t("account.language.browser")] as const, ...own, ...known]
  return selectField(view, { name: "locale", label: t("account.language"), value: locale, options })
}

const addressRow = (view: View, { email, email_verified }: Props["user"]) => {
  const { t } = view.texts
  const change = (label: string) => linkButton(view.href("/account/email"), label)
  if (isSynthetic(email)) return row(t("account.email"), t("account.email.none"), change(t("account.email.add")))
  const state = tag(email_verified ? t("account.email.verified") : t("account.email.unverified"))
  return row(t("account.email"), html`${leftToRight(email)} ${state}`, change(t("account.email.change")))
}

const phoneRow = (view: View, phone: string | null) => {
  const { t } = view.texts
  const change = linkButton(view.href("/account/phone"), phone === null ? t("account.phone.add") : t("account.phone.change"))
  return row(t("account.phone"), phone === null ? t("account.phone.none") : leftToRight(phone), change)
}

const usernameRow = (view: View, username: string | null) => {
  const { t } = view.texts
  const isNew = username === null
  const change = linkButton(view.href("/account/username"), isNew ? t("account.username.change") : t("account.username.edit"))
  return row(t("account.username"), isNew ? t("account.username.about") : leftToRight(username), change)
}

/** Sends what has changed. An emptied field removes its value. */
const save = Effect.gen(function* () {
  const { form, call, setFlow } = yield* Visit
  const { user } = yield* signedIn
  const members = (["name", "image", "locale"] as const).map((name) => [name, field(form, name).trim()] as const)
  const changed = members.filter(([name, value]) => value !== (user[name] ?? ""))
  const changes = Object.fromEntries(changed.map(([name, value]) => [name, value === "" ? null : value]))
  yield* call("updateUser", changes)
  if ("locale" in changes) setFlow({ locale: changes["locale"] ?? undefined })
  return yield* goTo("/account", "account.saved")
})

const verify = Effect.gen(function* () {
  const { call } = yield* Visit
  const { user } = yield* signedIn
  yield* call("sendVerificationEmail", { email: user.email })
  return yield* goTo("/account", "account.email.sent")
})

/** The linked telephone number; null without one. */
const phoneIn = Effect.fnUntraced(function* phoneIn(accounts: ReadonlyArray<LinkedAccount>) {
  const { site } = yield* Visit
  const number = accounts.find(({ provider_id }) => provider_id === "phone")?.account_id
  return number === undefined ? null : yield* site.phoneShown(number)
})

export const profile = accountPage({
  path: "/account",
  needs: [],
  uses: ["passkeyList", "twoFactorTotpStatus", "twoFactorCodesStatus"],
  show: Effect.gen(function* () {
    const { view, has, call, flow, site } = yield* Visit
    const { user } = yield* signedIn
    const accounts = has("phoneVerify") ? yield* linkedAccounts : undefined
    const phone = accounts === undefined ? undefined : yield* phoneIn(accounts)
    const username = has("usernameShow") ? (yield* call("usernameShow")).username : undefined
    const signals = has("passkeyList") && ["account.saved", "account.email.changed"].includes(flow().notice ?? "")
    const picture = pictureOf(site, user.image)
    const main = template(view, { user, picture, phone, username, protection: yield* protection, signals })
    return yield* inSection("profile", view.texts.t("account.profile"), main, { scripts: signalsScripts(signals), picture })
  }),
  actions: { save, verify },
})
