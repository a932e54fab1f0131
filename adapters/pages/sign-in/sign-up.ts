import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import type { Attributes } from "../../../domain/attributes/attributes.ts"
import type { AuthError } from "../../../domain/errors.ts"
import { attributeField, enteredAttributes } from "../components/attribute-fields.ts"
import { emailField, inputField, newPasswordField } from "../components/fields.ts"
import { card, form, or } from "../components/form.ts"
import { hintIn } from "../entered.ts"
import { field, page, Visit } from "../page.ts"
import { opensAccounts, type Site } from "../site.ts"
import type { Template, View } from "../view.ts"
import { completeSignIn, keepReturnTarget, signedInUser } from "./complete.ts"
import { providersOf } from "./methods.ts"
import { providerForm, socialSignIn } from "./providers.ts"
import { newSecret, remember, send } from "./send.ts"

/** What is asked of every new user. */
export interface Asked {
  readonly minimum: number
  readonly maximum: number
  readonly attributes: Attributes
}

interface Props extends Asked {
  readonly email: string
  readonly providers: ReadonlyArray<string>
}

/** The fields for a new user with a password, and the field of the address. */
export const accountFields = (view: View, { attributes, ...lengths }: Asked, address: SafeHtml) => {
  const { t } = view.texts
  const { terms, privacy } = view.branding.links
  return html`${inputField(view, {
    name: "name",
    label: t("field.name"),
    required: false,
    attributes: { autocomplete: "name", enterkeyhint: "next", maxlength: "256" },
  })}${address}${newPasswordField(view, lengths)}${attributes.map((attribute) => attributeField(view, attribute))}
${terms === undefined && privacy === undefined ? null : html`<p class="muted">${t("sign_up.terms")}</p>`}`
}

/** What the fields of a new user ask of a service. */
export const askedBy = ({ core, signUpAttributes }: Pick<Site, "core" | "signUpAttributes">): Asked => {
  const { min_password_length: minimum, max_password_length: maximum } = core.email_password
  return { minimum, maximum, attributes: signUpAttributes }
}

/** What was entered in them. */
export const enteredAccount = Effect.map(Visit, ({ form, site: { signUpAttributes } }) => {
  const name = field(form, "name").trim()
  const attributes = enteredAttributes(form, signUpAttributes)
  return {
    password: field(form, "new_password"),
    ...(name === "" ? {} : { name }),
    ...(signUpAttributes.length === 0 ? {} : { attributes }),
  }
})

/** The sign-up page. */
export const template: Template<Props> = (view, { email, providers, ...asked }) => {
  const { t } = view.texts
  const address = emailField(view, { name: "email", label: t("field.email"), value: email }, "next")
  const fields = accountFields(view, asked, address)
  return card(
    view,
    t("sign_up.title", { service: view.branding.name }),
    html`${form(view, { action: "sign_up", submit: t("sign_up.submit"), body: fields })}
${providers.length === 0 ? null : html`${or(view)}<div class="stack">${providers.map((id) => providerForm(view, id))}</div>`}
${toSignIn(view)}`,
  )
}

/** The page where users cannot sign up, or not with a password. */
export const closedTemplate: Template<{ readonly why: "sign_up.closed.text" | "error.registration_closed" }> = (view, { why }) => {
  const { t } = view.texts
  return card(view, t("sign_up.closed.title"), html`<p>${t(why)}</p>${toSignIn(view)}`)
}

/** The link for visitors who have an account. */
export const toSignIn = (view: View, query: Readonly<Record<string, string>> = {}) =>
  html`<p class="elsewhere">${view.texts.t("sign_up.has_account")} <a href="${view.href("/sign-in", query)}">${view.texts.t("sign_up.sign_in")}</a></p>`

const register = Effect.fnUntraced(function* register(flow: string) {
  const { form, call, site, setFlow } = yield* Visit
  const email = field(form, "email").trim()
  setFlow({ identifier: email, method: "password" })
  const body = yield* call("signUpEmail", { email, ...(yield* enteredAccount), flow })
  return site.core.email_password.require_email_verification ? yield* remember("verify", email, flow) : yield* completeSignIn(body)
})

/**
 * A required second factor is enrolled at the first sign-in, after the address is verified. Where addresses must be verified, a taken one
 * gets the same page as a free one.
 */
const verifyFirst = Effect.fnUntraced(function* verifyFirst(error: AuthError, flow: string) {
  const { form, site } = yield* Visit
  const email = field(form, "email").trim()
  if (error._tag === "email_not_verified") return yield* remember("verify", email, flow)
  const isTaken = error._tag === "user_already_exists" && site.core.email_password.require_email_verification
  return isTaken ? yield* send("verify", email) : yield* error
})

const registerOnce = Effect.suspend(() => {
  const flow = newSecret()
  return Effect.catch(register(flow), (error) => verifyFirst(error, flow))
})

export const signUp = page({
  path: "/sign-up",
  needs: ["signUpEmail"],
  uses: ["signInSocial"],
  access: "public",
  show: Effect.gen(function* () {
    const { view, site, flow, query } = yield* Visit
    const { t } = view.texts
    yield* keepReturnTarget
    if (!query.has("another") && (yield* signedInUser) !== null) return { to: view.href("/sign-in") }
    const { enabled } = site.core.email_password
    const isOpen = opensAccounts(site)
    // Invited people can use the methods of the sign-in page.
    if (!enabled && isOpen && site.core.registration !== undefined) return { to: view.href("/sign-in") }
    if (!enabled || !isOpen) {
      const why = isOpen ? "sign_up.closed.text" : "error.registration_closed"
      return { title: t("sign_up.closed.title"), main: closedTemplate(view, { why }) }
    }
    const main = template(view, {
      ...askedBy(site),
      email: hintIn(query) ?? flow().identifier ?? "",
      providers: providersOf(site),
    })
    return { title: t("sign_up.title", { service: view.branding.name }), main }
  }),
  actions: { sign_up: registerOnce, social: socialSignIn },
})
