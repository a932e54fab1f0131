import type { SafeHtml } from "@remix-run/html-template"
import * as activity from "../../../../adapters/pages/account/activity.ts"
import * as applications from "../../../../adapters/pages/account/applications.ts"
import * as authenticator from "../../../../adapters/pages/account/authenticator.ts"
import * as authenticatorDisable from "../../../../adapters/pages/account/authenticator-disable.ts"
import * as connections from "../../../../adapters/pages/account/connections.ts"
import * as deletion from "../../../../adapters/pages/account/delete.ts"
import * as email from "../../../../adapters/pages/account/email.ts"
import type { Section } from "../../../../adapters/pages/account/frame.ts"
import { navigation, placesOf } from "../../../../adapters/pages/account/frame.ts"
import * as member from "../../../../adapters/pages/account/organizations/member.ts"
import * as edit from "../../../../adapters/pages/account/organizations/organization-edit.ts"
import * as invite from "../../../../adapters/pages/account/organizations/organization-invite.ts"
import * as organization from "../../../../adapters/pages/account/organizations/organization-template.ts"
import * as organizations from "../../../../adapters/pages/account/organizations/organizations.ts"
import * as team from "../../../../adapters/pages/account/organizations/team.ts"
import * as teamNew from "../../../../adapters/pages/account/organizations/team-new.ts"
import * as passkey from "../../../../adapters/pages/account/passkey.ts"
import * as passkeyAdd from "../../../../adapters/pages/account/passkey-add.ts"
import * as password from "../../../../adapters/pages/account/password.ts"
import * as phone from "../../../../adapters/pages/account/phone.ts"
import * as profile from "../../../../adapters/pages/account/profile.ts"
import * as recovery from "../../../../adapters/pages/account/recovery-codes.ts"
import * as security from "../../../../adapters/pages/account/security.ts"
import * as sentCodes from "../../../../adapters/pages/account/sent-codes.ts"
import * as sessions from "../../../../adapters/pages/account/sessions.ts"
import * as username from "../../../../adapters/pages/account/username.ts"
import type { View } from "../../../../adapters/pages/view.ts"
import type { Key } from "../../../../adapters/texts/texts.ts"
import type { Message, PageState } from "./state.ts"
import { shownOnce, withScripts } from "./state.ts"

const everySection: ReadonlyArray<Section> = ["profile", "security", "connections", "applications", "sessions", "activity", "organizations"]

const long = "augusta.ada.king.countess.of.lovelace.born.byron@analytical-engines.example.com"
const date = "2026-08-14T09:30:00.000Z"
const lengths = { minimum: 8, maximum: 128 }
const user = { name: "عائشة بنت أحمد", image: "https://example.com/aisha.png", email: long, email_verified: true }
const own = { id: "01990000-0000-7000-8000-000000000001", name: "شركة المحركات التحليلية", slug: "analytical-engines", role: "owner" }
const uri = `otpauth://totp/Sallyport:${long}?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Sallyport`
const codes = Array.from({ length: 10 }, (_, n) => `abcd${n}-efgh2`)
const noPages = { first: null, next: null }
const somePages = { first: "/account/sessions", next: "/account/sessions?page=3" }

const happened: activity.Entry = {
  id: "1",
  at: date,
  type: "sign_in.succeeded",
  outcome: "success",
  by: "user",
  session_id: "1",
  ip_address: "2001:db8:1234:5678:9abc:def0:1234:5678",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
  method: "email_password",
  operation: "signInEmail",
  kind: null,
  count: 1,
}
const byAdministrator = { by: "admin", session_id: null, ip_address: null, user_agent: null, method: null, operation: null }

type Shown = readonly [name: string, main: (view: View) => SafeHtml, message?: Message]

/** The states of one page. */
const statesOf = (page: string, section: Section, title: Key | ((view: View) => string), shown: ReadonlyArray<Shown>) =>
  shown.map(([name, main, message]): PageState => {
    return {
      page,
      name,
      title: (view) => (typeof title === "string" ? view.texts.t(title) : title(view)),
      ...shownOnce(message),
      wide: true,
      nav: (view) => navigation(view, `/account${section === "profile" ? "" : `/${section}`}`, placesOf(view, everySection)),
      main,
    }
  })

