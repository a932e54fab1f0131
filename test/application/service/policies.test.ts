import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { Wallet } from "ethers"
import { admin } from "../../../application/modules/admin/index.ts"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import { oneTimeToken } from "../../../application/modules/one_time_token/index.ts"
import { organization } from "../../../application/modules/organization/index.ts"
import { phone } from "../../../application/modules/phone/index.ts"
import { siwe } from "../../../application/modules/siwe/index.ts"
import { social } from "../../../application/modules/social/index.ts"
import { TwoFactors } from "../../../application/modules/two_factor/tables.ts"
import { username } from "../../../application/modules/username/index.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import type { AuthError } from "../../../domain/errors.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { insert, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import type { Issued, SignIn } from "../../../domain/sessions/sign-in.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { handOff, issue, issueToNewAccount, issueWith } from "../../../domain/sign-in/issuing.ts"
import { newAccount } from "../../../domain/sign-in/linked-accounts.ts"
import { Accounts } from "../../../domain/users/tables.ts"
import { asking } from "../../asking.ts"
import { modules as everything } from "../../everything.ts"
import { authenticator } from "../../passkeys.ts"
import { rulesOf, verifying } from "../../rule.ts"
import { parts, written } from "../../siwe.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../two-factor.ts"
import {
  at,
  atOnce,
  bringing,
  browser,
  core,
  emails,
  endpoints,
  isSignedIn,
  mailedToken,
  password,
  rows,
  Service,
  signedUp as signedUpAt,
  texts,
  times,
  type WorldServices,
} from "../../world.ts"
import { added, answered, built as passkey } from "../modules/passkey/passkeys.ts"
import { discovered, issuer, makeOpenId } from "../modules/social/openid.ts"
import { configured, makeProvider } from "../modules/social/provider.ts"

// Every policy, at every endpoint that issues a session. A test fails if an endpoint that signs in
// has no row here.

const codes = Schema.decodeSync(CodeSettings)({})
const acme = { providers: [configured("acme"), discovered({ app_client_ids: ["our app"] })] }
const built = {
  admin: admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] }),
  emailOtp: emailOtp.build(codes),
  magicLink: magicLink.build({ expires_in: 600, disable_signup: false }),
  oneTimeToken: oneTimeToken.build({ expires_in: 60 }),
  bearer: bearer.build({ redirects: ["com.example.app:/auth"] }),
  organization: organization.build(Schema.decodeUnknownSync(organization.settings)({})),
  phone: phone.build(codes),
  passkey,
  siwe: siwe.build({ domain: parts.domain, chain_id: 1, nonce_ttl: 600 }),
  social: social.build(Schema.decodeUnknownSync(social.settings)(acme)),
  twoFactor,
  username: username.build({}),
}
const { signInEmail, signUpEmail, changePassword, requestPasswordReset, resetPassword, sendVerificationEmail, verifyEmail } = endpoints
const { emailOtpSend, signInEmailOtp } = built.emailOtp.endpoints
const { magicLinkSend, magicLinkVerify, magicLinkVerifyCode } = built.magicLink.endpoints
const { phoneSendOtp, phoneVerify, signInPhone } = built.phone.endpoints
const { signInSocial, linkSocial, oauthCallback, signInIdTokenNonce, signInIdToken } = built.social.endpoints
const { twoFactorTotpChallenge, twoFactorTotpEnable, twoFactorTotpConfirm, twoFactorTotpStatus } = twoFactor.endpoints

const modules = [...core, ...Object.values(built)]
const visitor = () => browser()
const email = "ada@example.com"
const number = "+15550100"
const new_password = "another fine password"
const wallet = new Wallet(`0x${"a1".repeat(32)}`)

/** The beginning of a time step, long after the first one. */
const start = 1_700_000_010_000

const rule = (...[name, shown, settings]: Parameters<ReturnType<typeof rulesOf>>) =>
  rulesOf(modules)(
    name,
    function* () {
      yield* TestClock.setTime(start)
      yield* Effect.gen(shown)
    },
    settings,
  )

const codeIn = (text: string | undefined) => Option.getOrThrow(Option.fromNullOr(/\b\d{6}\b/.exec(text ?? "")))[0]
const mailedCode = Effect.map(emails, (all) => codeIn(all.at(-1)?.text))
const textedCode = Effect.map(texts, (all) => codeIn(all.at(-1)?.text))

const verified = Effect.fnUntraced(function* (ada: Ada) {
  yield* ada.body(sendVerificationEmail, { email })
  yield* ada.body(verifyEmail, { token: yield* mailedToken })
})

