import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { InvalidCredentials } from "../../../domain/errors.ts"
import { leftToRight } from "../components/direction.ts"
import { identifierField, passwordField } from "../components/fields.ts"
import { button, card, form, or } from "../components/form.ts"
import { withIcon } from "../components/icons.ts"
import { hintIn } from "../entered.ts"
import { field, page, Visit } from "../page.ts"
import { opensAccounts } from "../site.ts"
import type { Template, View } from "../view.ts"
import { completeSignIn, keepReturnTarget, signedInUser } from "./complete.ts"
import { passkeyForm, passkeySignIn } from "./passkey.ts"
import { providerForm, socialSignIn } from "./providers.ts"
import { send, sendTo } from "./send.ts"
import { walletForm, walletSignIn } from "./wallet.ts"

/** How users can sign in here. */
export interface Methods {
  readonly password: boolean
  readonly username: boolean
  readonly emailCode: boolean
  readonly magicLink: boolean
  readonly phone: boolean
  readonly passkey: boolean
  readonly wallet: boolean
  readonly providers: ReadonlyArray<string>
  /** The pages of the operator's modules that sign in. */
  readonly pages: ReadonlyArray<{ readonly href: string; readonly label: string }>
  readonly signUp: boolean
}

const methods = Effect.map(Visit, ({ has, site, view }): Methods => {
  const password = site.core.email_password.enabled
  return {
    password,
    username: password && has("signInUsername"),
    emailCode: has("emailOtpSend"),
    magicLink: has("magicLinkSend"),
    phone: has("signInPhone"),
    passkey: has("passkeyAuthenticateVerify"),
    wallet: has("siweVerify"),
    providers: site.providers,
    pages: site.pages.flatMap(({ path, signIn }) =>
      signIn === undefined ? [] : [{ href: view.href(path), label: view.texts.find(signIn) ?? signIn }],
    ),
    signUp: password && opensAccounts(site),
  }
})

interface Props {
  readonly methods: Methods
  readonly identifier: string
  /** Whether the visitor who is signed in asked for another account. */
  readonly isAnother?: boolean
}

/** The sign-in page: name and password together, so that it says nothing about whether an account exists. */
export const template: Template<Props> = (view, { methods, identifier, isAnother = false }) => {
  const { t } = view.texts
  const { passkey, wallet, providers, pages } = methods
  const links = pages.map(({ href, label }) => html`<a class="button secondary" href="${href}">${label}</a>`)
  const form = nameForm(view, methods, identifier)
  const hasOthers = passkey || wallet || providers.length + links.length > 0
  return card(
    view,
    t("sign_in.title", { service: view.branding.name }),
    html`${form}
${form !== null && hasOthers ? or(view) : null}
<div class="stack">${passkey ? passkeyForm(view, t("sign_in.passkey")) : null}${providers.map((id) => providerForm(view, id))}${wallet ? walletForm(view) : null}${links}</div>
${methods.signUp ? html`<p class="after">${t("sign_in.no_account")} <a href="${view.href("/sign-up", isAnother ? { another: "yes" } : {})}">${t("sign_in.sign_up")}</a></p>` : null}`,
  )
}

/** The form with the name and the sign-in methods that need one. The Enter key uses the first method. Null without such a method. */
const nameForm = (view: View, methods: Methods, identifier: string) => {
  const { t } = view.texts
  const [first, ...others] = [
    methods.password ? [{ action: "password", submit: t("sign_in.submit") }] : [],
    methods.emailCode ? [{ action: "email_code", submit: withIcon("envelope", t("sign_in.email_code")) }] : [],
    methods.magicLink ? [{ action: "magic_link", submit: withIcon("envelope", t("sign_in.magic_link")) }] : [],
    methods.phone ? [{ action: "phone_code", submit: withIcon("phone", t("sign_in.phone_code")) }] : [],
  ].flat()
  if (first === undefined) return null
  const field = { name: "identifier", label: labelOf(view, methods), value: identifier }
  const name = identifierField(view, field, { passkeys: methods.passkey })
  const password = html`${passwordField(view)}<p><a href="${view.href("/forgot-password")}">${t("sign_in.forgot")}</a></p>`
  const more = others.map(({ action, submit }) => button(submit, action))
  return form(view, { ...first, body: html`${name}${methods.password ? password : null}`, more: html`${more}` })
}

