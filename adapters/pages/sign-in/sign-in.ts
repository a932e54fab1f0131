import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { invalidMember } from "../../../domain/errors.ts"
import { leftToRight } from "../components/direction.ts"
import { identifierField, passwordField } from "../components/fields.ts"
import { button, card, describedBy, form, marked, or } from "../components/form.ts"
import { hintIn } from "../entered.ts"
import { field, page, Visit } from "../page.ts"
import { opensAccounts } from "../site.ts"
import type { Template, View } from "../view.ts"
import { keepReturnTarget, signedInUser } from "./complete.ts"
import { isNamed, type Named } from "./method-names.ts"
import { type Levels, levelsOf, methodsOf, ofPage, ofProvider } from "./methods.ts"
import { fitting, labelOf, namedActions } from "./named-ways.ts"
import { passkeyForm, passkeySignIn } from "./passkey.ts"
import { providerForm, socialSignIn } from "./providers.ts"
import { walletForm, walletSignIn } from "./wallet.ts"

/** How users can sign in here. */
export interface Methods extends Levels {
  /** Whether a password goes with user names too. */
  readonly username: boolean
  /** The labels of the operator's own pages, by their addresses. */
  readonly pages: Readonly<Record<string, { readonly href: string; readonly label: string }>>
  readonly signUp: boolean
  /** Whether the page asks for the name only, and the next one for its proof. */
  readonly identifierFirst: boolean
}

export const methods = Effect.gen(function* () {
  const { has, lastUsed, site, view } = yield* Visit
  const levels = levelsOf(methodsOf(site), site.settings.sign_in, (yield* lastUsed)?.method ?? null)
  const password = levels.first.includes("password")
  const named = [...levels.first, ...levels.others].filter(isNamed)
  const pages = site.pages.flatMap(({ path, signIn }) =>
    signIn === undefined ? [] : [[ofPage(path), { href: view.href(path), label: view.texts.find(signIn) ?? signIn }] as const],
  )
  const offered: Methods = {
    ...levels,
    username: password && has("signInUsername"),
    pages: Object.fromEntries(pages),
    signUp: password && opensAccounts(site),
    identifierFirst: site.settings.sign_in.identifier_first && (password || named.length > 1),
  }
  return offered
})

interface Props {
  readonly methods: Methods
  readonly identifier: string
  /** Whether the visitor who is signed in asked for another account. */
  readonly isAnother?: boolean
}

/**
 * The sign-in page: name and password together, or first the name alone. It says nothing about whether an account exists. Ways of the second
 * level are behind the others.
 */
export const template: Template<Props> = (view, { methods, identifier, isAnother = false }) => {
  const { t } = view.texts
  const blocks = blocksOf(methods.first).map((block) =>
    isNamed(block[0]) ? formOf(view, methods, block.filter(isNamed), identifier) : stack(view, methods, block),
  )
  return card(
    view,
    t("sign_in.title", { service: view.branding.name }),
    html`${blocks.map((block, index) => (index === 0 ? block : html`${or(view)}${block}`))}
${others(view, methods)}
${methods.signUp ? html`<p class="elsewhere">${t("sign_in.no_account")} <a href="${view.href("/sign-up", isAnother ? { another: "yes" } : {})}">${t("sign_in.sign_up")}</a></p>` : null}`,
  )
}

type Block = [string, ...Array<string>]

/** The form with the name, and the buttons before and after it. */
const blocksOf = (first: Levels["first"]): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  for (const method of first) {
    const block = isNamed(method) ? blocks.find(([one]) => isNamed(one)) : blocks.at(-1)
    if (block === undefined || isNamed(block[0]) !== isNamed(method)) blocks.push([method])
    else block.push(method)
  }
  return blocks
}

const stack = (view: View, methods: Methods, block: ReadonlyArray<string>) =>
  html`<div class="stack">${block.map((method) => methodButton(view, methods, method))}</div>`

/** The second level. It is open if one of its ways was refused. */
const others = (view: View, methods: Methods) => {
  const shown = methods.identifierFirst ? methods.others.filter((method) => !isNamed(method)) : methods.others
  if (shown.length === 0) return null
  const refused = view.problem !== null && shown.includes(pressedIn(view))
  return html`<details class="others"${html.raw`${refused ? " open" : ""}`}><summary>${view.texts.t("sign_in.other")}</summary>${stack(view, methods, shown)}</details>`
}