/** Ada, who has an authenticator app. */
const withApp = Effect.gen(function* () {
  const ada = yield* signedUpAt(email)
  const { secret } = yield* enrolled(ada)
  return { ...ada, secret }
})
type Ada = Effect.Success<typeof withApp>
type Enter = Effect.Effect<Endpoint.Reply<unknown>, AuthError, WorldServices>

interface Way {
  /** All steps before the last one, which is the result. */
  readonly prepared: (ada: Ada) => Effect.Effect<Enter, AuthError, WorldServices>
  /** The result of the last step after a ban of Ada. */
  readonly banned: string
  /** The result where addresses must be verified, and Ada's is not. */
  readonly unverified: string
}

const refusedAs = (prepared: Way["prepared"], unverified: string, banned = "banned"): Way => ({ prepared, unverified, banned })

const signedMessage = Effect.gen(function* () {
  const { nonce } = yield* visitor().body(built.siwe.endpoints.siweNonce)
  const message = written({ ...parts, address: wallet.address, nonce, issuedAt: "2023-11-14T22:13:30Z" })
  return { message, signature: yield* Effect.promise(() => wallet.signMessage(message)) }
})

const withWallet = Effect.fnUntraced(function* (user_id: string) {
  const account = yield* newAccount(user_id, { provider_id: "siwe", account_id: wallet.address })
  yield* Effect.orDie((yield* Store).commit([insert(Accounts, account)]))
})

/** A sign-up by the mail of an invitation that a user of an organization of their own sends. */
const invitedBy = Effect.fnUntraced(function* (host: Pick<Ada, "body">, email: string) {
  const { organizationAcceptInvitationSignUp, organizationCreate, organizationInvite } = built.organization.endpoints
  const { organization } = yield* host.body(organizationCreate, { name: "Acme", slug: "acme" })
  const { invitation } = yield* host.body(organizationInvite, { organization_id: organization.id, email })
  return visitor().call(organizationAcceptInvitationSignUp, { invitation_id: invitation.id, token: yield* mailedToken, password })
})

/** How new users enter by the endpoints that only sign up. */
const newcomers: Readonly<Record<string, Way["prepared"]>> = {
  signUpEmail: () => Effect.succeed(visitor().call(signUpEmail, { email: "new@example.com", password })),
  organizationAcceptInvitationSignUp: (ada) => invitedBy(ada, "new@example.com"),
}