const labelOf = ({ texts }: View, { username, phone, password, emailCode, magicLink }: Methods) => {
  if (!password && !emailCode && !magicLink) return texts.t("field.phone")
  if (username && phone) return texts.t("sign_in.identifier.all")
  if (username) return texts.t("sign_in.identifier.username")
  return phone ? texts.t("sign_in.identifier.phone") : texts.t("sign_in.identifier.email")
}

interface Continued {
  readonly email: string
  readonly name: string | null
  /** Where the visitor wanted to go. */
  readonly to: string
  readonly hasAccounts: boolean
}

/** The page for visitors who are signed in already. */
export const signedInTemplate: Template<Continued> = (view, { email, name, to, hasAccounts }) => {
  const { t, rich } = view.texts
  const user = html`<strong>${name === null ? leftToRight(email) : html`<bdi>${name}</bdi>`}</strong>`
  return card(
    view,
    t("signed_in.title"),
    html`<p>${rich("signed_in.text", { user })}${name === null ? null : html`<br><span class="muted">${leftToRight(email)}</span>`}</p>
<div class="stack"><a class="button" href="${to}">${t("signed_in.continue")}</a>
<a class="button secondary" href="${hasAccounts ? view.href("/choose-account") : view.href("/sign-in", { another: "yes" })}">${t("signed_in.other")}</a></div>
<p class="after"><a href="${view.href("/sign-out")}">${t("signed_in.sign_out")}</a></p>`,
  )
}

/** The refusal of a user name, which the text of the error calls an e-mail address. */
const wrongUsername = () => Effect.fail(new InvalidCredentials({ reason: "username_or_password" }))

const passwordSignIn = Effect.gen(function* () {
  const { form, has, call, setFlow } = yield* Visit
  const identifier = field(form, "identifier").trim()
  const password = field(form, "password")
  setFlow({ identifier })
  const isUsername = !identifier.includes("@") && has("signInUsername")
  const body = isUsername
    ? yield* Effect.catchTag(call("signInUsername", { username: identifier, password }), "invalid_credentials", wrongUsername)
    : yield* call("signInEmail", { email: identifier, password })
  return yield* completeSignIn(body, identifier)
})

/** The password was right, but the address is not verified: mails the link again. A visitor who signed in by a user name enters the address first. */
const unverified = Effect.gen(function* () {
  const { view, form, setFlow } = yield* Visit
  const identifier = field(form, "identifier").trim()
  setFlow({ problem: "error.email_not_verified" })
  return identifier.includes("@") ? yield* send("verify", identifier) : { to: view.href("/verify-email") }
})

export const signIn = page({
  path: "/sign-in",
  needs: [],
  uses: ["signInUsername", "emailOtpSend", "phoneSendOtp", "magicLinkSend", "signInSocial", "siweVerify", "passkeyAuthenticateVerify"],
  access: "public",
  show: Effect.gen(function* () {
    const { view, query, flow, has, site } = yield* Visit
    yield* keepReturnTarget
    const user = query.has("another") ? null : yield* signedInUser
    if (user !== null && query.get("prompt") === "login") return { to: view.href("/step-up", { return_to: flow().return_to ?? "" }) }
    if (user !== null) {
      const to = site.returnTarget(flow().return_to ?? null) ?? view.href("/account")
      const main = signedInTemplate(view, { email: user.email, name: user.name, to, hasAccounts: has("multiSessionList") })
      return { title: view.texts.t("signed_in.title"), main }
    }
    const identifier = hintIn(query) ?? flow().identifier ?? ""
    const offered = yield* methods
    const scripts = [offered.passkey ? (["passkey"] as const) : [], offered.wallet ? (["wallet"] as const) : []].flat()
    return {
      title: view.texts.t("sign_in.title", { service: view.branding.name }),
      main: template(view, { methods: offered, identifier, isAnother: query.has("another") }),
      scripts,
    }
  }),
  actions: {
    password: Effect.catchTag(passwordSignIn, "email_not_verified", () => unverified),
    email_code: sendTo("email_code", "identifier"),
    magic_link: sendTo("magic_link", "identifier"),
    phone_code: sendTo("phone_code", "identifier"),
    social: socialSignIn,
    passkey: passkeySignIn,
    wallet: walletSignIn,
  },
})
