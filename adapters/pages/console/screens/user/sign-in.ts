import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { isSynthetic } from "../../../../../domain/values/text.ts"
import { credentialKindName } from "../../../components/credential-kinds.ts"
import { leftToRight } from "../../../components/direction.ts"
import { phoneField } from "../../../components/fields.ts"
import { form } from "../../../components/form.ts"
import { field, type Output, Visit } from "../../../page.ts"
import { type ActionLink, actionLinks, actions, type Has, inPlace } from "../../parts/actions.ts"
import { card } from "../../parts/body.ts"
import { plainField } from "../../parts/field.ts"
import { table } from "../../parts/table.ts"
import { details, nothing, time } from "../../parts/values.ts"
import { askedId, type ConsoleView, type Template } from "../../screen.ts"
import { backToUser, type ShownUser } from "./subject.ts"

type Credentials = Output<"adminUsersCredentials">

interface Props {
  readonly user: ShownUser["user"]
  readonly credentials: Credentials
  readonly isOwn: boolean
  readonly has: Has
}

const password: ActionLink = {
  path: "/user/password",
  label: "account.password.set",
  permission: "users:credentials",
  needs: "adminUsersSetPassword",
}
const factors: ActionLink = {
  path: "/user/factors/reset",
  label: "console.user.factors.reset",
  permission: "users:credentials",
  needs: "adminUsersResetFactors",
  isDanger: true,
}

const removeFactor: ActionLink = {
  path: "/user/factor/remove",
  label: "console.remove",
  permission: "users:credentials",
  needs: "adminUsersResetFactors",
  isDanger: true,
}
const remove: ActionLink = {
  path: "/user/credential/remove",
  label: "console.remove",
  permission: "users:credentials",
  needs: "adminUsersRemoveCredential",
  isDanger: true,
}

/** How the user can sign in, and what can be done about it. */
export const signInCard: Template<Props> = (view, { user, credentials, isOwn, has }) => {
  const { t } = view.texts
  const query = { id: user.id }
  const mayChange = view.may("users:credentials")
  const hasMailbox = mayChange && !isSynthetic(user.email)
  const removalOf = ({ id, kind }: Way) =>
    id === null
      ? actionLinks(view, has, { ...query, kind }, [removeFactor])
      : actionLinks(view, has, { ...query, credential: id }, [remove])
  return card(
    t("console.user.sign_in"),
    {},
    details([
      [t("console.user.second_factor"), t(credentials.second_factor ? "account.authenticator.on" : "console.user.second_factor.off")],
    ]),
    table({
      caption: t("console.user.sign_in"),
      columns: [
        { label: t("console.user.kind"), cell: ({ kind }) => credentialKindName(view, kind) },
        { label: t("field.account"), cell: ({ account }) => (account === null ? nothing : leftToRight(account)) },
        { label: t("console.user.added"), cell: ({ added }) => time(view, added) },
        { label: t("console.actions"), cell: (way) => (isOwn ? null : html`${removalOf(way)}`) },
      ],
      rows: waysOf(credentials),
      empty: t("console.user.sign_in.none"),
    }),
    actions(
      ...actionLinks(view, has, query, [password]),
      hasMailbox ? sendForm(view, "send_reset") : null,
      hasMailbox && !user.email_verified ? sendForm(view, "send_verification") : null,
      mayChange && has("adminUsersSetUsername") ? usernameForm(view) : null,
      mayChange && has("adminUsersSetPhone") ? setPhoneForm(view) : null,
      ...(isOwn ? [] : actionLinks(view, has, query, [factors])),
    ),
  )
}

interface Way {
  /** Null for a factor that is no account: it is removed by its kind. */
  readonly id: string | null
  readonly kind: string
  readonly account: string | null
  readonly added: string | null
}

const waysOf = ({ accounts, authenticators, password_set_at }: Credentials): ReadonlyArray<Way> => [
  ...accounts.map(({ id, provider_id, account_id, created_at }) => ({
    id,
    kind: provider_id,
    account: withoutName.has(provider_id) ? null : account_id,
    added: provider_id === "credential" ? (password_set_at ?? created_at) : created_at,
  })),
  ...authenticators.map(({ kind, created_at }) => ({ id: null, kind, account: null, added: created_at })),
]
/** The kinds whose accounts are named by ids. */
const withoutName: ReadonlySet<string> = new Set(["credential", "passkey"])

const sends = {
  send_reset: ["console.user.send_reset", "console.user.send_reset.about"],
  send_verification: ["account.email.verify", "console.user.send_verification.about"],
} as const

const sendForm = (view: ConsoleView, action: keyof typeof sends) => {
  const { t } = view.texts
  const [label, about] = sends[action]
  return inPlace(view, t(label), [], html`<p>${t(about)}</p>`, form(view, { action, submit: t(label), look: "small" }))
}

const usernameForm = (view: ConsoleView) => {
  const { t } = view.texts
  const body = plainField(view, {
    name: "username",
    label: t("account.username.new"),
    hint: t("console.user.username.hint"),
    required: false,
    maxlength: 64,
  })
  return inPlace(
    view,
    t("account.username"),
    ["username"],
    form(view, { action: "set_username", submit: t("account.save"), look: "small", body }),
  )
}

const setPhoneForm = (view: ConsoleView) => {
  const { t } = view.texts
  const body = phoneField(view, { name: "phone", label: t("account.phone.new"), hint: t("account.phone.hint") })
  return inPlace(view, t("account.phone"), ["phone"], form(view, { action: "set_phone", submit: t("account.save"), look: "small", body }))
}

const send = (operation: "adminUsersSendReset" | "adminUsersSendVerification") =>
  Effect.gen(function* () {
    const { call } = yield* Visit
    yield* call(operation, { user_id: yield* askedId })
    return yield* backToUser("console.user.sent")
  })

export const signInActions = {
  send_reset: send("adminUsersSendReset"),
  send_verification: send("adminUsersSendVerification"),
  set_username: Effect.gen(function* () {
    const { call, form } = yield* Visit
    yield* call("adminUsersSetUsername", { user_id: yield* askedId, username: field(form, "username").trim() || null })
    return yield* backToUser("account.saved")
  }),
  set_phone: Effect.gen(function* () {
    const { call, form } = yield* Visit
    yield* call("adminUsersSetPhone", { user_id: yield* askedId, phone: field(form, "phone") })
    return yield* backToUser("account.saved")
  }),
}