/** By the name of the endpoint that issues the session. */
const ways: Readonly<Record<string, Way>> = {
  signUpEmail: refusedAs(
    () => Effect.succeed(visitor().call(signUpEmail, { email, password })),
    "user_already_exists",
    "user_already_exists",
  ),
  // Ada invites herself: an account that is returned to her stays a member.
  organizationAcceptInvitationSignUp: refusedAs((ada) => invitedBy(ada, email), "invalid_invitation", "user_already_exists"),
  signInEmail: refusedAs(() => Effect.succeed(visitor().call(signInEmail, { email, password })), "email_not_verified"),
  signInUsername: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        yield* ada.body(built.username.endpoints.usernameSet, { username: "ada" })
        return visitor().call(built.username.endpoints.signInUsername, { username: "ada", password })
      }),
    "invalid_credentials",
  ),
  signInEmailOtp: refusedAs(
    () =>
      Effect.gen(function* () {
        yield* visitor().body(emailOtpSend, { email })
        return visitor().call(signInEmailOtp, { email, otp: yield* mailedCode })
      }),
    "session",
  ),
  magicLinkVerify: refusedAs(
    () =>
      Effect.gen(function* () {
        yield* visitor().body(magicLinkSend, { email })
        return visitor().call(magicLinkVerify, { token: yield* mailedToken })
      }),
    "session",
  ),
  magicLinkVerifyCode: refusedAs(
    () =>
      Effect.gen(function* () {
        const flow = "f".repeat(43)
        yield* visitor().body(magicLinkSend, { email, flow })
        return visitor().call(magicLinkVerifyCode, { email, flow, code: yield* mailedCode })
      }),
    "session",
  ),
  signInPhone: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        yield* visitor().body(phoneSendOtp, { phone: number })
        yield* ada.body(phoneVerify, { phone: number, otp: yield* textedCode })
        yield* visitor().body(phoneSendOtp, { phone: number })
        return visitor().call(signInPhone, { phone: number, otp: yield* textedCode })
      }),
    "invalid_otp",
  ),
  siweVerify: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        yield* withWallet(ada.user.id)
        return visitor().call(built.siwe.endpoints.siweVerify, yield* signedMessage)
      }),
    "invalid_signature",
  ),
  passkeyAuthenticateVerify: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        const key = authenticator()
        yield* added(ada, key)
        const their = visitor()
        return their.call(built.passkey.endpoints.passkeyAuthenticateVerify, { response: yield* answered(their, key) })
      }),
    "invalid_passkey",
  ),
  oauthCallback: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        const provider = makeProvider()
        const profile = { uid: "ada", mail: "ada@acme.example", confirmed: true, nick: "Ada" }
        const linking = yield* ada.body(linkSocial, { provider: "acme" })
        const answered = Effect.provideService(HttpClient.HttpClient, provider.client)
        yield* answered(ada.body(oauthCallback, provider.visit(linking.url, profile)))
        const their = visitor()
        const { url } = yield* their.body(signInSocial, { provider: "acme" })
        return answered(their.call(oauthCallback, provider.visit(url, profile)))
      }),
    "invalid_request",
  ),
  signInIdToken: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        const { op, client, visit } = makeOpenId()
        const answered = Effect.provideService(HttpClient.HttpClient, client)
        op.claims = (claims) => ({ ...claims, iat: start / 1000, exp: start / 1000 + 86_400 })
        const linking = yield* answered(ada.body(linkSocial, { provider: "op" }))
        yield* answered(ada.body(oauthCallback, visit(linking.url)))
        const their = visitor()
        const { nonce } = yield* their.body(signInIdTokenNonce)
        const claims = { iss: issuer, sub: "ada", aud: "our app", iat: start / 1000, exp: start / 1000 + 86_400, nonce }
        const id_token = yield* Effect.promise(() => op.sign(claims, op.key))
        return answered(their.call(signInIdToken, { provider: "op", id_token, nonce }))
      }),
    "invalid_request",
  ),
  twoFactorTotpChallenge: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        const { challenge_token } = challengeIn(yield* visitor().call(signInEmail, { email, password }))
        return visitor().call(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(ada.secret) })
      }),
    "email_not_verified",
  ),
  oneTimeTokenVerify: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        const { token } = yield* ada.body(built.oneTimeToken.endpoints.oneTimeTokenGenerate)
        return visitor().call(built.oneTimeToken.endpoints.oneTimeTokenVerify, { token })
      }),
    "session",
    "invalid_token",
  ),
  nativeExchange: refusedAs(
    (ada) =>
      Effect.gen(function* () {
        const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        const input = { redirect_uri: "com.example.app:/auth", code_challenge, code_challenge_method: "S256" }
        const { redirect } = yield* ada.body(built.bearer.endpoints.nativeCode, input)
        const code = new URL(redirect).searchParams.get("code")
        const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        return visitor().call(built.bearer.endpoints.nativeExchange, { code, code_verifier })
      }),
    "session",
    "invalid_token",
  ),
  changePassword: refusedAs(
    (ada) => Effect.succeed(ada.call(changePassword, { current_password: password, new_password, revoke_other_sessions: true })),
    "session",
    "unauthorized",
  ),
}

/** Sign-ins of guests, who have no factors (`../modules/guest`). */
const ofGuests = ["signInGuest", "guestUpgrade", "phoneUpgradeGuest"]

/** The kind of a reply. */
const outcomeOf = ({ session, body }: Endpoint.Reply<unknown>) => {
  if (typeof session === "object") return "session"
  return typeof body === "object" && body !== null && "challenge_token" in body ? "challenge" : "nothing"
}
const outcome = (entered: Enter) => Effect.match(entered, { onSuccess: outcomeOf, onFailure: ({ _tag }) => _tag })

/**
 * Sign-ins without a challenge for a second factor: it was proved already, another service authenticated the user, or a session is handed
 * off.
 */
const handOffs = ["oneTimeTokenVerify", "nativeExchange"]
const signedInBefore = [...handOffs, "changePassword"]
const exempt = ["twoFactorTotpChallenge", "passkeyAuthenticateVerify", "oauthCallback", "signInIdToken", ...signedInBefore]

const askingAll = AuthOf.make([...modules, asking])

