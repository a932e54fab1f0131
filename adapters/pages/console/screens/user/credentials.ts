import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { AccountNotFound, NotFound } from "../../../../../domain/errors.ts"
import { credentialKindName } from "../../../components/credential-kinds.ts"
import { checkbox, newPasswordField } from "../../../components/fields.ts"
import { field, Visit } from "../../../page.ts"
import { confirmation } from "../../confirmation.ts"
import { type ConsoleView, calling, Operator } from "../../screen.ts"
import { userSubject } from "./subject.ts"

const common = { permission: "users:credentials", section: "/users", subject: userSubject } as const

/** What kind of credential is removed. */
const aboutKind = (view: ConsoleView, kind: string) => [view.texts.t("console.user.kind"), html`${credentialKindName(view, kind)}`] as const

/** Whether the last way to sign in can be removed. */
const isForced = Effect.map(Visit, ({ form }) => field(form, "force") === "yes")

export const setPassword = confirmation({
  ...common,
  path: "/user/password",
  needs: ["adminUsersShow", "adminUsersSetPassword"],
  title: "account.password.set",
  text: "console.user.password.text",
  subject: Effect.gen(function* () {
    const { email_password } = (yield* Visit).site.core
    const { min_password_length: minimum, max_password_length: maximum } = email_password
    return { ...(yield* userSubject), lengths: { minimum, maximum } }
  }),
  fields: (view, { lengths }) => newPasswordField(view, lengths),
  run: Effect.fnUntraced(function* setPasswordOf({ id: user_id }, { version }) {
    const { call, form } = yield* Visit
    yield* call("adminUsersSetPassword", { user_id, password: field(form, "new_password"), expected_version: version })
    return "console.user.password.done" as const
  }),
})

export const resetFactors = confirmation({
  ...common,
  path: "/user/factors/reset",
  needs: ["adminUsersShow", "adminUsersResetFactors"],
  title: "console.user.factors.reset",
  text: "console.user.factors.reset.text",
  needsReason: true,
  fields: (view) => checkbox(view, { name: "force", label: view.texts.t("console.user.force") }),
  run: Effect.fnUntraced(function* resetFactorsOf({ id: user_id }, { reason, version }) {
    const { call } = yield* Visit
    yield* call("adminUsersResetFactors", { user_id, reason, force: yield* isForced, expected_version: version })
    return "console.user.factors.reset.done" as const
  }),
})

export const removeFactor = confirmation({
  ...common,
  path: "/user/factor/remove",
  needs: ["adminUsersShow", "adminUsersCredentials", "adminUsersResetFactors"],
  title: "console.user.factor.remove",
  text: "console.user.factor.remove.text",
  needsReason: true,
  subject: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const subject = yield* userSubject
    const { authenticators } = yield* call("adminUsersCredentials", { user_id: subject.id })
    const factor = authenticators.find(({ kind }) => kind === query.get("kind"))
    if (factor === undefined) return yield* new NotFound()
    return { ...subject, about: [...subject.about, aboutKind(view, factor.kind)], kind: factor.kind }
  }),
  run: ({ id: user_id, kind }, { reason, version }) =>
    calling("console.user.factor.removed", "adminUsersResetFactors", { user_id, kind, reason, expected_version: version }),
})

export const removeCredential = confirmation({
  ...common,
  path: "/user/credential/remove",
  needs: ["adminUsersShow", "adminUsersCredentials", "adminUsersRemoveCredential"],
  title: "console.user.credential.remove",
  text: "console.user.credential.remove.text",
  subject: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const subject = yield* userSubject
    const { accounts } = yield* call("adminUsersCredentials", { user_id: subject.id })
    const account = accounts.find(({ id }) => id === query.get("credential"))
    if (account === undefined) return yield* new AccountNotFound()
    return { ...subject, about: [...subject.about, aboutKind(view, account.provider_id)], credential_id: account.id }
  }),
  fields: (view) => checkbox(view, { name: "force", label: view.texts.t("console.user.force") }),
  run: Effect.fnUntraced(function* removeCredentialOf({ id: user_id, credential_id }, { version }) {
    const { call } = yield* Visit
    yield* call("adminUsersRemoveCredential", { user_id, credential_id, force: yield* isForced, expected_version: version })
    return "console.user.credential.removed" as const
  }),
})
