import type { SafeHtml } from "@remix-run/html-template"
import { Schema } from "effect"
import { errorPage } from "../../../../adapters/pages/error-page.ts"
import * as invitation from "../../../../adapters/pages/links/invitation.ts"
import { newcomerTemplate } from "../../../../adapters/pages/links/invited-newcomer.ts"
import * as magicLink from "../../../../adapters/pages/links/magic-link.ts"
import { deadLinkTemplate } from "../../../../adapters/pages/links/mailed-link.ts"
import * as report from "../../../../adapters/pages/links/report-sign-in.ts"
import * as reset from "../../../../adapters/pages/links/reset-password.ts"
import * as verify from "../../../../adapters/pages/links/verify-email.ts"
import { NoCookies } from "../../../../adapters/pages/problems.ts"
import { continuePage } from "../../../../adapters/pages/responses.ts"
import * as accounts from "../../../../adapters/pages/sign-in/choose-account.ts"
import * as organizations from "../../../../adapters/pages/sign-in/choose-organization.ts"
import * as code from "../../../../adapters/pages/sign-in/code.ts"
import * as consent from "../../../../adapters/pages/sign-in/consent.ts"
import * as device from "../../../../adapters/pages/sign-in/device.ts"
import * as enrol from "../../../../adapters/pages/sign-in/enrol.ts"
import * as factorCode from "../../../../adapters/pages/sign-in/factor-code.ts"
import { levelsOf, ofProvider } from "../../../../adapters/pages/sign-in/methods.ts"
import * as native from "../../../../adapters/pages/sign-in/native.ts"
import * as newPassword from "../../../../adapters/pages/sign-in/new-password.ts"
import * as passkeyOffer from "../../../../adapters/pages/sign-in/passkey-offer.ts"
import * as proofOfName from "../../../../adapters/pages/sign-in/proof.ts"
import * as request from "../../../../adapters/pages/sign-in/request.ts"
import * as sent from "../../../../adapters/pages/sign-in/sent.ts"
import type { SentMethod } from "../../../../adapters/pages/sign-in/sent-methods.ts"
import * as signIn from "../../../../adapters/pages/sign-in/sign-in.ts"
import * as signOut from "../../../../adapters/pages/sign-in/sign-out.ts"
import * as signUp from "../../../../adapters/pages/sign-in/sign-up.ts"
import * as stepUp from "../../../../adapters/pages/sign-in/step-up.ts"
import * as twoFactor from "../../../../adapters/pages/sign-in/two-factor.ts"
import type { View } from "../../../../adapters/pages/view.ts"
import type { Key } from "../../../../adapters/texts/texts.ts"
import { attributesFrom } from "../../../../domain/attributes/attributes.ts"
import { Settings } from "../../../../domain/attributes/settings.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import {
  Forbidden,
  InternalError,
  InvalidRequest,
  NotFound,
  PayloadTooLarge,
  RateLimited,
  Unavailable,
  UntrustedOrigin,
} from "../../../../domain/errors.ts"
import type { Message, PageState } from "./state.ts"
import { shownOnce, withScripts } from "./state.ts"

const ada = "ada@example.com"
const long = "augusta.ada.king.countess.of.lovelace.born.byron@analytical-engines.example.com"
const arabic = "عائشة بنت أحمد"
const date = "2026-08-14T09:30:00.000Z"
const lengths = { minimum: 8, maximum: 128 }
const uri = `otpauth://totp/Sallyport:${encodeURIComponent(long)}?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Sallyport`
const codes = Array.from({ length: 10 }, (_, n) => `abcd${n}-efgh2`)

type Main = (view: View) => SafeHtml
type Shown = readonly [name: string, main: Main, message?: Message]
type Title = Key | ((view: View) => string)

/** The states of one page. */
const statesOf = (page: string, title: Title, shown: ReadonlyArray<Shown>): ReadonlyArray<PageState> =>
  shown.map(([name, main, message]) => ({
    page,
    name,
    title: (view) => (typeof title === "string" ? view.texts.t(title, { service: view.branding.name }) : title(view)),
    ...shownOnce(message),
    main,
  }))

