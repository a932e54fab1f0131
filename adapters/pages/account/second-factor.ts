import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { accountName, letterCodeField, passwordField } from "../components/fields.ts"
import { field, Visit } from "../page.ts"
import type { View } from "../view.ts"

/** The user whose second factor changes. */
export interface Owner {
  readonly email: string
  readonly hasPassword: boolean
}

/** Whether the caller has an authenticator app. */
export const isEnabled = Effect.gen(function* () {
  const { call } = yield* Visit
  return (yield* call("twoFactorTotpStatus")).enabled
})

/** The proof that changes of the second factor need: the password, or a code for users without one. */
export const proofFields = (view: View, owner: Owner) => {
  const { t } = view.texts
  return owner.hasPassword
    ? html`${accountName(view, owner.email)}${passwordField(view)}`
    : letterCodeField(view, { name: "code", label: t("account.proof.code"), hint: t("account.proof.code.hint") })
}

/** The proof that a form contains. */
export const proofOf = Effect.map(Visit, ({ form }) =>
  "password" in form ? { password: field(form, "password") } : { code: field(form, "code").trim() },
)
