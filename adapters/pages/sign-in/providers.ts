import { Effect } from "effect"
import { providerNameIn } from "../../texts/provider-name.ts"
import { form } from "../components/form.ts"
import { withMark } from "../components/icons.ts"
import { field, Visit } from "../page.ts"
import type { View } from "../view.ts"
import { ofProvider } from "./methods.ts"

/** The button of a social provider. */
export const providerForm = (view: View, provider: string, mark: string | null = null) => {
  const name = providerNameIn(view.texts, provider)
  return form(view, {
    action: "social",
    submit: withMark(provider, name, view.texts.t("sign_in.provider", { provider: name })),
    mark,
    look: "secondary",
    hidden: { provider },
  })
}

/** Leads to the page of the provider. */
export const socialSignIn = Effect.gen(function* () {
  const { form, call, setFlow } = yield* Visit
  const provider = field(form, "provider")
  const { url } = yield* call("signInSocial", { provider })
  setFlow({ method: ofProvider(provider) })
  return { to: url }
})