const sentWays = ["email_code", "magic_link", "phone_code"]
const every = ["password", ...sentWays, "passkey", "provider:google", "provider:my_company", "page:/sign-in/ldap", "wallet"]
const many = [...every, ...["github", "apple", "microsoft", "gitlab"].map(ofProvider)]
const few = ["password", "email_code", "provider:google"]

interface Chosen {
  readonly identifierFirst?: boolean
  readonly shown?: ReadonlyArray<string>
  readonly order?: ReadonlyArray<string>
  readonly used?: string
}
/** The sign-in page with these ways, in this order. */
const withName =
  (identifier: string, { shown = every, order = [], used, identifierFirst = false }: Chosen = {}): Main =>
  (view) => {
    const hasPassword = shown.includes("password")
    const methods = {
      ...levelsOf(shown, { order, hidden: [] }, used ?? null),
      username: hasPassword && shown.length > 3,
      pages: { "page:/sign-in/ldap": { href: "/sign-in/ldap", label: "Mit dem Firmenkonto der Analytical Engines Gesellschaft anmelden" } },
      signUp: hasPassword,
      identifierFirst,
    }
    return signIn.template(view, { methods, identifier })
  }
/** The same after a button of the second level was refused. */
const refusedWith = (action: string): Main => {
  const main = withName("+44 (20) 7946-0018")
  return (view) => main({ ...view, entered: (name) => (name === "action" ? action : "") })
}

const signInStates = [
  ...statesOf("/sign-in", "sign_in.title", [
    ["empty", withName("")],
    ["hinted", withName(long)],
    ["password only", withName("", { shown: ["password"] })],
    ["name first", withName("", { identifierFirst: true })],
    ["name first, many ways", withName(long, { shown: many, used: "email_code", identifierFirst: true })],
    ["few ways", withName("", { shown: few })],
    ["many ways", withName("", { shown: many })],
    ["password used last", withName("", { used: "password" })],
    ["provider used last", withName("", { shown: many, used: "provider:github" })],
    ["passkey used last", withName("", { used: "passkey" })],
    ["link used last", withName("", { used: "magic_link" })],
    ["order of its own", withName("", { shown: many, order: ["provider:microsoft", "provider:apple", "email_code", "wallet"] })],
    ["without passwords", withName("", { shown: every.slice(1) })],
    ["providers only", withName("", { shown: every.slice(4) })],
    ["wrong number", refusedWith("phone_code"), ["fault.phone", "identifier"]],
    ["wrong", withName(long), ["error.invalid_credentials", "password"]],
    ["throttled", withName(long), ["error.rate_limited", null]],
    ["banned", withName(long), ["error.banned", null]],
    ["unverified", withName(long), ["error.email_not_verified", null]],
    ["provider error", withName(""), ["error.provider", null]],
    ["account of another user", withName(""), ["error.account_linked", null]],
    ["account deleted", withName(""), "account.deleted"],
    ["stale form", withName(long), ["error.stale_form", null]],
    ["start again", withName(""), ["error.start_again", null]],
  ]),
  ...statesOf("/sign-in/proof", "sign_in.title", [
    ["password", (view) => proofOfName.template(view, { identifier: long, ways: ["password"], last: null })],
    [
      "all ways",
      (view) => proofOfName.template(view, { identifier: long, ways: ["password", "email_code", "magic_link"], last: "email_code" }),
    ],
    ["number", (view) => proofOfName.template(view, { identifier: "+44 20 7946 0018", ways: ["phone_code"], last: null })],
    [
      "wrong",
      (view) => proofOfName.template(view, { identifier: long, ways: ["password", "email_code"], last: null }),
      ["error.invalid_credentials", "password"],
    ],
  ]),
  ...statesOf("/sign-in", "signed_in.title", [
    ["already in", (view) => signIn.signedInTemplate(view, { email: long, name: arabic, to: "/account", hasAccounts: true })],
    [
      "already in, without a name",
      (view) => signIn.signedInTemplate(view, { email: long, name: null, to: "/account", hasAccounts: false }),
    ],
  ]),
]