const safe = { isVerified: true, hasPasskey: true, factor: { enabled: true, backup_codes_remaining: 10 }, hasSentCodes: false }
const profileProps = {
  user,
  protection: safe,
  picture: null,
  phone: "+49 170 1234567",
  username: "Aisha_of_the_looms_and_engines_1",
  signals: false,
}
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"
const session = {
  id: "1",
  user_agent: firefox,
  ip_address: "2001:db8::1",
  place: null,
  created_at: date,
  updated_at: date,
  used_until: "2026-08-15T09:30:00.000Z",
}
const passkeys = [
  {
    id: "1",
    name: "Aïshas Telefon mit einem sehr langen Namen, den niemand kürzt",
    authenticator: "Kaspersky Password Manager",
    created_at: date,
    last_used_at: date,
  },
  { id: "2", name: null, authenticator: null, created_at: date, last_used_at: null },
  { id: "3", name: null, authenticator: "1Password", created_at: date, last_used_at: null },
]
const on = { enabled: true, backup_codes_remaining: 1 }
const bothCodes = [
  { method: "email", enabled: true },
  { method: "sms", enabled: false },
] as const
const noCodes = [{ method: "email", enabled: false }] as const
const recipients = { email: "a•••@analytical-engines.example.com", sms: "•••18" }
const sentCodesPage =
  (method: keyof typeof recipients, state: Parameters<typeof sentCodes.template>[1]["state"]): Shown[1] =>
  (view) =>
    sentCodes.template(view, { method, state, to: recipients[method], email: long, hasPassword: true })
const members = [
  { user_id: "1", email: long, name: "فريق النسيج", role: "owner", joined_at: date, href: null },
  { user_id: "2", email: "grace@example.com", name: null, role: "billing", joined_at: date, href: "/account/organization/member?user=2" },
]
const invitation = { id: "x", email: long, role: "admin", expires_at: date }
const may = { update: true, delete: true, invite: true, cancel: true, createTeam: true }
const mayNot = { update: false, delete: false, invite: false, cancel: false, createTeam: false }
const organizationProps = {
  organization: own,
  own: "1",
  members: { rows: members, first: null, next: "/account/organization?members=2" },
  invitations: { rows: [invitation], ...noPages },
  teams: { rows: [{ id: "1", name: "فريق النسيج" }], ...noPages },
  permitted: may,
}
const teamProps = { organization: own, team: { name: "فريق النسيج" }, members, ...noPages, mayUpdate: true, mayDelete: true }
const roles = ["member", "admin", "owner"]

const app = {
  client_id: "app",
  client_name: "مكتبة الأنوال",
  client_uri: "https://app.example.com",
  logo_uri: null,
  policy_uri: null,
  tos_uri: null,
}
const grants = [
  { client: app, scopes: ["openid", "profile", "email", "offline_access"], granted_at: date },
  { client: { ...app, client_id: "looms", client_name: null }, scopes: ["openid", "looms:write"], granted_at: date },
]

