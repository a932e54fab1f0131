import { Effect } from "effect"
import { form } from "../components/form.ts"
import { withInitial } from "../components/icons.ts"
import { field, Visit } from "../page.ts"
import type { View } from "../view.ts"

/** The button of a social provider. */
export const providerForm = (view: View, provider: string) => {
  const name = providerName(provider)
  return form(view, {
    action: "social",
    submit: withInitial(name, view.texts.t("sign_in.provider", { provider: name })),
    look: "secondary",
    hidden: { provider },
  })
}

/** The name of a provider by its id: `my_company` becomes `My company`. */
export const providerName = (id: string) => names[id] ?? id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[_-]+/g, " ")
const names: Readonly<Record<string, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  line: "LINE",
  linkedin: "LinkedIn",
  paypal: "PayPal",
  tiktok: "TikTok",
  wechat: "WeChat",
}

/** Leads to the page of the provider. */
export const socialSignIn = Effect.gen(function* () {
  const { form, call } = yield* Visit
  const { url } = yield* call("signInSocial", { provider: field(form, "provider") })
  return { to: url }
})