const attributes = attributesFrom(
  Schema.decodeUnknownSync(Settings)({
    nickname: {
      schema: { type: "string", maxLength: 40, description: "Der Name, unter dem andere Mitglieder der Gesellschaft Sie sehen." },
    },
    birthday: { schema: { type: "string", format: "date" } },
    size: { schema: { type: "number" } },
    languages: { schema: { type: "array", items: { type: "string", maxLength: 20 }, maxItems: 5 } },
    favourite_kind_of_analytical_engine: { schema: { enum: ["Difference engine", "Analytical engine", 1] } },
    newsletter: { schema: { type: "boolean" } },
  }),
)
const form: Main = (view) => signUp.template(view, { ...lengths, email: long, attributes: [], providers: ["google"] })
const withAttributes: Main = (view) => signUp.template(view, { ...lengths, email: long, attributes, providers: [] })
const signUpStates = [
  ...statesOf("/sign-up", "sign_up.title", [
    ["empty", (view) => signUp.template(view, { ...lengths, email: "", attributes: [], providers: [] })],
    ["attributes", withAttributes],
    ["wrong attribute", withAttributes, ["fault.taken", "attributes.nickname"]],
    ["wrong address", form, ["fault.email", "email"]],
    ["short password", form, ["error.password_too_short", "new_password"]],
    ["common password", form, ["fault.common_password", "new_password"]],
    ["breached password", form, ["fault.breached_password", "new_password"]],
    ["taken", form, ["error.user_already_exists", "email"]],
  ]),
  ...statesOf("/sign-up", "sign_up.closed.title", [
    ["closed", (view) => signUp.closedTemplate(view, { why: "sign_up.closed.text" })],
    ["registration closed", (view) => signUp.closedTemplate(view, { why: "error.registration_closed" })],
  ]),
]

const sentTo =
  (text: Key, wait = 0): Main =>
  (view) =>
    sent.template(view, { to: long, text, back: "/sign-in", wait, hasCode: text !== "sent.reset" })
const sentStates = [
  ["/sign-in/link-sent", "sent.magic_link"],
  ["/verify-email/sent", "sent.verify"],
  ["/forgot-password/sent", "sent.reset"],
] as const
const mailSentStates = sentStates.flatMap(([page, text]) =>
  statesOf(page, "sent.title", [
    ["sent", sentTo(text, 30)],
    ["resent", sentTo(text, 30), "sent.again"],
    ["again", sentTo(text)],
    ["too soon", sentTo(text, 20), ["error.too_soon", null]],
    ["limit", sentTo(text), ["error.rate_limited", null]],
    ["unverified", sentTo(text), ["error.email_not_verified", null]],
    ...(text === "sent.reset" ? [] : [["wrong code", sentTo(text), ["error.invalid_otp", "code"]] as const]),
  ]),
)

const byEmail: Main = (view) => code.template(view, { to: long, by: "email", digits: 6, wait: 30 })
const byPhone: Main = (view) => code.template(view, { to: "+442079460018", by: "phone", digits: 4, wait: 0 })
const codeStates = statesOf("/sign-in/code", "code.title", [
  ["empty, by email", byEmail],
  ["empty, by phone", byPhone],
  ["resent", byEmail, "sent.again"],
  ["wrong, expired or spent", byEmail, ["error.invalid_otp", "code"]],
  ["too soon", byPhone, ["error.too_soon", null]],
  ["limit", byPhone, ["error.rate_limited", null]],
])

const dead: Main = (view) =>
  deadLinkTemplate(view, { text: view.texts.t("dead_link.text"), email: long, submit: view.texts.t("dead_link.submit") })
const offered = {
  organization: "شركة المحركات التحليلية",
  invited_by: { kind: "member", name: "Ada Lovelace", email: long },
  email: long,
  role: "admin",
  expires_at: "2026-03-04T12:00:00.000Z",
  organization_id: "1",
  can_sign_up: false,
} as const
const unnamed = { ...offered, organization: null, invited_by: { kind: "program", name: null, email: null }, role: "billing" } as const
const newcomer: Main = (view) =>
  newcomerTemplate(view, { ...lengths, attributes: [], offer: invitation.offer(view, { ...offered, can_sign_up: true }), email: long })
