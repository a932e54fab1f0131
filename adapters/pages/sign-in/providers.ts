import { Effect } from "effect"
import { providerNameIn } from "../../texts/provider-name.ts"
import { form } from "../components/form.ts"
import { withInitial } from "../components/icons.ts"
import { field, Visit } from "../page.ts"
import type { View } from "../view.ts"

/** The button of a social provider. */
export const providerForm = (view: View, provider: string) => {
  const name = providerNameIn(view.texts, provider)
  return form(view, {
    action: "social",
    submit: withInitial(name, view.texts.t("sign_in.provider", { provider: name })),
    look: "secondary",
    hidden: { provider },
  })
}

/** Leads to the page of the provider. */
export const socialSignIn = Effect.gen(function* () {
  const { form, call } = yield* Visit
  const { url } = yield* call("signInSocial", { provider: field(form, "provider") })
  return { to: url }
})