describe("the endpoints that sign in", () => {
  // Endpoints that accept the answer to a challenge continue another sign-in (challenges.test.ts).
  const signingIn = Object.entries(AuthOf.make(everything).endpoints).filter(
    ([name, { signsIn }]) => signsIn !== undefined && (signsIn !== "challenge" || name in ways),
  )

  it("are those of the table above", () => {
    assert.deepStrictEqual(signingIn.map(([name]) => name).toSorted(), [...Object.keys(ways), ...ofGuests].toSorted())
    assert.deepStrictEqual(
      signingIn.flatMap(([name, { signsIn }]) => (signsIn === "single_factor" || signsIn === "registration" ? [] : [name])).toSorted(),
      exempt.toSorted(),
    )
    assert.deepStrictEqual(
      signingIn.flatMap(([name, { signsIn }]) => (signsIn === "session" ? [name] : [])).toSorted(),
      signedInBefore.toSorted(),
    )
  })

  const issuing: Readonly<Record<string, Effect.Effect<SignIn, any, any>>> = {
    issue: Effect.flatMap(rereadSession, ({ user }) => issue(user)),
    issueWith: Effect.flatMap(rereadSession, ({ user }) => issueWith(user.row, [])),
    issueToNewAccount: Effect.flatMap(rereadSession, ({ user }) => issueToNewAccount(user.row, [])),
    handOff: Effect.flatMap(rereadSession, ({ session: { row } }) => handOff({ session_id: row.id, session_token_hash: row.token_hash })),
  }
  for (const [name, way] of Object.entries(issuing)) {
    rule(`declare it: an undeclared one, ${name}, issues no session`, function* () {
      const forgetful = Endpoint.make({
        method: "POST",
        path: "/forgetful",
        summary: "Signs in and does not say so, which only a cast hides from the compiler.",
        access: "session",
        input: Endpoint.NoInput,
        output: Endpoint.Success,
        handler: () => Effect.map(retryOnConflict(way), (issued) => Endpoint.reply(Endpoint.succeeded, issued as Issued)),
      })
      const ada = yield* signedUpAt(email)
      const exit = yield* Effect.exit(at(ada, bringing(forgetful)).call(forgetful))
      assert.include(String(exit), "/forgetful signs users in without declaring signsIn")
      assert.lengthOf(yield* rows(Sessions), 1)
    })
  }
})