/** The states of the pages of the account. */
export const states: ReadonlyArray<PageState> = [
  ...statesOf("/account", "profile", "account.profile", [["impersonated", (view) => profile.template(view, profileProps)]]).map(
    (state): PageState => ({ ...state, impersonated: { user: "Ada Lovelace", until: "Jan 1, 2027, 1:00 PM" } }),
  ),
  ...statesOf("/account", "profile", "account.profile", [
    ["filled", (view) => profile.template(view, profileProps)],
    ["saved", (view) => profile.template(view, profileProps), "account.saved"],
    [
      "new",
      (view) =>
        profile.template(view, {
          user: { name: null, image: null, email: long, email_verified: false },
          protection: { isVerified: false, hasPasskey: false, factor: { enabled: false, backup_codes_remaining: 0 }, hasSentCodes: false },
          picture: null,
          phone: null,
          username: null,
          signals: true,
        }),
    ],
    [
      "without an address",
      (view) =>
        profile.template(view, {
          user: { ...user, email: "+491701234567@phone.service" },
          protection: { isVerified: true, hasPasskey: null, factor: { enabled: false, backup_codes_remaining: 0 }, hasSentCodes: false },
          picture: null,
          phone: undefined,
          username: undefined,
          signals: false,
        }),
    ],
    [
      "with few codes",
      (view) => profile.template(view, { ...profileProps, protection: { ...safe, factor: { enabled: true, backup_codes_remaining: 1 } } }),
    ],
    ["refused", (view) => profile.template(view, profileProps), ["fault.image", "image"]],
    ["with a picture", (view) => profile.template(view, { ...profileProps, picture: { src: view.asset("favicon.svg"), origin: null } })],
  ]),
  ...statesOf("/account/email", "profile", "account.email.title", [
    ["edit", (view) => email.template(view, { current: long, isConfirmed: true })],
    ["add", (view) => email.template(view, { current: null, isConfirmed: false })],
    ["taken", (view) => email.template(view, { current: long, isConfirmed: true }), ["error.email_taken", "email"]],
  ]),
  ...statesOf("/account/email/sent", "profile", "account.email.check", [
    ["sent", (view) => email.sentTemplate(view, { to: long })],
    ["limit", (view) => email.sentTemplate(view, { to: long }), ["error.rate_limited", null]],
    ["resent", (view) => email.sentTemplate(view, { to: long }), "sent.again"],
  ]),
  ...statesOf("/account/username", "profile", "account.username.title", [
    ["edit", (view) => username.template(view, { username: "Ada_L" })],
    ["taken", (view) => username.template(view, { username: null }), ["error.username_taken", "username"]],
  ]),
  ...statesOf("/account/phone", "profile", "account.phone.title", [
    ["edit", (view) => phone.template(view, {})],
    ["refused", (view) => phone.template(view, {}), ["fault.phone", "phone"]],
  ]),
  ...statesOf("/account/phone/code", "profile", "account.phone.title", [
    ["sent", (view) => phone.codeTemplate(view, { to: "+49 170 1234567", digits: 6 })],
    ["wrong", (view) => phone.codeTemplate(view, { to: "+49 170 1234567", digits: 6 }), ["error.invalid_otp", "code"]],
  ]),
  ...statesOf("/account/delete", "profile", "account.delete.title", [
    ["with a password", (view) => deletion.template(view, { email: long, hasPassword: true })],
    ["without a password", (view) => deletion.template(view, { email: long, hasPassword: false })],
    ["wrong", (view) => deletion.template(view, { email: long, hasPassword: true }), ["error.wrong_password", "password"]],
    ["refused", (view) => deletion.template(view, { email: long, hasPassword: true }), ["error.sole_owner", null]],
  ]),
  ...statesOf("/account/security", "security", "account.security", [
    [
      "list",
      (view) =>
        security.template(view, { passkeys, password: "set", authenticator: on, sentCodes: bothCodes, offersApps: true, signals: true }),
    ],
    [
      "passkey added",
      (view) =>
        security.template(view, { passkeys, password: "set", authenticator: on, sentCodes: bothCodes, offersApps: true, signals: true }),
      "account.passkey.added",
    ],
    [
      "authenticator app on",
      (view) =>
        security.template(view, { passkeys: [], password: "set", authenticator: on, sentCodes: noCodes, offersApps: true, signals: false }),
      "account.authenticator.enabled",
    ],
    [
      "empty",
      (view) =>
        security.template(view, {
          passkeys: [],
          password: "none",
          authenticator: { enabled: false, backup_codes_remaining: 0 },
          sentCodes: noCodes,
          offersApps: false,
          signals: false,
        }),
    ],
    [
      "password only",
      (view) =>
        security.template(view, {
          passkeys: undefined,
          password: "set",
          authenticator: undefined,
          sentCodes: [],
          offersApps: false,
          signals: false,
        }),
    ],
  ]),
  ...statesOf("/account/email-codes", "security", "account.email_codes", [
    ["unverified", sentCodesPage("email", "missing")],
    ["offer", sentCodesPage("email", "off")],
    ["mailed", sentCodesPage("email", "sent")],
    ["wrong", sentCodesPage("email", "sent"), ["error.invalid_otp", "code"]],
    ["turn off", sentCodesPage("email", "on")],
  ]),
  ...statesOf("/account/sms-codes", "security", "account.sms_codes", [
    ["no number", sentCodesPage("sms", "missing")],
    ["offer", sentCodesPage("sms", "off")],
    ["texted", sentCodesPage("sms", "sent")],
    ["turn off", sentCodesPage("sms", "on")],
  ]),
  ...statesOf("/account/password", "security", "account.password.title", [
    ["edit", (view) => password.template(view, { email: long, ...lengths })],
    ["wrong", (view) => password.template(view, { email: long, ...lengths }), ["error.wrong_password", "password"]],
    ["short", (view) => password.template(view, { email: long, ...lengths }), ["error.password_too_short", "new_password"]],
    ["none", (view) => password.noneTemplate(view, { email: long })],
    ["none and no address", (view) => password.noneTemplate(view, { email: null })],
  ]),
  ...withScripts(
    ["passkey-register"],
    statesOf("/account/passkeys/add", "security", "account.passkeys.add", [
      ["offer", (view) => passkeyAdd.template(view, { suggestion: "Firefox on Linux" })],
      ...(["unsupported", "cancelled", "exists", "unverified", "failed"] as const).map(
        (shown): Shown => [shown, (view) => passkeyAdd.template(view, { suggestion: "Firefox on Linux", shown })],
      ),
      [
        "refused",
        (view) => passkeyAdd.template(view, { suggestion: "", refused: { id: "x", rp: "example.com" }, shown: "failed" }),
        ["error.invalid_passkey", null],
      ],
    ]),
  ),
  ...statesOf("/account/passkey", "security", "account.passkey.title", [
    ["edit", (view) => passkey.template(view, passkeys[0]!)],
    ["unnamed", (view) => passkey.template(view, passkeys[1]!)],
    ["last", (view) => passkey.template(view, passkeys[0]!), ["error.last_account", null]],
  ]),
  ...statesOf("/account/authenticator", "security", "account.authenticator.set_up", [
    ["begin", (view) => authenticator.template(view, { email: long, hasPassword: true })],
    ["begin without a password", (view) => authenticator.template(view, { email: long, hasPassword: false })],
    ["scan", (view) => authenticator.confirmTemplate(view, { secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", totp_uri: uri })],
    [
      "wrong",
      (view) => authenticator.confirmTemplate(view, { secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", totp_uri: uri }),
      ["error.invalid_otp", "code"],
    ],
  ]),
  ...statesOf("/account/authenticator/disable", "security", "account.authenticator.disable", [
    ["password", (view) => authenticatorDisable.template(view, { email: long, hasPassword: true })],
    ["code", (view) => authenticatorDisable.template(view, { email: long, hasPassword: false }), ["error.invalid_otp", "code"]],
  ]),
  ...withScripts(
    ["print"],
    statesOf("/account/recovery-codes", "security", "account.recovery.title", [
      ["shown", (view) => recovery.codesTemplate(view, { codes })],
      ["shown after the app is on", (view) => recovery.codesTemplate(view, { codes }), "account.authenticator.enabled"],
      ["replace", (view) => recovery.template(view, { email: long, hasPassword: true })],
      ["wrong", (view) => recovery.template(view, { email: long, hasPassword: true }), ["error.wrong_password", "password"]],
    ]),
  ),
  ...statesOf("/account/connections", "connections", "account.connections", [
    [
      "list",
      (view) =>
        connections.template(view, {
          accounts: [
            { provider_id: "github", account_id: "1234567", created_at: date },
            { provider_id: "github", account_id: "7654321", created_at: date },
            { provider_id: "siwe", account_id: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045", created_at: date },
            { provider_id: "phone", account_id: "+49 170 1234567", created_at: date },
          ],
          providers: ["github", "google"],
        }),
    ],
    ["empty", (view) => connections.template(view, { accounts: [], providers: [] })],
    ["refused", (view) => connections.template(view, { accounts: [], providers: ["google"] }), ["error.account_linked", null]],
    ["cancelled", (view) => connections.template(view, { accounts: [], providers: ["google"] }), ["error.provider", null]],
    [
      "a number of the second factor",
      (view) => connections.template(view, { accounts: [], providers: ["google"] }),
      ["fault.needed_as_factor", null],
    ],
    ["disconnected", (view) => connections.template(view, { accounts: [], providers: ["google"] }), "account.connections.unlinked"],
    [
      "last",
      (view) =>
        connections.template(view, { accounts: [{ provider_id: "google", account_id: "1", created_at: date }], providers: ["google"] }),
      ["error.last_account", null],
    ],
  ]),
  ...statesOf("/account/applications", "applications", "account.applications", [
    ["list", (view) => applications.template(view, { grants })],
    ["empty", (view) => applications.template(view, { grants: [] })],
    ["revoked", (view) => applications.template(view, { grants: [] }), "account.applications.revoked"],
  ]),
  ...statesOf("/account/sessions", "sessions", "account.sessions", [
    [
      "list",
      (view) =>
        sessions.template(view, {
          sessions: [session, { ...session, id: "2", ip_address: null, user_agent: null }],
          own: "1",
          hasOthers: true,
          remembered: [
            { id: "1", user_agent: session.user_agent, current: true, expires_at: session.created_at },
            { id: "2", user_agent: null, current: false, expires_at: session.created_at },
          ],
          ...somePages,
        }),
    ],
    [
      "with places",
      (view) =>
        sessions.template(view, {
          sessions: [
            { ...session, place: "مكتب المحركات التحليلية" },
            { ...session, id: "2", place: "Analytical-Engines-Headquarters-Building-Nine-Second-Floor-West" },
          ],
          own: "1",
          hasOthers: true,
          remembered: [],
          ...noPages,
        }),
    ],
    ["only this one", (view) => sessions.template(view, { sessions: [session], own: "1", hasOthers: false, remembered: [], ...noPages })],
    [
      "others ended",
      (view) => sessions.template(view, { sessions: [session], own: "1", hasOthers: false, remembered: [], ...noPages }),
      "account.sessions.others.revoked",
    ],
    [
      "past the end",
      (view) =>
        sessions.template(view, { sessions: [], own: "1", hasOthers: true, remembered: [], first: "/account/sessions", next: null }),
    ],
  ]),
  ...statesOf("/account/activity", "activity", "account.activity", [
    [
      "list",
      (view) =>
        activity.template(view, {
          entries: [
            { ...happened, id: "2", type: "session.opened" },
            happened,
            { ...happened, id: "3", type: "sign_in.failed", outcome: "failure", by: "visitor", session_id: null, count: 12 },
            { ...happened, id: "4", type: "credential.added", kind: "passkey" },
            { ...happened, id: "5", type: "credential.removed", kind: "google" },
            { ...happened, id: "6", type: "session.revoked", operation: "signOut", method: "sessions", user_agent: null },
            { ...happened, ...byAdministrator, id: "7", type: "user.action_required" },
            { ...happened, id: "8", type: "a_module_of_your_own.something_with_a_long_name_happened", method: "own" },
          ],
          hasPassword: true,
          first: "/account/activity",
          next: "/account/activity?cursor=x",
        }),
    ],
    ["past the end", (view) => activity.template(view, { entries: [], hasPassword: false, first: "/account/activity", next: null })],
  ]),
  ...statesOf("/account/organizations", "organizations", "account.organizations", [
    [
      "list",
      (view) =>
        organizations.template(view, {
          organizations: [own, { id: "2", name: "Looms & Sons", slug: "looms", role: "billing" }],
          active: own.id,
          ...somePages,
        }),
    ],
    ["empty", (view) => organizations.template(view, { organizations: [], active: null, ...noPages })],
    ["taken", (view) => organizations.template(view, { organizations: [], active: null, ...noPages }), ["error.slug_taken", "slug"]],
  ]),
  ...statesOf("/account/organization", "organizations", () => own.name, [
    ["owner", (view) => organization.template(view, organizationProps)],
    [
      "member",
      (view) =>
        organization.template(view, {
          ...organizationProps,
          organization: { ...own, role: "member" },
          invitations: { rows: [], ...noPages },
          teams: { rows: [], ...noPages },
          permitted: mayNot,
        }),
    ],
    ["sole owner", (view) => organization.template(view, organizationProps), ["error.sole_owner", null]],
  ]),
  ...statesOf("/account/organization/edit", "organizations", "organization.edit", [
    ["edit", (view) => edit.template(view, own)],
    ["taken", (view) => edit.template(view, own), ["error.slug_taken", "slug"]],
  ]),
  ...statesOf("/account/organization/delete", "organizations", "organization.delete", [
    ["confirm", (view) => edit.deleteTemplate(view, own)],
  ]),
  ...statesOf("/account/organization/invite", "organizations", "organization.invite", [
    ["edit", (view) => invite.template(view, { organization: own, roles, role: "member" })],
    ["refused", (view) => invite.template(view, { organization: own, roles, role: "member" }), ["error.invalid_role", "role"]],
  ]),
  ...statesOf("/account/organization/member", "organizations", "organization.member", [
    ["edit", (view) => member.template(view, { organization: own, member: members[0]!, roles, mayRemove: true })],
    ["read", (view) => member.template(view, { organization: own, member: members[1]!, roles: null, mayRemove: false })],
    [
      "last owner",
      (view) => member.template(view, { organization: own, member: members[0]!, roles, mayRemove: false }),
      ["error.forbidden", null],
    ],
  ]),
  ...statesOf("/account/organization/team", "organizations", () => teamProps.team.name, [
    ["edit", (view) => team.template(view, teamProps)],
    ["read", (view) => team.template(view, { ...teamProps, members: [], mayUpdate: false, mayDelete: false })],
    ["refused", (view) => team.template(view, teamProps), ["error.not_a_member", null]],
  ]),
  ...statesOf("/account/organization/team/new", "organizations", "organization.team.create", [
    ["edit", (view) => teamNew.template(view, own)],
    ["refused", (view) => teamNew.template(view, own), ["fault.name", "name"]],
  ]),
]