const invited: Main = (view) => invitation.template(view, { invitation: offered })
const choose: Main = (view) => reset.template(view, { ...lengths, email: long })
const linkStates = [
  ...statesOf("/magic-link", "magic_link.title", [
    ["ready", (view) => magicLink.template(view, { isOwn: true, email: ada, current: null })],
    ["other browser", (view) => magicLink.template(view, { isOwn: false, email: long, current: null })],
    ["other account", (view) => magicLink.template(view, { isOwn: true, email: ada, current: long })],
    ["banned", (view) => magicLink.template(view, { isOwn: true, email: ada, current: null }), ["error.banned", null]],
  ]),
  ...statesOf("/magic-link", "dead_link.title", [["expired or used", dead]]),
  ...statesOf("/verify-email", "verify.title", [
    ["ready", (view) => verify.template(view, { email: long })],
    ["taken", (view) => verify.template(view, { email: ada }), ["error.email_taken", null]],
  ]),
  ...statesOf("/verify-email", "verify.ask.title", [
    ["expired or used", (view) => verify.askTemplate(view, { email: long })],
    ["wrong address", (view) => verify.askTemplate(view, { email: "" }), ["fault.email", "email"]],
  ]),
  ...statesOf("/verify-email/done", "verify.done.title", [
    ["done", (view) => verify.doneTemplate(view, { to: "/sign-in", isSignedIn: false })],
    ["done, signed in", (view) => verify.doneTemplate(view, { to: "/account", isSignedIn: true })],
  ]),
  ...statesOf("/forgot-password", "forgot.title", [
    ["ask", (view) => reset.askTemplate(view, { email: "" })],
    ["wrong address", (view) => reset.askTemplate(view, { email: "ada" }), ["fault.email", "email"]],
  ]),
  ...statesOf("/reset-password", "reset.choose", [
    ["choose", choose],
    ["refused", choose, ["error.password_too_short", "new_password"]],
  ]),
  ...statesOf("/reset-password", "dead_link.title", [["dead link", dead]]),
  ...statesOf("/report-sign-in", "account.activity.not_you", [["report", (view) => report.template(view, { email: long })]]),
  ...statesOf("/report-sign-in", "dead_link.title", [["dead link", (view) => report.deadTemplate(view, null)]]),
  ...statesOf("/report-sign-in/done", "report_sign_in.done.title", [
    ["link sent", (view) => report.doneTemplate(view, { isSent: true })],
    ["no link sent", (view) => report.doneTemplate(view, { isSent: false })],
  ]),
  ...statesOf("/reset-password/done", "reset.done.title", [["done", (view) => reset.doneTemplate(view, null)]]),
  ...statesOf("/accept-invitation", "invitation.title", [
    ["sign in first", (view) => invitation.strangerTemplate(view, { invitation: offered, signUp: true })],
    ["sign up", newcomer],
    ["sign up, refused", newcomer, ["error.password_too_short", "new_password"]],
    ["ask", invited],
    ["not verified", invited, ["invitation.forbidden", null]],
    ["by a program", (view) => invitation.template(view, { invitation: unnamed })],
    ["other account", (view) => invitation.otherTemplate(view, { invitation: offered, email: ada })],
  ]),
  ...statesOf("/accept-invitation", "invitation.closed.title", [["closed", (view) => invitation.closedTemplate(view, null)]]),
  ...statesOf("/accept-invitation", "invitation.accepted.title", [
    ["accepted", (view) => invitation.acceptedTemplate(view, { organization: { id: "1", name: "شركة المحركات التحليلية" } })],
    ["accepted, without a name", (view) => invitation.acceptedTemplate(view, { organization: null })],
  ]),
  ...statesOf("/accept-invitation", "invitation.rejected.title", [["declined", (view) => invitation.rejectedTemplate(view, null)]]),
]

const factor: Main = (view) =>
  twoFactor.template(view, { hasRecovery: true, sent: ["email", "sms"], hasPasskeys: true, account: long, rememberDays: 30 })
