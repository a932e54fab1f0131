import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { Wallet } from "ethers"
import { makeSchema, operationsOf } from "../../../adapters/graphql/schema.ts"
import { optional } from "../../../application/modules/index.ts"
import * as Auth from "../../../application/service/auth.ts"
import { modules } from "../../everything.ts"
import { authenticator } from "../../passkeys.ts"
import { written } from "../../siwe.ts"
import { shownBy } from "../../two-factor.ts"
import { password } from "../../world.ts"
import { get, post } from "../http/served.ts"
import { graphqlServed, query } from "./request.ts"
import type { Said, Step } from "./shells.ts"
import { mailed, mailedCode, overGraphql, overRest, performed, textedCode } from "./shells.ts"

const email = "ada@example.com"
const phone = "+14155550123"
const guestPhone = "+442079460019"
const slug = "lovelace"

/** An input that is made from earlier answers. */
const from = (of: (said: Said) => Record<string, unknown>) => (said: Said) => Effect.succeed(of(said))
const ofOrganization = (more: Record<string, unknown> = {}) =>
  from(({ organizationCreate }) => ({ organization_id: organizationCreate.organization.id, ...more }))

const ofMember = (more: Record<string, unknown> = {}) =>
  from(({ organizationCreate, organizationListMembers }) => ({
    organization_id: organizationCreate.organization.id,
    user_id: organizationListMembers.members[0].user_id,
    ...more,
  }))

const ofTenant = (more: Record<string, unknown> = {}) =>
  from(({ adminOrganizationsCreate }) => ({ organization_id: adminOrganizationsCreate.organization.id, ...more }))
const ofTenantInvitation = from(({ adminOrganizationsInvite: { invitation } }) => ({
  organization_id: invitation.organization_id,
  reference: invitation.reference,
}))
const ofTenantMember = (more: Record<string, unknown> = {}) =>
  from(({ adminOrganizationsCreate, adminUsersCreate }) => ({
    organization_id: adminOrganizationsCreate.organization.id,
    user_id: adminUsersCreate.user.id,
    ...more,
  }))

const ofKept = (more: Record<string, unknown> = {}) => from(({ adminUsersCreate }) => ({ user_id: adminUsersCreate.user.id, ...more }))

const ofKey = (more: Record<string, unknown> = {}) => from(({ apiKeyCreate }) => ({ key_id: apiKeyCreate.api_key.id, ...more }))

const ofWebhook = (more: Record<string, unknown> = {}) =>
  from(({ adminWebhooksCreate }) => ({ webhook_id: adminWebhooksCreate.webhook.id, ...more }))

const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
const ofApp = { redirect_uri: "http://127.0.0.1:5000/auth", code_challenge, code_challenge_method: "S256" }
const codeIn = (redirect: string) => new URL(redirect).searchParams.get("code")

const signedByWallet = ({ siweNonce }: Said) =>
  Effect.gen(function* () {
    const wallet = new Wallet(`0x${"a1".repeat(32)}`)
    const issuedAt = DateTime.formatIso(yield* DateTime.now)
    const { nonce, chain_id: chainId } = siweNonce
    const at = { domain: "localhost:3000", uri: "http://localhost:3000/login", version: "1" }
    const message = written({ ...at, address: wallet.address, chainId, nonce, issuedAt })
    return { message, signature: yield* Effect.promise(() => wallet.signMessage(message)) }
  })