describe.each(Object.entries(ways))("%s", (name, { prepared, banned, unverified }) => {
  rule(`${exempt.includes(name) ? "signs in" : "does not sign in"} a user with a second factor`, function* () {
    const ada = yield* withApp
    yield* verified(ada)
    const enter = yield* prepared(ada)
    const before = (yield* rows(Sessions)).length
    const expected = name in newcomers ? "user_already_exists" : exempt.includes(name) ? "session" : "challenge"
    assert.strictEqual(yield* outcome(enter), expected)
    const made = expected === "session" && name !== "changePassword" ? 1 : 0
    assert.strictEqual((yield* rows(Sessions)).length - before, made)
  })

  rule(`${signedInBefore.includes(name) ? "does not challenge" : "challenges"} where every sign-in is challenged`, function* () {
    const ada = yield* withApp
    yield* verified(ada)
    const enter = yield* prepared(ada)
    const before = (yield* rows(Sessions)).length
    const asked = yield* outcome(Effect.provideService(enter, Service, askingAll))
    if (name in newcomers) return assert.strictEqual(asked, "user_already_exists")
    assert.strictEqual(asked, signedInBefore.includes(name) ? "session" : "challenge")
    assert.strictEqual((yield* rows(Sessions)).length - before, handOffs.includes(name) ? 1 : 0)
  })

  rule(`tells modules of ${handOffs.includes(name) ? "no proof" : "the proof"} before the session is stored`, function* () {
    const ada = name === "twoFactorTotpChallenge" ? yield* withApp : { ...(yield* signedUpAt(email)), secret: "" }
    yield* verified(ada)
    const enter = yield* (newcomers[name] ?? prepared)(ada)
    const before = (yield* rows(Sessions)).map(({ id }) => id)
    const proved = new Set<string>()
    const identityProved = ({ id }: { readonly id: string }) =>
      Effect.as(
        Effect.sync(() => proved.add(id)),
        [],
      )
    const noting = Module.define({ name: "noting", settings: Module.NoSettings, parts: () => ({ identityProved }) }).build({})
    assert.strictEqual(yield* outcome(Effect.provideService(enter, Service, AuthOf.make([...modules, noting]))), "session")
    const made = (yield* rows(Sessions)).map(({ id }) => id).filter((id) => !before.includes(id))
    assert.deepStrictEqual([...proved], handOffs.includes(name) ? [] : made)
  })

  rule("refuses a user who is banned before the last step", function* () {
    const root = yield* signedUpAt("root@example.com")
    const ada = yield* withApp
    yield* verified(ada)
    const enter = yield* prepared(ada)
    yield* root.body(built.admin.endpoints.adminBanUser, { user_id: ada.user.id })
    assert.strictEqual(yield* outcome(enter), banned)
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule(
    "requires a verified address where configured",
    function* () {
      const ada = yield* withApp
      assert.strictEqual(yield* outcome(Effect.flatten(prepared(ada))), unverified)
    },
    verifying,
  )
})

describe("a second factor that an attacker enrolled", () => {
  const taken = Effect.fnUntraced(function* (enter: Effect.Effect<Endpoint.Reply<unknown>, AuthError, WorldServices>) {
    assert.strictEqual(yield* outcome(enter), "session")
    assert.lengthOf(yield* rows(TwoFactors), 0)
  })
  const attackersChallenge = Effect.map(visitor().call(signInEmail, { email, password }), challengeIn)

  for (const name of ["signInEmailOtp", "magicLinkVerify", "magicLinkVerifyCode"] as const) {
    rule(`is removed with their other credentials once the owner of the address proves it: ${name}`, function* () {
      const attacker = yield* withApp
      const { challenge_token } = yield* attackersChallenge
      yield* taken(yield* ways[name]!.prepared(attacker))
      assert.isFalse(yield* isSignedIn(attacker))
      const code = yield* shownBy(attacker.secret)
      assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, code }), "invalid_token")
    })
  }

  rule("is removed when the owner of the address signs up by an invitation", function* () {
    const attacker = yield* withApp
    yield* taken(yield* invitedBy(yield* signedUpAt("host@example.com"), email))
    assert.isFalse(yield* isSignedIn(attacker))
  })

  rule("stays if the user is signed in, and they are challenged for it", function* () {
    const ada = yield* withApp
    yield* visitor().body(emailOtpSend, { email })
    assert.strictEqual(yield* outcome(ada.call(signInEmailOtp, { email, otp: yield* mailedCode })), "challenge")
    assert.isTrue(yield* isSignedIn(ada))
    assert.isTrue((yield* ada.body(twoFactorTotpStatus)).enabled)
  })

  rule("is removed when the owner of the address resets the password", function* () {
    yield* withApp
    yield* visitor().body(requestPasswordReset, { email })
    yield* visitor().body(resetPassword, { token: yield* mailedToken, new_password })
    yield* taken(visitor().call(signInEmail, { email, password: new_password }))
  })

  rule("does not apply to a verified address: a reset keeps the factor", function* () {
    const ada = yield* withApp
    yield* verified(ada)
    yield* visitor().body(requestPasswordReset, { email })
    yield* visitor().body(resetPassword, { token: yield* mailedToken, new_password })
    const { challenge_token } = challengeIn(yield* visitor().call(signInEmail, { email, password: new_password }))
    yield* visitor().body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(ada.secret) })
  })

  rule(
    "stays where accounts are kept",
    function* () {
      const ada = yield* withApp
      const enter = yield* ways["signInEmailOtp"]!.prepared(ada)
      const { challenge_token } = challengeIn(yield* enter)
      assert.isTrue(yield* isSignedIn(ada))
      yield* visitor().body(twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(ada.secret) })
    },
    { account: { unverified_takeover: "keep" } },
  )

  rule(
    "is challenged for only while the user is unchanged, also at the first proof of the address",
    function* () {
      const ada = yield* withApp
      const { challenge_token } = challengeIn(yield* yield* ways["signInEmailOtp"]!.prepared(ada))
      yield* ada.body(changePassword, { current_password: password, new_password })
      const code = yield* shownBy(ada.secret)
      assert.strictEqual(yield* visitor().code(twoFactorTotpChallenge, { challenge_token, code }), "invalid_token")
    },
    { account: { unverified_takeover: "keep" } },
  )

  rule("is not enrolled concurrently with the proof", function* () {
    const attacker = yield* signedUpAt(email)
    const { secret } = yield* attacker.body(twoFactorTotpEnable, { password })
    const code = yield* shownBy(secret)
    const enter = yield* ways["signInEmailOtp"]!.prepared({ ...attacker, secret })
    yield* atOnce([
      enter,
      attacker.call(twoFactorTotpConfirm, { code }),
      ...times(5, () => attacker.call(twoFactorTotpEnable, { password })),
    ])
    assert.isFalse(yield* isSignedIn(attacker))
    assert.lengthOf(yield* rows(TwoFactors), 0)
    assert.lengthOf(yield* rows(Sessions), 1)
  })
})