const recovery: Main = (view) => twoFactor.recoveryTemplate(view, { rememberDays: 30 })
const secret = { totp_uri: uri, secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" }
const masked = "a•••@analytical-engines.example.com"
const mailed =
  (isSent: boolean, hasApp = true): Main =>
  (view) =>
    factorCode.template(view, { method: "email", to: masked, isSent, hasApp, others: [], account: long, rememberDays: hasApp ? 30 : null })
const texted =
  (isSent: boolean): Main =>
  (view) =>
    factorCode.template(view, { method: "sms", to: "•••18", isSent, hasApp: true, others: ["email"], account: long, rememberDays: 30 })
const factorStates = [
  ...statesOf("/sign-in/factor-code", "two_factor.title", [
    ["offer of a mailed code", mailed(false)],
    ["mailed code", mailed(true)],
    ["mailed code only", mailed(true, false)],
    ["wrong mailed code", mailed(true), ["error.invalid_otp", "code"]],
    ["too many codes", mailed(true), ["factor_code.locked", null]],
    ["offer of a code by SMS", texted(false)],
    ["code by SMS", texted(true)],
  ]),
  ...statesOf("/sign-in/two-factor", "two_factor.title", [
    ["code", factor],
    [
      "code, without other ways",
      (view) => twoFactor.template(view, { hasRecovery: false, sent: [], hasPasskeys: false, account: null, rememberDays: null }),
    ],
    ["wrong", factor, ["error.invalid_otp", "code"]],
    ["locked", factor, ["two_factor.locked", null]],
  ]),
  ...statesOf("/sign-in/two-factor", "unknown_challenge.title", [["unknown", (view) => twoFactor.unknownTemplate(view, null)]]),
  ...statesOf("/sign-in/passkey", "passkey_offer.title", [["offered", (view) => passkeyOffer.template(view, null)]]),
  ...statesOf("/sign-in/recovery-code", "recovery_code.title", [
    ["recovery code", recovery],
    ["wrong recovery code", recovery, ["error.invalid_otp", "code"]],
  ]),
  ...statesOf("/sign-in/enrol", "enrol.title", [
    ["required", (view) => enrol.requiredTemplate(view, null)],
    ["QR", (view) => enrol.template(view, secret)],
    ["wrong code", (view) => enrol.template(view, secret), ["error.invalid_otp", "code"]],
  ]),
  ...statesOf("/sign-in/new-password", "reset.title", [
    ["required password", (view) => newPassword.template(view, { minimum: 15, maximum: 128 })],
    ["the present password", (view) => newPassword.template(view, { minimum: 15, maximum: 128 }), ["fault.same_password", "new_password"]],
  ]),
  ...statesOf("/sign-in/recovery-codes", "recovery_codes.title", [["recovery codes", (view) => enrol.codesTemplate(view, { codes })]]),
]

const proof =
  (kind: stepUp.Proofs["kind"], passkey = false, rest: Pick<stepUp.Proofs, "sent"> = {}): Main =>
  (view) =>
    stepUp.template(view, { proofs: { kind, passkey, ...rest }, email: long, digits: 6, returnTo: "/account/security" })
const bySent = (method: SentMethod, others: ReadonlyArray<SentMethod> = []) => ({
  sent: { method, to: method === "email" ? masked : "•••18", others },
})
const stepUpStates = statesOf("/step-up", "step_up.title", [
  ["password", proof("password")],
  ["password or passkey", proof("password", true)],
  ["wrong password", proof("password"), ["step_up.wrong", "password"]],
  ["app", proof("app", true)],
  ["wrong code", proof("app"), ["error.invalid_otp", "code"]],
  ["recovery code", proof("recovery")],
  ["email", proof("email")],
  ["email sent", proof("email_sent")],
  ["mailed factor", proof("factor", false, bySent("email"))],
  ["mailed factor sent", proof("factor_sent", false, bySent("email"))],
  ["texted factor", proof("factor", false, bySent("sms", ["email"]))],
  ["texted factor sent", proof("factor_sent", false, bySent("sms", ["email"]))],
  ["none", proof("none")],
])

const user = { id: "1", email: long, email_verified: true, name: arabic, image: null, created_at: date, updated_at: date }
const kept = [
  { session_id: "1", user, active: true },
  { session_id: "2", user: { ...user, id: "2", name: null }, active: false },
]
const accountStates = [
  ...statesOf("/choose-account", "choose.title", [
    ["list", (view) => accounts.template(view, { accounts: kept })],
    ["stale", (view) => accounts.template(view, { accounts: kept }), ["choose.stale", null]],
    ["removed", (view) => accounts.template(view, { accounts: kept.slice(1) }), "choose.removed"],
    ["none", (view) => accounts.template(view, { accounts: [] })],
  ]),
  ...statesOf("/sign-out", "sign_out.title", [["confirm", (view) => signOut.template(view, { user: arabic })]]),
  ...statesOf("/sign-out/done", "sign_out.done.title", [
    ["done", (view) => signOut.doneTemplate(view, { hasOthers: false })],
    ["done, with other accounts", (view) => signOut.doneTemplate(view, { hasOthers: true })],
    ["done, while clients are notified", (view) => signOut.leavingTemplate(view, { to: "/sign-out/done" })],
  ]),
]

const app = {
  ...{ client_id: "app", client_name: "The Loom Library", client_uri: "https://app.example.com", logo_uri: null },
  ...{ policy_uri: "https://app.example.com/privacy", tos_uri: "https://app.example.com/terms" },
}
const scopesOf = (...missing: ReadonlyArray<string>) =>
  ["openid", "profile", "email", "address", "phone", "offline_access", "looms:write"].map((scope) => ({
    scope,
    granted: !missing.includes(scope),
  }))
const asked =
  (destination: string, scopes: ReturnType<typeof scopesOf>): Main =>
  (view) =>
    consent.template(view, { request: { client: app, destination, scopes, organization: null }, logo: null, email: long })
const works = "شركة المحركات التحليلية"
const chooseOrganization: Main = (view) =>
  organizations.template(view, {
    request: {
      client: app,
      organizations: [
        { id: "1", name: works, slug: "works", role: "owner" },
        { id: "2", name: "The Loom ".repeat(22).trim(), slug: `loom-${"x".repeat(59)}`, role: "member" },
        { id: "3", name: "Acme", slug: "acme", role: "auditor" },
      ],
    },
    email: long,
  })
const longHost = `${"claude.ai.".repeat(23)}login.example.com`.slice(0, 253)
const agentStates = (host: string | null, name: string, on_device: boolean) =>
  statesOf(
    "/consent",
    (view) => (host === null ? view.texts.t("consent.agent.anonymous") : view.texts.t("consent.title", { client: host })),
    [
      [
        name,
        (view) =>
          consent.template(view, {
            request: {
              client: { ...app, client_name: "Claude Code", agent: { kind: host === null ? "open" : "document", host } },
              destination: on_device ? "localhost:43127" : (host ?? ""),
              on_device,
              resource: { resource: "https://files.example.com/mcp", name: works },
              scopes: [{ scope: "files:read", granted: false }, ...scopesOf("openid").slice(0, 1)],
              organization: null,
            },
            logo: null,
            email: long,
          }),
      ],
    ],
  )
const consentStates = [
  ...statesOf("/consent", (view) => view.texts.t("consent.title", { client: app.client_name }), [
    ["first", asked("app.example.com", scopesOf("openid", "profile", "email", "address", "phone", "offline_access", "looms:write"))],
    ["more scopes", asked("app.example.com", scopesOf("email", "looms:write"))],
    ["the same again", asked("com.example.looms", scopesOf())],
    [
      "without a name",
      (view) =>
        consent.template(view, {
          request: {
            client: { ...app, client_name: null },
            destination: "127.0.0.1:43127",
            scopes: scopesOf("openid"),
            organization: null,
          },
          logo: null,
          email: long,
        }),
    ],
    [
      "with a logo",
      (view) =>
        consent.template(view, {
          request: { client: app, destination: "app.example.com", scopes: scopesOf("openid"), organization: null },
          logo: { src: view.asset("favicon.svg"), origin: null },
          email: long,
        }),
    ],
  ]),
  ...statesOf("/consent", (view) => view.texts.t("consent.title", { client: app.client_name }), [
    [
      "with an organization",
      (view) =>
        consent.template(view, {
          request: {
            client: app,
            destination: "app.example.com",
            scopes: [...scopesOf("openid"), { scope: "organization", granted: false }],
            organization: { id: "1", name: works, slug: "works" },
          },
          logo: null,
          email: long,
        }),
    ],
  ]),
  ...agentStates("agent.example.com", "agent", true),
  ...agentStates(longHost, "agent with a long host", false),
  ...agentStates(null, "agent that registered", true),
  ...statesOf("/choose-organization", (view) => view.texts.t("choose_organization.title", { client: app.client_name }), [
    ["list", chooseOrganization],
    ["stale", chooseOrganization, ["choose_organization.stale", null]],
  ]),
  ...statesOf("/choose-organization", "consent.closed.title", [["closed", (view) => request.closedTemplate(view, { client: null })]]),
  ...statesOf("/consent", "consent.closed.title", [
    ["closed", (view) => request.closedTemplate(view, { client: { name: "The Loom & Sons", site: "https://loom.example.com" } })],
  ]),
]

const otherSite = (view: View) => continuePage(view, `https://app.example.com/callback?code=${"x".repeat(200)}`)
const continueStates = statesOf("continue", "continue.title", [["to a client or another site", (view) => otherSite(view).main]])
const deviceStates = [
  ...statesOf("/device", "device.title", [
    ["enter", (view) => device.enterTemplate(view, null)],
    ["wrong code", (view) => device.enterTemplate(view, null), ["error.invalid_otp", "code"]],
  ]),
  ...statesOf("/device", (view) => view.texts.t("consent.title", { client: app.client_name }), [
    [
      "compare",
      (view) =>
        device.template(view, {
          request: { client: app, scopes: scopesOf("openid", "looms:write") },
          logo: null,
          code: "WDJB-MJHT",
          email: long,
        }),
    ],
  ]),
  ...statesOf("/device", "device.allowed.title", [["allowed", (view) => device.doneTemplate(view, { allowed: true })]]),
  ...statesOf("/device", "device.denied.title", [["denied", (view) => device.doneTemplate(view, { allowed: false })]]),
]

const nativeStates = [
  ...statesOf("/native", "native.title", [
    ["app", (view) => native.template(view, { app: "com.example.analytical.engines.app", email: long })],
  ]),
  ...statesOf("/native", "native.invalid.title", [["invalid", (view) => native.invalidTemplate(view, null)]]),
]

const errorState = (name: string, error: AuthError): PageState => {
  const shown = (view: View) => errorPage(view, error, "01990000-0000-7000-8000-000000000001")
  return { page: "error", name, title: (view) => shown(view).title, main: (view) => shown(view).main }
}
const errorStates = [
  errorState("400", new NoCookies()),
  errorState("400, of a client", new InvalidRequest({ message: "redirect_uri: Expected a registered address of this client" })),
  errorState("403", new Forbidden()),
  errorState("403, other site", new UntrustedOrigin()),
  errorState("404", new NotFound()),
  errorState("413", new PayloadTooLarge()),
  errorState("429", new RateLimited({ retryAfter: 125 })),
  errorState("500", new InternalError()),
  errorState("503", new Unavailable()),
]

/** The states of the pages around signing in, and of errors. */
export const states: ReadonlyArray<PageState> = [
  ...withScripts(["passkey"], signInStates),
  ...signUpStates,
  ...withScripts(["countdown"], [...mailSentStates, ...codeStates]),
  ...linkStates,
  ...withScripts(["passkey", "print"], factorStates),
  ...withScripts(["passkey"], stepUpStates),
  ...accountStates,
  ...consentStates,
  ...continueStates,
  ...deviceStates,
  ...nativeStates,
  ...errorStates,
]