/** The calls of the optional modules. Each script has its own authenticator. */
const script = (device = authenticator()): ReadonlyArray<Step> => [
  ["signUpEmail", { email: "root@example.com", password }, "root"],
  ["signUpEmail", { email, password }, "ada"],
  ["sendVerificationEmail", { email }],
  ["verifyEmail", () => mailed],
  ["signUpEmail", { email: "eve@example.com", password }, "eve"],

  ["signInSocial", { provider: "idp_one" }],
  ["signInSocial", { provider: "unknown" }],
  ["linkSocial", { provider: "idp_one" }, "ada"],

  ["phoneSendOtp", { phone }],
  ["signInPhone", { phone, otp: "1" }],
  ["signInPhone", () => Effect.map(textedCode, (otp) => ({ phone, otp })), "a browser"],
  ["phoneVerify", { phone, otp: "1" }, "ada"],
  ["phoneSendOtp", { phone: "" }],

  ["emailOtpSend", { email }],
  ["signInEmailOtp", { email, otp: "1" }],
  ["signInEmailOtp", () => Effect.map(mailedCode, (otp) => ({ email, otp })), "a browser"],

  ["magicLinkSend", { email: "new@example.com" }],
  ["magicLinkShow", { token: "unknown" }],
  ["magicLinkShow", () => mailed],
  ["magicLinkVerify", () => mailed, "new"],
  ["magicLinkVerify", { token: "unknown" }],
  ["magicLinkVerifyCode", { email: "new@example.com", flow: "f".repeat(43), code: "000000" }],

  ["usernameShow", {}, "ada"],
  ["usernameSet", { username: "ada_l" }, "ada"],
  ["usernameShow", {}, "ada"],
  ["usernameShow", {}],
  ["usernameSet", { username: "!" }, "ada"],
  ["usernameSet", { username: "ada_l" }, "eve"],
  ["usernameAvailable", { username: "ada_l" }],
  ["signInUsername", { username: "ada_l", password: "a wrong password" }],
  ["signInUsername", { username: "ada_l", password }, "ada"],

  ["oneTimeTokenGenerate", {}, "ada"],
  ["oneTimeTokenVerify", { token: "unknown" }],
  ["oneTimeTokenVerify", from(({ oneTimeTokenGenerate: { token } }) => ({ token })), "another window"],

  ["nativeRequest", ofApp],
  ["nativeRequest", { ...ofApp, redirect_uri: "https://evil.example.com/" }],
  ["nativeCode", ofApp, "ada"],
  ["nativeCode", ofApp],
  ["nativeExchange", from(({ nativeCode }) => ({ code: codeIn(nativeCode.redirect), code_verifier })), "an app"],
  ["nativeExchange", { code: "unknown", code_verifier }],

  ["multiSessionList", {}, "ada"],
  ["multiSessionSetActive", { session_id: "unknown" }, "ada"],
  ["multiSessionSetActive", from(({ multiSessionList }) => ({ session_id: multiSessionList.sessions[0].session_id })), "ada"],
  ["multiSessionList"],

  ["token", {}, "ada"],
  ["token"],
  ["tokenVerify", from(({ token: { token } }) => ({ token }))],
  ["tokenVerify", { token: "unknown" }],

  ["adminListUsers", { limit: 2 }, "root"],
  ["adminListUsers", { limit: 0 }, "root"],
  ["adminListUsers", {}, "ada"],
  ["adminCreateUser", { email: "made@example.com", password, role: "user" }, "root"],
  ["adminCreateUser", { email: "made@example.com", password }, "root"],
  ["adminUsersCreate", { email: "kept@example.com", locale: "de", idempotency_key: "once" }, "root"],
  ["adminUsersCreate", { email: "kept@example.com", locale: "de", idempotency_key: "once" }, "root"],
  ["adminUsersCreate", { email: "other@example.com", idempotency_key: "once" }, "root"],
  ["adminUsersList", { email_prefix: "ada", banned: false, total: true, order: "newest" }, "root"],
  ["adminUsersList", { cursor: "unknown" }, "root"],
  ["adminUsersList", { search: "ada", details: true }, "root"],
  ["adminSearch", { q: "ada" }, "root"],
  ["adminSearch", { q: "a" }, "root"],
  ["adminUsersSetPassword", ofKept({ password, revoke_sessions: false }), "root"],
  ["adminUsersSetPassword", ofKept({ password, expected_version: "another" }), "root"],
  ["adminUsersSendReset", ofKept(), "root"],
  ["adminUsersSendVerification", { user_id: "unknown" }, "root"],
  ["adminUsersVerifyEmail", ofKept(), "root"],
  ["adminUsersCredentials", ofKept(), "root"],
  ["adminUsersSessions", ofKept(), "root"],
  ["adminUsersMemberships", ofKept({ limit: 2 }), "root"],
  ["adminUsersRevokeSession", ofKept({ session_id: "unknown" }), "root"],
  ["adminJobsCreate", { operation: "unban", filter: { email_prefix: "unknown" }, dry_run: true }, "root"],
  ["adminJobsCreate", { operation: "set_role", user_ids: ["1"], input: { role: "reader" }, on_error: "stop" }, "root"],
  ["adminJobsCreate", { operation: "set_role", user_ids: ["1"] }, "root"],
  ["adminJobsList", { state: "queued" }, "root"],
  ["adminJobsList", {}, "ada"],
  ["adminJobsShow", from(({ adminJobsCreate: { job } }) => ({ job_id: job.id })), "root"],
  ["adminJobsShow", { job_id: "unknown" }, "root"],
  ["adminJobsCancel", from(({ adminJobsCreate: { job } }) => ({ job_id: job.id })), "root"],
  ["adminJobsCancel", { job_id: "unknown" }, "root"],
  ["adminUsersResetFactors", ofKept({ reason: "lost" }), "root"],
  ["adminUsersResetFactors", ofKept({ reason: "" }), "root"],
  ["adminUsersRemoveCredential", ofKept({ credential_id: "unknown" }), "root"],
  ["adminUsersRequire", ofKept({ actions: ["change_password"] }), "root"],
  ["requiredActionsChangePassword", { challenge_token: "unknown", new_password: password }],
  ["adminUsersSuspend", ofKept({ reason: "spam" }), "root"],
  ["adminUsersResume", ofKept(), "root"],
  ["adminUsersResume", { user_id: "unknown" }, "root"],
  ["adminUsersExport", ofKept(), "root"],
  ["adminUsersExport", { user_id: "unknown" }, "root"],
  ["adminUsersErase", ofKept({ confirm: "kept@example.com", after_days: 30 }), "root"],
  ["adminUsersErase", ofKept({ confirm: "another" }), "root"],
  ["adminUsersCancelErasure", ofKept(), "root"],
  ["adminUsersCancelErasure", { user_id: "unknown" }, "root"],
  ["adminUsersMerge", { from: "unknown", into: "1", from_version: "1", into_version: "1" }, "root"],
  ["accountExport", {}, "ada"],
  ["accountExport", {}],
  ["adminInvitationsCreate", { email: "invited@example.com" }, "root"],
  ["adminInvitationsCreate", { email: "made@example.com" }, "root"],
  ["adminInvitationsList", {}, "root"],
  ["adminInvitationsList", {}, "ada"],
  ["adminInvitationsResend", from(({ adminInvitationsCreate: { invitation } }) => ({ invitation_id: invitation.id })), "root"],
  ["adminInvitationsResend", { invitation_id: "unknown" }, "root"],
  ["adminInvitationsCancel", from(({ adminInvitationsCreate: { invitation } }) => ({ invitation_id: invitation.id })), "root"],
  ["adminInvitationsCancel", { invitation_id: "unknown" }, "root"],
  ["apiKeyCreate", { name: "CI", addresses: ["203.0.113.0/24"] }, "ada"],
  ["apiKeyCreate", { name: "CI", permissions: ["users:read"] }, "ada"],
  ["apiKeyCreate", { name: "CI", statement: { team: ["create"] } }, "ada"],
  ["apiKeyUpdate", ofKey({ changes: { name: "Nightly" } }), "ada"],
  ["apiKeyUpdate", ofKey({ changes: {} }), "eve"],
  ["apiKeyRotate", ofKey({ overlap: 60 }), "ada"],
  ["apiKeyRotate", ofKey({ overlap: -1 }), "ada"],
  ["apiKeyList", { limit: 1 }, "ada"],
  ["apiKeyList", { organization_id: "unknown" }, "ada"],
  ["apiKeyVerify", from(({ apiKeyRotate: { key } }) => ({ key, address: "203.0.113.7" })), "root"],
  ["apiKeyVerify", { key: "unknown" }, "root"],
  ["apiKeyVerify", { key: "unknown" }, "ada"],
  ["apiKeyReport", { keys: ["unknown"] }],
  ["apiKeyReport", { keys: Array(101).fill("unknown") }],
  ["apiKeyRevoke", ofKey(), "ada"],
  ["apiKeyRevoke", { key_id: "unknown" }, "ada"],
  ["adminApiKeysList", { limit: 1 }, "root"],
  ["adminApiKeysList", {}, "ada"],
  ["adminApiKeysRevoke", ofKey(), "root"],
  ["adminApiKeysRevoke", { key_id: "unknown" }, "root"],
  ["adminServiceAccountsCreate", { name: "Keys", permissions: ["users:read"] }, "root"],
  [
    "adminApiKeysCreate",
    from(
      ({
        adminServiceAccountsCreate: {
          service_account: { id },
        },
      }) => ({ service_account_id: id, name: "Sync" }),
    ),
    "root",
  ],
  ["adminApiKeysCreate", { service_account_id: "unknown", name: "Sync" }, "root"],
  ["adminApiKeysRotate", from(({ adminApiKeysCreate: { api_key } }) => ({ key_id: api_key.id })), "root"],
  ["adminApiKeysRotate", ofKey(), "root"],
  ["adminImpersonateStart", ofKept({ reason: "too short" }), "root"],
  ["adminImpersonateStart", ofKept({ reason: "the ticket 4711" }), "root"],
  ["getSession", {}, "root"],
  ["adminImpersonationsList", {}, "root"],
  ["impersonationStop", {}, "root"],
  ["impersonationStop"],
  ["adminImpersonationsList", { limit: 1 }, "root"],
  ["adminImpersonationsEnd", { session_id: "unknown" }, "root"],
  ["oauth2RotateKeys", {}, "root"],
  ["oauth2RotateKeys", {}, "ada"],
  ["oauth2ProfileUpdate", { nickname: "Countess", gender: "female", address: { locality: "London", country: "GB" } }, "ada"],
  ["oauth2ProfileUpdate", { gender: null, birthdate: "1815-12-10" }, "ada"],
  ["oauth2ProfileUpdate", { birthdate: "1815-13-10" }, "ada"],
  ["oauth2ProfileUpdate", { nickname: "Eve" }],
  ["oauth2Profile", {}, "ada"],
  ["oauth2Consent", { request_uri: "unknown" }, "ada"],
  ["oauth2ConsentAllow", { request_uri: "unknown" }, "ada"],
  ["oauth2ConsentDeny", { request_uri: "unknown" }, "ada"],
  ["oauth2SelectAccount", { request_uri: "unknown" }, "ada"],
  ["oauth2Organizations", { request_uri: "unknown" }, "ada"],
  ["oauth2SelectOrganization", { request_uri: "unknown", organization_id: "unknown" }, "ada"],
  ["oauth2Grants", {}, "ada"],
  ["oauth2GrantsRevoke", { client_id: "unknown" }, "ada"],
  ["oauth2LogoutConfirm", { logout_request: "unknown" }, "new"],
  ["oauth2LogoutConfirm"],

  ["adminBanUser", from(({ adminCreateUser }) => ({ user_id: adminCreateUser.user.id, reason: "spam" })), "root"],
  ["signInEmail", { email: "made@example.com", password }],
  ["adminUnbanUser", from(({ adminCreateUser }) => ({ user_id: adminCreateUser.user.id })), "root"],
  ["adminRevokeUserSessions", { user_id: "unknown" }, "root"],
  ["adminRemoveUser", from(({ adminCreateUser }) => ({ user_id: adminCreateUser.user.id })), "root"],

  ["organizationCreate", { name: "Lovelace", slug }, "ada"],
  ["organizationCreate", { name: "Lovelace", slug }, "eve"],
  ["organizationGetFull", ofOrganization(), "ada"],
  ["organizationGetFull", ofOrganization(), "eve"],
  ["organizationList", { limit: 1 }, "ada"],
  ["organizationSetActive", ofOrganization(), "ada"],
  ["organizationGetActive", {}, "ada"],
  ["organizationHasPermission", ofOrganization({ permissions: { invitation: ["create"] } }), "ada"],
  ["organizationInvite", ofOrganization({ email: "eve@example.com", role: "member" }), "ada"],
  ["organizationInvite", ofOrganization({ email: "eve@example.com", role: "emperor" }), "ada"],
  ["organizationListInvitations", ofOrganization(), "ada"],
  ["organizationAcceptInvitation", { invitation_id: "unknown" }, "eve"],
  ["organizationAcceptInvitationSignUp", { invitation_id: "unknown", token: "unknown", password }],
  ["organizationCreateTeam", ofOrganization({ name: "Engines" }), "ada"],
  ["organizationListTeams", ofOrganization({ limit: 10 }), "ada"],
  ["organizationListMembers", ofOrganization({ limit: 10 }), "ada"],
  ["organizationUpdateMember", ofMember({ role: "owner" }), "ada"],
  ["organizationUpdateMember", ofMember({ role: "emperor" }), "ada"],
  ["adminOrganizationsManageUser", ofMember({ domain: "Example.com" }), "root"],
  ["adminOrganizationsManageUser", ofMember({ domain: "elsewhere.example" }), "root"],
  ["adminOrganizationsReleaseUser", ofMember(), "root"],
  ["adminOrganizationsReleaseUser", ofMember(), "ada"],
  ["organizationLeave", ofOrganization(), "ada"],

  ["adminOrganizationsCreate", ofKept({ name: "Tenant", slug: "tenant", idempotency_key: "tenant" }), "root"],
  ["adminOrganizationsCreate", ofKept({ name: "Tenant", slug: "tenant", idempotency_key: "tenant" }), "root"],
  ["adminOrganizationsCreate", ofKept({ name: "Tenant", slug }), "root"],
  ["adminOrganizationsCreate", ofKept({ name: "Tenant", slug: "tenant" }), "root"],
  ["adminOrganizationsList", { limit: 1, name_prefix: "tena" }, "root"],
  ["adminOrganizationsList", { slug: "tenant" }, "root"],
  ["adminOrganizationsList", { cursor: "unknown" }, "root"],
  ["adminOrganizationsUpdate", ofTenant({ changes: { name: "Tenant 1" } }), "root"],
  ["adminOrganizationsUpdate", ofTenant({ changes: { slug }, expected_version: "another" }), "root"],
  ["adminOrganizationsAddMember", ofTenantMember({ role: "owner" }), "root"],
  ["adminOrganizationsAddMember", ofTenantMember({ role: "emperor" }), "root"],
  ["adminOrganizationsSetMemberRole", ofTenantMember({ role: "owner" }), "root"],
  ["adminOrganizationsSetMemberRole", ofTenantMember({ role: "member" }), "root"],
  ["adminOrganizationsUpdateMember", ofTenantMember({ changes: { role: "owner" } }), "root"],
  ["adminOrganizationsUpdateMember", ofTenantMember({ changes: { role: "emperor" } }), "root"],
  ["adminOrganizationsRemoveMember", ofTenantMember(), "root"],
  ["adminOrganizationsRemoveMember", ofTenant({ user_id: "unknown" }), "root"],
  ["adminOrganizationsMembers", ofTenant(), "root"],
  ["adminOrganizationsInvite", ofTenant({ email: "tenant@example.com" }), "root"],
  ["adminOrganizationsInvite", ofTenant({ email: "tenant@example.com" }), "ada"],
  ["adminOrganizationsInvitations", ofTenant(), "root"],
  ["adminOrganizationsResendInvitation", ofTenantInvitation, "root"],
  ["adminOrganizationsResendInvitation", ofTenant({ reference: "unknown" }), "root"],
  ["adminOrganizationsCancelInvitation", ofTenantInvitation, "root"],
  ["adminOrganizationsCancelInvitation", ofTenantInvitation, "root"],
  ["adminOrganizationsDelete", ofTenant(), "root"],
  ["adminOrganizationsShow", ofTenant(), "root"],

  ["siweNonce"],
  ["siweVerify", { message: "no message", signature: "0x" }],
  ["siweVerify", signedByWallet, "a wallet"],
  ["siweVerify", signedByWallet, "a wallet"],

  ["signInGuest", {}, "a guest"],
  ["signInGuest", {}, "another guest"],
  ["guestSendCode", { email }, "ada"],
  ["guestSendCode", { email: "grace@example.com" }, "a guest"],
  ["guestUpgrade", { email: "grace@example.com", otp: "1" }, "a guest"],
  ["guestUpgrade", () => Effect.map(mailedCode, (otp) => ({ email: "grace@example.com", otp })), "a guest"],
  ["guestToken", {}, "a guest"],
  ["guestToken", {}, "another guest"],
  ["magicLinkSendToGuest", { email }, "ada"],
  ["signInGuest", {}, "a third guest"],
  ["signInGuest", {}, "a fourth guest"],
  ["magicLinkSendToGuest", { email: "joan@example.com" }, "a fourth guest"],
  ["magicLinkVerify", () => mailed, "a browser"],
  ["magicLinkVerify", () => mailed, "a fourth guest"],
  ["phoneSendOtp", { phone: guestPhone }, "a third guest"],
  ["phoneUpgradeGuest", { phone: guestPhone, otp: "1" }, "a third guest"],
  ["phoneUpgradeGuest", () => Effect.map(textedCode, (otp) => ({ phone: guestPhone, otp })), "a third guest"],
  ["guestMerge", { guest_token: "unknown" }, "ada"],
  ["guestMerge", from(({ guestToken }) => ({ guest_token: guestToken.guest_token })), "ada"],

  ["passkeyRegisterOptions", {}, "ada"],
  ["passkeyRegisterVerify", { response: { id: "unknown" } }, "ada"],
  [
    "passkeyRegisterVerify",
    from(({ passkeyRegisterOptions }) => ({ response: device.create(passkeyRegisterOptions), name: "Key" })),
    "ada",
  ],
  ["passkeyList", {}, "ada"],
  ["passkeyRename", { passkey_id: "unknown", name: "Mine" }, "ada"],
  ["passkeyAuthenticateOptions", { email }, "a device"],
  ["passkeyAuthenticateVerify", { response: {} }, "a device"],
  [
    "passkeyAuthenticateVerify",
    from(({ passkeyAuthenticateOptions }) => ({ response: device.get(passkeyAuthenticateOptions) })),
    "a device",
  ],

  ["twoFactorTotpStatus", {}, "ada"],
  ["twoFactorTotpEnable", { password: "a wrong password" }, "ada"],
  ["twoFactorTotpEnable", { password }, "ada"],
  ["twoFactorTotpConfirm", { code: "1" }, "ada"],
  ["twoFactorTotpConfirm", ({ twoFactorTotpEnable }) => Effect.map(shownBy(twoFactorTotpEnable.secret), (code) => ({ code })), "ada"],
  ["stepUp", { password }, "ada"],
  ["stepUp", { code: "1" }, "ada"],
  ["stepUp", from(({ twoFactorTotpEnable }) => ({ backup_code: twoFactorTotpEnable.backup_codes[1] })), "ada"],
  ["twoFactorTotpEnrol", { challenge_token: "unknown" }],
  ["twoFactorTotpEnrolConfirm", { challenge_token: "unknown", code: "1" }],
  ["signInEmail", { email, password }, "a device"],
  ["twoFactorTotpChallenge", from(({ signInEmail }) => ({ challenge_token: signInEmail.challenge_token, code: "1" })), "a device"],
  [
    "twoFactorTotpChallenge",
    from(({ signInEmail, twoFactorTotpEnable }) => ({
      challenge_token: signInEmail.challenge_token,
      backup_code: twoFactorTotpEnable.backup_codes[0],
    })),
    "a device",
  ],
  ["twoFactorTotpStatus", {}, "ada"],

  ["auditList", {}, "ada"],
  ["auditList"],
  ["adminAuditList", { type: "user.banned" }, "root"],
  ["adminAuditList", { since: "1970-01-01T00:00:00Z", limit: 3 }, "root"],
  ["adminAuditList", { type: "unknown" }, "root"],
  ["adminAuditList", {}, "ada"],
  ["organizationAuditList", ofOrganization(), "eve"],

  ["adminWebhooksCreate", { url: "https://example.com/events", types: ["session.*"] }, "root"],
  ["adminWebhooksCreate", { url: "https://example.com/events", types: [] }, "root"],
  ["adminWebhooksList", {}, "root"],
  ["adminWebhooksUpdate", from(({ adminWebhooksCreate: { webhook } }) => ({ webhook_id: webhook.id, types: ["*"] })), "root"],
  ["adminWebhooksRotateSecret", { webhook_id: "unknown" }, "root"],
  ["adminWebhooksDeliveries", ofWebhook({ state: "dead" }), "root"],
  ["adminWebhooksDeliveries", { webhook_id: "unknown" }, "root"],
  ["adminWebhooksReplay", ofWebhook({ since: "1970-01-01T00:00:00Z", until: "1970-01-01T00:00:01Z" }), "root"],
  ["adminWebhooksReplay", ofWebhook({ event_ids: [] }), "root"],
  ["adminWebhooksEnable", ofWebhook(), "root"],
  ["adminWebhooksEnable", { webhook_id: "unknown" }, "root"],
  ["adminWebhooksTest", { webhook_id: "unknown" }, "root"],
  ["adminWebhooksDelete", from(({ adminWebhooksCreate: { webhook } }) => ({ webhook_id: webhook.id })), "root"],
  ["adminWebhooksDelete", {}, "ada"],

  ["adminInvitationsCreate", { email: "gus@example.com" }, "root"],
  ["adminOutboxList", { state: "waiting", limit: 1 }, "root"],
  ["adminOutboxList", { state: "lost" }, "root"],
  ["adminOutboxRetry", from(({ adminOutboxList: { messages } }) => ({ message_id: messages[0].id })), "root"],
  ["adminOutboxDiscard", from(({ adminOutboxList: { messages } }) => ({ message_id: messages[0].id })), "root"],
  ["adminOutboxDiscard", { message_id: "unknown" }, "root"],
  ["adminOutboxRetry", { message_id: "unknown" }, "root"],
  ["adminFigures", { from: "1970-01-01T00:00:00Z", to: "1970-01-02T00:00:00Z", step: "hour" }, "root"],
  ["adminFigures", { from: "1970-01-01T00:00:00Z", to: "2970-01-01T00:00:00Z", step: "day" }, "root"],
  ["adminFigures", {}, "ada"],
  ["adminHealth", {}, "root"],
  ["adminHealth", {}, "ada"],
  ["adminSettings", {}, "root"],
  ["adminSettings", {}, "ada"],
  ["adminKeysSecrets", {}, "root"],
  ["adminKeysSecrets", {}, "ada"],
  ["adminKeysList", {}, "ada"],
  ["adminKeysRotate", { idempotency_key: "rotate" }, "root"],
  ["adminKeysRotate", { idempotency_key: "" }, "root"],
]

