import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { Wallet } from "ethers"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import { createUser } from "../../../adapters/cli/users.ts"
import { importUsers } from "../../../adapters/import/import-users.ts"
import { findingsOf } from "../../../adapters/import/report.ts"
import { tables as importTables } from "../../../application/import/tables.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { SignUpInvitations } from "../../../application/modules/admin/invitations.ts"
import { emailOtp } from "../../../application/modules/email_otp/index.ts"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import { organization } from "../../../application/modules/organization/index.ts"
import { phone } from "../../../application/modules/phone/index.ts"
import { siwe } from "../../../application/modules/siwe/index.ts"
import { social } from "../../../application/modules/social/index.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { notAdmitted } from "../../../domain/errors.ts"
import { CodeSettings } from "../../../domain/limits/codes.ts"
import { standard } from "../../../domain/organizations/access-control.ts"
import { Invitations, type StoredInvitation } from "../../../domain/organizations/tables.ts"
import { HashFormats } from "../../../domain/ports/hash-formats.ts"
import { RefusedDomains } from "../../../domain/ports/refused-domains.ts"
import { find, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import { Users } from "../../../domain/users/tables.ts"
import { printed } from "../../adapters/cli/printed.ts"
import { discovered, issuer, makeOpenId } from "../../application/modules/social/openid.ts"
import { configured, makeProvider } from "../../application/modules/social/provider.ts"
import { rulesOf } from "../../rule.ts"
import { parts, written } from "../../siwe.ts"
import {
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
  signedIn,
  signedUp,
  texts,
  times,
  type WorldServices,
  withSettings,
} from "../../world.ts"

// Every way to add a user, under every mode, with addresses of every class.

/** A sign-in method of the operator's own. */
const own = Endpoint.make({
  method: "POST",
  path: "/own",
  summary: "Accepts every address.",
  access: "public",
  signsIn: "single_factor",
  input: Schema.Struct({ email: Schema.String }),
  output: Endpoint.Success,
  errors: notAdmitted,
  handler: Effect.fnUntraced(function* ({ email }) {
    const issued = yield* retryOnConflict(signInByVerifiedEmail(email, [], { name: null, disable_signup: false }))
    return Endpoint.reply(Endpoint.succeeded, Option.getOrThrow(issued))
  }),
})

const codes = Schema.decodeSync(CodeSettings)({})
const providers = [configured("acme"), discovered({ app_client_ids: ["our app"] })]
const limits = { max_per_user: 100, max_teams: 500, max_invitations: 500 }
const built = {
  admin: admin.build({ admin_emails: [], admin_user_ids: [] }),
  emailOtp: emailOtp.build(codes),
  magicLink: magicLink.build({ expires_in: 600, disable_signup: false }),
  organization: organization.build({ access_control: standard, invitation_expires_in: 604_800, ...limits }),
  phone: phone.build(codes),
  siwe: siwe.build({ domain: parts.domain, chain_id: 1, nonce_ttl: 600 }),
  social: social.build(Schema.decodeUnknownSync(social.settings)({ providers })),
  own: bringing(own),
  imports: Module.define({ name: "import", settings: Module.NoSettings, parts: () => ({ tables: importTables }) }).build({}),
}
const modules = [...core, ...Object.values(built)]
const { emailOtpSend, signInEmailOtp } = built.emailOtp.endpoints
const { magicLinkSend, magicLinkVerify } = built.magicLink.endpoints
const { phoneSendOtp, signInPhone } = built.phone.endpoints
const {
  adminCreateUser,
  adminInvitationsCreate,
  adminInvitationsCancel,
  adminInvitationsList,
  adminInvitationsResend,
  adminUsersVerifyEmail,
} = built.admin.endpoints
const { organizationCreate, organizationInvite, organizationCancelInvitation, organizationAcceptInvitation, organizationUpdateRole } =
  built.organization.endpoints
const { organizationAcceptInvitationSignUp } = built.organization.endpoints
const { signUpEmail, signInEmail, changeEmail, verifyEmail, sendVerificationEmail, requestPasswordReset, resetPassword } = endpoints

const visitor = () => browser()

/** A user who signs up with a password, and then signs in: where only certain addresses come in, a sign-up opens no session. */
const signUp = (email: string) => Effect.catchTag(visitor().call(signUpEmail, { email, password }), "email_not_verified", () => Effect.void)
const verifying = { email_password: { enabled: true, require_email_verification: true } }
/** Mails the link that proves the address, and follows it. */
const proved = (email: string) =>
  Effect.gen(function* () {
    yield* visitor().body(sendVerificationEmail, { email })
    return yield* outcome(visitor().call(verifyEmail, { token: yield* mailedToken }))
  })
const joined = (email: string) => signUp(email).pipe(Effect.andThen(proved(email)), Effect.andThen(signedIn(email)))
const start = 1_700_000_010_000
const trash = Effect.provideService(RefusedDomains, new Set(["trash.example.com"]))

/** The classes of addresses under these rules. */
const rules = { allow: ["example.com"], block: ["blocked.example.com"], block_disposable: true, block_subaddress: true }
const addresses = {
  allowed: "ada@example.com",
  blocked: "ada@eu.blocked.example.com",
  disposable: "ada@mail.trash.example.com",
  subaddress: "ada+x@example.com",
  outside: "ada@elsewhere.example",
} as const
type Class = keyof typeof addresses

type Tried = Effect.Effect<unknown, { readonly _tag: string }, WorldServices>
/** `in`, the code of the refusal, or `silence`: the usual answer, and nothing is sent. */
const outcome = (tried: Tried) => Effect.map(Effect.result(tried), (result) => (result._tag === "Success" ? "in" : result.failure._tag))

const folder = mkdtempSync(join(tmpdir(), "sallyport-admission-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

const silence = { _tag: "silence" } as const
const codeIn = (text: string | undefined) => /\b\d{6}\b/.exec(text ?? "")?.[0]

const byProvider = Effect.fnUntraced(function* (mail: string) {
  const provider = makeProvider()
  const their = visitor()
  const { url } = yield* their.body(built.social.endpoints.signInSocial, { provider: "acme" })
  const callback = their.call(built.social.endpoints.oauthCallback, provider.visit(url, { uid: mail, mail, confirmed: true, nick: "Ada" }))
  return yield* Effect.provideService(callback, HttpClient.HttpClient, provider.client)
})

const byIdToken = Effect.fnUntraced(function* (email: string) {
  const { op, client } = makeOpenId()
  const their = visitor()
  const { nonce } = yield* their.body(built.social.endpoints.signInIdTokenNonce)
  const times = { iat: start / 1000, exp: start / 1000 + 86_400 }
  const id_token = yield* Effect.promise(() =>
    op.sign({ iss: issuer, sub: email, aud: "our app", email, email_verified: true, nonce, ...times }, op.key),
  )
  const entered = their.call(built.social.endpoints.signInIdToken, { provider: "op", id_token, nonce })
  return yield* Effect.provideService(entered, HttpClient.HttpClient, client)
})

const wallet = new Wallet(`0x${"a1".repeat(32)}`)
const byWallet = Effect.gen(function* () {
  const { nonce } = yield* visitor().body(built.siwe.endpoints.siweNonce)
  const message = written({ ...parts, address: wallet.address, nonce, issuedAt: "2023-11-14T22:13:30Z" })
  const signature = yield* Effect.promise(() => wallet.signMessage(message))
  return yield* visitor().call(built.siwe.endpoints.siweVerify, { message, signature })
})

const byPhone = Effect.gen(function* () {
  const sent = (yield* texts).length
  yield* visitor().body(phoneSendOtp, { phone: "+15550100" })
  const all = yield* texts
  if (all.length === sent) return yield* Effect.fail(silence)
  return yield* visitor().call(signInPhone, { phone: "+15550100", otp: codeIn(all.at(-1)?.text) })
})

const byCommand = (email: string, force = false) =>
  printed(createUser({ email, name: Option.none(), admin: false, force }, Effect.succeed(password))).pipe(
    Effect.provide(commandPolicies(modules)),
    Effect.mapError(({ lines }) => ({ _tag: lines.join().includes("cannot be used here") ? "address_not_allowed" : lines.join() })),
  )

const byImport = Effect.fnUntraced(function* (email: string, force = false) {
  const path = join(folder, `users-${count++}.json`)
  writeFileSync(path, JSON.stringify({ user_id: email, email, email_verified: true }))
  const found: Array<string> = []
  const listener = {
    begun: () => Effect.void,
    outcomes: (outcomes: Parameters<Parameters<typeof importUsers>[2]["outcomes"]>[0]) =>
      Effect.sync(() => void found.push(...outcomes.flatMap(findingsOf).map(({ code }) => code))),
    progress: () => {},
  }
  const request = { path, from: Option.none(), providers: {}, dry: false, force, resume: Option.none(), refused: Option.none() }
  const none = Layer.succeed(HashFormats, HashFormats.of({ formatOf: () => Option.none() }))
  const destination = { modules: new Set<string>(), socialProviders: [], imported: {}, attributes: [] }
  yield* importUsers(request, destination, listener).pipe(Effect.provide(none), Effect.orDie)
  const [refusal] = found
  if (refusal !== undefined) return yield* Effect.fail({ _tag: refusal })
})

/** How people come in by themselves. */
const ways: Readonly<Record<string, (email: string) => Tried>> = {
  "sign-up": signUp,
  "social by redirect": byProvider,
  "social by ID token": byIdToken,
  "a method of one's own": (email) => visitor().call(own, { email }),
}
const mailed: typeof ways = {
  "mailed code": Effect.fnUntraced(function* (email) {
    const sent = (yield* emails).length
    yield* visitor().body(emailOtpSend, { email })
    const all = yield* emails
    if (all.length === sent) return yield* Effect.fail(silence)
    return yield* visitor().call(signInEmailOtp, { email, otp: codeIn(all.at(-1)?.text) })
  }),
  "magic link": Effect.fnUntraced(function* (email) {
    const sent = (yield* emails).length
    yield* visitor().body(magicLinkSend, { email })
    if ((yield* emails).length === sent) return yield* Effect.fail(silence)
    return yield* visitor().call(magicLinkVerify, { token: yield* mailedToken })
  }),
}
const withoutAddress: Readonly<Record<string, Tried>> = { wallet: byWallet, "phone code": byPhone }

/** How others bring them in, or a user changes the address. */
const byOthers: typeof ways = {
  administrator: (email) =>
    Effect.gen(function* () {
      const root = yield* administrator
      return yield* root.call(adminCreateUser, { email, password })
    }),
  "command line": (email) => byCommand(email),
  import: (email) => byImport(email),
  "change of address": (email) =>
    Effect.gen(function* () {
      const their = yield* withSettings({})(signedUp(`other${count++}@example.net`))
      return yield* their.call(changeEmail, { new_email: email })
    }),
}
const administrator = Effect.gen(function* () {
  const email = `root${count++}@example.net`
  yield* printed(createUser({ email, name: Option.none(), admin: true, force: true }, Effect.succeed(password))).pipe(
    Effect.provide(commandPolicies(modules)),
  )
  const root = visitor()
  yield* root.body(signInEmail, { email, password })
  return root
})

/** An owner of an organization, who signed up before registration had a mode. */
const owner = Effect.gen(function* () {
  const their = yield* withSettings({})(signedUp("owner@example.net"))
  const { organization } = yield* their.body(organizationCreate, { name: "Acme", slug: "acme" })
  return { ...their, organization_id: organization.id }
})

const modes = ["open", "invited", "closed"] as const
type Mode = (typeof modes)[number]

const rule = (name: string, shown: Parameters<ReturnType<typeof rulesOf>>[1], registration: unknown = { email: rules }) =>
  rulesOf(modules)(
    name,
    function* () {
      yield* TestClock.setTime(start)
      yield* trash(Effect.gen(shown))
    },
    { registration },
  )

const under = (mode: Mode, way: (email: string) => Tried, expected: (name: Class) => string) =>
  rule(
    `under ${mode}`,
    function* () {
      for (const [name, email] of Object.entries(addresses) as ReadonlyArray<[Class, string]>) {
        assert.strictEqual(yield* outcome(way(email)), expected(name), name)
        const added = (yield* rows(Users)).filter((user) => user.email === email)
        assert.lengthOf(added, expected(name) === "in" ? 1 : 0, name)
      }
    },
    { mode, email: rules },
  )

const inOpen = (refused: string) => (name: Class) => (name === "allowed" ? "in" : refused)

describe.each(Object.entries(ways))("%s", (_, way) => {
  under("open", way, inOpen("address_not_allowed"))
  for (const mode of ["invited", "closed"] as const) under(mode, way, () => "registration_closed")
})

describe.each(Object.entries(mailed))("%s", (_, way) => {
  under("open", way, inOpen("silence"))
  for (const mode of ["invited", "closed"] as const) under(mode, way, () => "silence")
})

describe.each(Object.entries(withoutAddress))("%s", (name, way) => {
  const refused = (code: string) => (name === "wallet" ? code : "silence")
  const is = (mode: Mode, email: object, expected: string) =>
    rule(
      `under ${mode} ${"allow" in email ? "with" : "without"} allowed domains`,
      function* () {
        assert.strictEqual(yield* outcome(way), expected)
        assert.lengthOf(yield* rows(Users), expected === "in" ? 1 : 0)
      },
      { mode, email },
    )
  is("open", {}, "in")
  is("open", rules, refused("address_not_allowed"))
  for (const mode of ["invited", "closed"] as const) for (const email of [{}, rules]) is(mode, email, refused("registration_closed"))
})

describe.each(Object.entries(byOthers))("%s", (_, way) => {
  for (const mode of modes) under(mode, way, inOpen("address_not_allowed"))
})

describe("operators", () => {
  rule("waive the rules for addresses with --force", function* () {
    assert.strictEqual(yield* outcome(byCommand(addresses.blocked, true)), "in")
    assert.strictEqual(yield* outcome(byImport(addresses.disposable, true)), "in")
    assert.lengthOf(yield* rows(Users), 2)
  })
})

describe("an invited address", () => {
  const invited: Readonly<Record<string, (email: string) => Effect.Effect<unknown, { readonly _tag: string }, WorldServices>>> = {
    "by an organization": Effect.fnUntraced(function* (email) {
      const { organization_id, ...their } = yield* owner
      yield* their.body(organizationInvite, { organization_id, email })
    }),
    "by an administrator": Effect.fnUntraced(function* (email) {
      const root = yield* administrator
      yield* withSettings({})(root.body(adminInvitationsCreate, { email }))
    }),
  }
  const spent = Effect.gen(function* () {
    const open = (yield* rows(Invitations)).filter(({ admitted_at }) => admitted_at === null)
    return open.length + (yield* rows(SignUpInvitations)).length === 0
  })

  for (const [by, invite] of Object.entries(invited))
    for (const [name, way] of Object.entries({ ...ways, ...mailed }))
      for (const [kind, email] of Object.entries(addresses)) {
        const isBlocked = kind === "blocked"
        const refused = (code: string) => (name in mailed ? "silence" : code)
        const is = (mode: Mode, expected: string) =>
          rule(
            `${by}, ${kind}, ${expected === "in" ? "comes in" : "does not come in"} under ${mode}: ${name}`,
            function* () {
              yield* invite(email)
              assert.strictEqual(yield* outcome(way(email)), expected)
              // A sign-up proves no address: it leaves the invitation open.
              assert.strictEqual(yield* spent, expected === "in" && name !== "sign-up")
              assert.strictEqual((yield* rows(Users)).filter((user) => user.email === email).length, expected === "in" ? 1 : 0)
            },
            { mode, email: rules },
          )
        for (const mode of ["open", "invited"] as const) is(mode, isBlocked ? refused("address_not_allowed") : "in")
        is("closed", refused("registration_closed"))
      }

  describe.each(Object.entries(invited))("%s", (_, invite) => {
    const onlyInvited = { mode: "invited" }
    rule(
      "comes in once, also if many try at once",
      function* () {
        yield* invite(addresses.allowed)
        const tried = times(10, () => visitor().call(signUpEmail, { email: addresses.allowed, password }))
        assert.strictEqual((yield* atOnce(tried))["email_not_verified"], 1)
        assert.isFalse(yield* spent)
        yield* proved(addresses.allowed)
        assert.isTrue(yield* spent)
        assert.lengthOf(
          (yield* rows(Users)).filter(({ email }) => email === addresses.allowed),
          1,
        )
      },
      onlyInvited,
    )

    rule(
      "is not used up by a visitor who knows it",
      function* () {
        const email = addresses.allowed
        yield* invite(email)
        yield* signUp(email)
        assert.strictEqual(yield* visitor().code(signUpEmail, { email, password }), "user_already_exists")
        yield* visitor().body(requestPasswordReset, { email })
        yield* visitor().body(resetPassword, { token: yield* mailedToken, new_password: "the owner's own password" })
        assert.isTrue(yield* spent)
        assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "invalid_credentials")
        yield* visitor().body(signInEmail, { email, password: "the owner's own password" })
      },
      onlyInvited,
    )

    for (const [name, way] of Object.entries({ ...mailed, "a method of one's own": ways["a method of one's own"]! }))
      rule(
        `takes the account of a visitor who knew it over: ${name}`,
        function* () {
          const email = addresses.allowed
          yield* invite(email)
          yield* signUp(email)
          assert.strictEqual(yield* outcome(way(email)), "in")
          assert.isTrue(yield* spent)
          assert.strictEqual(yield* visitor().code(signInEmail, { email, password }), "invalid_credentials")
        },
        onlyInvited,
      )

    rule(
      "comes in as one user, also by different methods at once",
      function* () {
        yield* invite(addresses.allowed)
        const all = [...times(4, () => "sign-up"), ...times(4, () => "a method of one's own")]
        yield* atOnce(all.map((name) => Effect.mapError(ways[name]!(addresses.allowed), (error) => error)))
        assert.lengthOf(
          (yield* rows(Users)).filter(({ email }) => email === addresses.allowed),
          1,
        )
      },
      onlyInvited,
    )

    rule(
      "does not come in again after the user has another address",
      function* () {
        yield* invite(addresses.allowed)
        const ada = yield* joined(addresses.allowed)
        yield* ada.body(changeEmail, { new_email: "ada@example.org" })
        assert.strictEqual(yield* outcome(visitor().call(signUpEmail, { email: addresses.allowed, password })), "registration_closed")
      },
      onlyInvited,
    )

    rule(
      "does not come in after seven days",
      function* () {
        yield* invite(addresses.allowed)
        yield* TestClock.adjust("8 days")
        assert.strictEqual(yield* outcome(visitor().call(signUpEmail, { email: addresses.allowed, password })), "registration_closed")
      },
      onlyInvited,
    )
  })

  rule(
    "can accept the invitation of the organization afterwards, and does not come in by a cancelled one",
    function* () {
      const { organization_id, ...their } = yield* owner
      const { invitation } = yield* their.body(organizationInvite, { organization_id, email: addresses.allowed })
      const ada = yield* joined(addresses.allowed)
      yield* ada.body(organizationAcceptInvitation, { invitation_id: invitation.id })
      const other = yield* their.body(organizationInvite, { organization_id, email: "bob@example.com" })
      yield* their.body(organizationCancelInvitation, { invitation_id: other.invitation.id })
      assert.strictEqual(yield* outcome(visitor().call(signUpEmail, { email: "bob@example.com", password })), "registration_closed")
    },
    { mode: "invited" },
  )

  rule(
    "does not come in by an invitation whose sender may no longer invite",
    function* () {
      const { organization_id, ...their } = yield* owner
      const carl = yield* withSettings({})(signedUp("carl@example.com"))
      const { invitation } = yield* their.body(organizationInvite, { organization_id, email: "carl@example.com", role: "admin" })
      yield* carl.body(organizationAcceptInvitation, { invitation_id: invitation.id })
      yield* carl.body(organizationInvite, { organization_id, email: addresses.allowed })
      yield* their.body(organizationUpdateRole, { organization_id, user_id: carl.user.id, role: "member" })
      assert.strictEqual(yield* outcome(visitor().call(signUpEmail, { email: addresses.allowed, password })), "registration_closed")
    },
    { mode: "invited" },
  )
})

describe("the reader of the mail of an organization's invitation", () => {
  /** Follows the newest mail to this address, after a change of the stored invitation. */
  const followed = Effect.fnUntraced(function* (email: string, change: Partial<StoredInvitation> = {}) {
    const { organization_id, ...their } = yield* owner
    const { invitation } = yield* their.body(organizationInvite, { organization_id, email })
    const store = yield* Store
    const stored = Option.getOrThrow(yield* store.read(Invitations, { id: invitation.id }))
    yield* store.commit([update(Invitations, stored, change)])
    const signUp = { invitation_id: invitation.id, token: yield* mailedToken, password }
    return yield* outcome(visitor().call(organizationAcceptInvitationSignUp, signUp))
  })
  const expected: ReadonlyArray<readonly [how: string, email: string, registration: object, outcome: string]> = [
    ["comes in under invited", addresses.allowed, { mode: "invited" }, "in"],
    ["comes in from outside of the allowed domains", addresses.outside, { email: rules }, "in"],
    ["does not come in with a blocked address", addresses.blocked, { email: rules }, "address_not_allowed"],
    ["does not come in where registration is closed", addresses.allowed, { mode: "closed" }, "registration_closed"],
  ]
  for (const [how, email, registration, wanted] of expected)
    rule(
      how,
      function* () {
        assert.strictEqual(yield* followed(email), wanted)
        assert.strictEqual(Option.isSome(yield* find(Users, { email })), wanted === "in")
      },
      registration,
    )

  rule(
    "does not come in by an invitation by which a user signed up before",
    function* () {
      assert.strictEqual(yield* followed(addresses.allowed, { admitted_at: yield* DateTime.now }), "registration_closed")
    },
    { mode: "invited" },
  )

  rule(
    "gets the account of a visitor who knew the address, which spends the invitation",
    function* () {
      const { organization_id, ...their } = yield* owner
      const { invitation } = yield* their.body(organizationInvite, { organization_id, email: addresses.allowed })
      const mail = { invitation_id: invitation.id, token: yield* mailedToken }
      yield* signUp(addresses.allowed)
      yield* visitor().body(organizationAcceptInvitationSignUp, { ...mail, password: "the owner's own password" })
      const [stored] = yield* rows(Invitations)
      assert.deepStrictEqual([stored?.status, stored?.admitted_at !== null], ["accepted", true])
      assert.isFalse((yield* find(Users, { email: addresses.allowed }).pipe(Effect.map(Option.getOrThrow))).needs_invitation)
      assert.strictEqual(yield* visitor().code(signInEmail, { email: addresses.allowed, password }), "invalid_credentials")
    },
    { mode: "invited" },
  )
})

describe("a sign-up by an invitation that is withdrawn", () => {
  const proofs: Readonly<Record<string, (email: string) => Effect.Effect<string, { readonly _tag: string }, WorldServices>>> = {
    "verification link": proved,
    reset: Effect.fnUntraced(function* (email) {
      yield* visitor().body(requestPasswordReset, { email })
      return yield* outcome(visitor().call(resetPassword, { token: yield* mailedToken, new_password: "another password" }))
    }),
    "mailed code": (email) => outcome(mailed["mailed code"]!(email)),
    "magic link": (email) => outcome(mailed["magic link"]!(email)),
    "a method of one's own": (email) => outcome(ways["a method of one's own"]!(email)),
  }
  const refusals: Readonly<Record<string, string>> = {
    "mailed code": "invalid_otp",
    "a method of one's own": "registration_closed",
  }

  for (const [name, proof] of Object.entries(proofs))
    rule(
      `stays out, until its address is invited again: ${name}`,
      function* () {
        const email = addresses.allowed
        const root = yield* administrator
        const { invitation } = yield* root.body(adminInvitationsCreate, { email })
        yield* signUp(email)
        yield* root.body(adminInvitationsCancel, { invitation_id: invitation.id })
        assert.strictEqual(yield* proof(email), refusals[name] ?? "invalid_token")
        assert.strictEqual(yield* visitor().code(signUpEmail, { email, password }), "registration_closed")
        yield* root.body(adminInvitationsCreate, { email })
        assert.strictEqual(yield* proof(email), "in")
        assert.lengthOf(yield* rows(SignUpInvitations), 0)
        assert.strictEqual(yield* root.code(adminInvitationsCreate, { email }), "user_already_exists")
      },
      { mode: "invited" },
    )

  rule(
    "comes in if an administrator verifies the address",
    function* () {
      const email = addresses.allowed
      const root = yield* administrator
      yield* root.body(adminInvitationsCreate, { email })
      yield* signUp(email)
      const stored = (yield* rows(Users)).find((user) => user.email === email)
      yield* root.body(adminUsersVerifyEmail, { user_id: stored!.id })
      assert.lengthOf(yield* rows(SignUpInvitations), 0)
      yield* visitor().body(signInEmail, { email, password })
    },
    { mode: "invited" },
  )

  rule(
    "comes in or stays out, when a visitor, the owner and the withdrawal meet",
    function* () {
      const root = yield* administrator
      for (let round = 0; round < 10; round++) {
        const email = `ada${round}@example.com`
        const { invitation } = yield* root.body(adminInvitationsCreate, { email })
        yield* signUp(email)
        yield* visitor().body(sendVerificationEmail, { email })
        const token = yield* mailedToken
        const [verified, , cancelled] = yield* Effect.all(
          [
            outcome(visitor().call(verifyEmail, { token })),
            outcome(visitor().call(signUpEmail, { email, password })),
            outcome(root.call(adminInvitationsCancel, { invitation_id: invitation.id })),
          ],
          { concurrency: "unbounded" },
        )
        assert.lengthOf(
          [verified, cancelled].filter((one) => one === "in"),
          1,
        )
        const user = (yield* rows(Users)).find((stored) => stored.email === email)
        assert.strictEqual(user?.email_verified, verified === "in")
        assert.lengthOf(yield* rows(SignUpInvitations), 0)
      }
    },
    { mode: "invited" },
  )
})

describe("the invitations of administrators", () => {
  rule(
    "are listed, mailed again and cancelled",
    function* () {
      const root = yield* administrator
      const email = addresses.allowed
      const { invitation } = yield* root.body(adminInvitationsCreate, { email })
      assert.include((yield* emails).at(-1)?.text, "/sign-up")
      const again = yield* root.body(adminInvitationsCreate, { email })
      assert.strictEqual(yield* root.code(adminInvitationsCancel, { invitation_id: invitation.id }), "invalid_invitation")
      const invitation_id = again.invitation.id
      yield* TestClock.adjust("6 days")
      const resent = yield* root.body(adminInvitationsResend, { invitation_id })
      assert.isTrue(resent.invitation.expires_at.epochMilliseconds > again.invitation.expires_at.epochMilliseconds)
      assert.lengthOf(yield* emails, 3)
      assert.deepStrictEqual((yield* root.body(adminInvitationsList)).invitations, [resent.invitation])
      yield* root.body(adminInvitationsCancel, { invitation_id })
      assert.deepStrictEqual((yield* root.body(adminInvitationsList)).invitations, [])
      assert.strictEqual(yield* outcome(visitor().call(signUpEmail, { email, password })), "registration_closed")
    },
    { mode: "invited" },
  )

  rule("are refused for blocked addresses and for users", function* () {
    const root = yield* administrator
    assert.strictEqual(yield* root.code(adminInvitationsCreate, { email: addresses.blocked }), "address_not_allowed")
    yield* joined(addresses.allowed)
    assert.strictEqual(yield* root.code(adminInvitationsCreate, { email: addresses.allowed }), "user_already_exists")
  })

  rule("need their permission", function* () {
    const ada = yield* joined(addresses.allowed)
    assert.strictEqual(yield* ada.code(adminInvitationsCreate, { email: "bob@example.com" }), "forbidden")
    assert.strictEqual(yield* ada.code(adminInvitationsList), "forbidden")
  })
})

describe("users who exist", () => {
  rule(
    "sign in by every method while registration is closed",
    function* () {
      const all: typeof ways = { ...ways, ...mailed, wallet: () => byWallet, "phone code": () => byPhone }
      for (const [name, way] of Object.entries(all)) {
        const email = `${name.replaceAll(/\W/g, "-")}@elsewhere.example`
        yield* withSettings({})(Effect.mapError(way(email), ({ _tag }) => new Error(`${name}: ${_tag}`)))
        const entered = name === "sign-up" ? visitor().call(signInEmail, { email, password }) : way(email)
        assert.strictEqual(yield* outcome(entered), "in", name)
      }
    },
    { mode: "closed", email: rules },
  )
})

describe("a code or a link from before registration was closed", () => {
  rule(
    "adds no user, and is spent",
    function* () {
      const email = addresses.allowed
      yield* withSettings({})(visitor().body(emailOtpSend, { email }))
      const otp = codeIn((yield* emails).at(-1)?.text)
      yield* withSettings({})(visitor().body(magicLinkSend, { email }))
      const token = yield* mailedToken
      yield* withSettings({})(visitor().body(phoneSendOtp, { phone: "+15550100" }))
      const sms = codeIn((yield* texts).at(-1)?.text)
      const entered = [
        visitor().call(signInEmailOtp, { email, otp }),
        visitor().call(magicLinkVerify, { token }),
        visitor().call(signInPhone, { phone: "+15550100", otp: sms }),
      ]
      const expected = ["invalid_otp", "invalid_token", "invalid_otp"]
      assert.deepStrictEqual(yield* Effect.forEach(entered, (tried) => outcome(tried)), expected)
      assert.deepStrictEqual(yield* withSettings({})(Effect.forEach(entered, (tried) => outcome(tried))), expected)
      assert.lengthOf(yield* rows(Users), 0)
    },
    { mode: "closed" },
  )
})

describe("a sign-up where only certain addresses come in", () => {
  for (const registration of [{ mode: "invited" }, { email: { allow: ["example.com"] } }])
    rule(
      `opens no session, and mails the link that proves the address: ${Object.keys(registration)}`,
      function* () {
        const verifying = { registration, email_password: { enabled: true, require_email_verification: true } }
        const email = addresses.allowed
        const root = yield* administrator
        yield* root.body(adminInvitationsCreate, { email })
        const their = visitor()
        assert.strictEqual(yield* withSettings(verifying)(their.code(signUpEmail, { email, password })), "email_not_verified")
        assert.isFalse(yield* isSignedIn(their))
        assert.strictEqual(yield* withSettings(verifying)(their.code(signInEmail, { email, password })), "email_not_verified")
        yield* withSettings(verifying)(their.body(verifyEmail, { token: yield* mailedToken }))
        yield* withSettings(verifying)(their.body(signInEmail, { email, password }))
      },
      registration,
    )
})

describe("a change of address from before an address was refused", () => {
  rule("is not made", function* () {
    const their = yield* withSettings({})(signedUp("other@example.net"))
    yield* withSettings(verifying)(their.body(changeEmail, { new_email: addresses.disposable }))
    const token = yield* mailedToken
    assert.strictEqual(yield* their.code(verifyEmail, { token }), "invalid_token")
    yield* withSettings({})(their.body(verifyEmail, { token }))
  })
})

describe("what is sent", () => {
  rule(
    "costs the same work for addresses that are invited, not invited, and of users",
    function* () {
      yield* withSettings({})(signedUp(addresses.allowed))
      const root = yield* administrator
      yield* root.body(adminInvitationsCreate, { email: "bob@example.com" })
      const { organization_id, ...their } = yield* owner
      yield* their.body(organizationInvite, { organization_id, email: "carl@example.com" })
      const store = yield* Store
      const work = Effect.fnUntraced(function* (email: string, send: typeof emailOtpSend | typeof magicLinkSend) {
        const done: Array<string> = []
        const noting = <A, E>(tables: ReadonlyArray<{ readonly name: string }>, verb: Effect.Effect<A, E>) =>
          Effect.andThen(
            Effect.sync(() => void done.push(...tables.map(({ name }) => name))),
            verb,
          )
        const counting = Store.of({
          ...store,
          read: (table, where) => noting([table], store.read(table, where)),
          list: (table, where, options) => noting([table], store.list(table, where, options)),
          commit: (writes) =>
            noting(
              writes.map(({ table }) => table),
              store.commit(writes),
            ),
        })
        const { body } = yield* Effect.provideService(visitor().call(send, { email }), Store, counting)
        return [done, body]
      })
      for (const send of [emailOtpSend, magicLinkSend] as const) {
        const known = yield* work(addresses.allowed, send)
        assert.includeMembers(known[0] as Array<string>, ["user", "sign_up_invitation", "invitation"])
        for (const email of ["bob@example.com", "carl@example.com", "stranger@example.com"])
          assert.deepStrictEqual(yield* work(email, send), known)
      }
    },
    { mode: "invited" },
  )
})