/** The way to sign in whose button was pressed before the page is shown again. */
const pressedIn = ({ entered }: View) => (entered("action") === "social" ? ofProvider(entered("provider")) : entered("action"))

/** The button of a way to sign in. */
const methodButton = (view: View, methods: Methods, method: string) => {
  const mark = markOf(view, methods, method)
  if (isNamed(method)) return button(labelOf(view, method), method, "secondary", { formId: nameFormId, mark })
  if (method === "passkey") return passkeyForm(view, view.texts.t("sign_in.passkey"), mark)
  if (method === "wallet") return walletForm(view, mark)
  const page = methods.pages[method]
  if (page !== undefined) return html`<a class="button secondary" href="${page.href}"${describedBy(mark)}>${page.label}${marked(mark)}</a>`
  return providerForm(view, method.slice(ofProvider("").length), mark)
}

const markOf = ({ texts }: View, { last }: Methods, method: string) => (method === last ? texts.t("sign_in.last_used") : null)

const nameFormId = "sign-in"

const nameField = (view: View, methods: Methods, identifier: string) => {
  const hasPasskeys = [...methods.first, ...methods.others].includes("passkey")
  return identifierField(view, { name: "identifier", label: nameLabel(view, methods), value: identifier }, { passkeys: hasPasskeys })
}

const formOf = (view: View, methods: Methods, shown: ReadonlyArray<Named>, identifier: string) => {
  if (!methods.identifierFirst) return nameForm(view, methods, shown, identifier)
  const { t } = view.texts
  const mark = methods.last !== null && isNamed(methods.last) ? t("sign_in.last_used") : null
  return form(view, { id: nameFormId, action: "identify", submit: t("step_up.submit"), mark, body: nameField(view, methods, identifier) })
}

/**
 * The form with the name and the ways to sign in that need one. The Enter key uses the first: the password, if there is one, since Enter in
 * its field must not do anything else.
 */
const nameForm = (view: View, methods: Methods, shown: ReadonlyArray<Named>, identifier: string) => {
  const hasPassword = shown.includes("password")
  const [action = "password", ...more] = hasPassword ? (["password", ...shown.filter((method) => method !== "password")] as const) : shown
  return form(view, {
    id: nameFormId,
    action,
    submit: labelOf(view, action),
    mark: markOf(view, methods, action),
    body: html`${nameField(view, methods, identifier)}${hasPassword ? passwordWithReset(view) : null}`,
    ...(more.length === 0 ? {} : { more: html`${more.map((method) => methodButton(view, methods, method))}` }),
  })
}

/** The password, and the link for a forgotten one. */
export const passwordWithReset = (view: View) =>
  html`${passwordField(view)}<p class="forgot"><a href="${view.href("/forgot-password")}">${view.texts.t("sign_in.forgot")}</a></p>`

const nameLabel = ({ texts }: View, { first, others, username }: Methods) => {
  const shown = [...first, ...others].filter(isNamed)
  const phone = shown.includes("phone_code")
  if (phone && shown.length === 1) return texts.t("field.phone")
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

/** Keeps the entered name for the page that asks for its proof. */
const identify = Effect.gen(function* () {
  const { form, setFlow, view } = yield* Visit
  const identifier = field(form, "identifier").trim()
  const { username, first, others } = yield* methods
  if (fitting(identifier, [...first, ...others].filter(isNamed), username).length === 0)
    return yield* invalidMember(username ? "username" : "email", "expected a name to sign in with")
  setFlow({ identifier })
  return { to: view.href("/sign-in/proof") }
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
    const shown = [...offered.first, ...offered.others]
    const scripts = (["passkey", "wallet"] as const).filter((method) => shown.includes(method))
    return {
      title: view.texts.t("sign_in.title", { service: view.branding.name }),
      main: template(view, { methods: offered, identifier, isAnother: query.has("another") }),
      scripts,
    }
  }),
  actions: {
    ...namedActions,
    identify,
    social: socialSignIn,
    passkey: passkeySignIn,
    wallet: walletSignIn,
  },
})