describe("both shells, with every module", () => {
  it.live("give the same body, code, status and cookies", () =>
    Effect.gen(function* () {
      const rest = yield* performed(overRest, modules, script())
      const graphql = yield* performed(overGraphql(makeSchema(Auth.make(modules))), modules, script())
      for (const [index, expected] of rest.entries()) assert.deepStrictEqual(graphql[index], expected)

      const verdicts = script().map(([name], index) => [name, rest[index]?.verdict === "ok"] as const)
      for (const module of modules.slice(-optional.length)) {
        const operations = operationsOf(module).map(([name]) => name)
        const met = verdicts.flatMap(([name, isSuccess]) => (operations.includes(name) ? [isSuccess] : []))
        if (operations.length > 0) assert.sameMembers([...new Set(met)], [true, false], module.name)
      }
    }),
  )

  it.live("accept a bearer token that either of them issued", () =>
    Effect.gen(function* () {
      const { headers } = yield* post("/sign-up/email", { email, password })
      const bearer = { authorization: `Bearer ${headers["set-auth-token"]}` }
      const viewer = "{ viewer { user { email } } }"
      assert.deepStrictEqual((yield* query(viewer, {}, { headers: bearer })).data, { viewer: { user: { email } } })
      assert.deepStrictEqual((yield* query(viewer, {}, { headers: { authorization: "Bearer unknown" } })).data, { viewer: null })

      const text = "mutation ($input: SignInEmailInput!) { signInEmail(input: $input) { __typename } }"
      const answer = yield* query(text, { input: { email, password } })
      const own = { authorization: `Bearer ${answer.headers["set-auth-token"]}` }
      assert.strictEqual((yield* get("/get-session", { headers: own })).json.user.email, email)
    }).pipe(Effect.provide(graphqlServed({ modules })), Effect.scoped),
  )
})
