import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { organization } from "../../../application/modules/organization/index.ts"
import { twoFactor } from "../../../application/modules/two_factor/index.ts"
import { Users } from "../../../domain/users/tables.ts"
import { modules } from "../../everything.ts"
import { shownBy } from "../../two-factor.ts"
import { core, emails, mailedToken, password, rows } from "../../world.ts"
import { codes, graphqlServed, query, signUp } from "../graphql/request.ts"
import { post, refused } from "../http/served.ts"
import { addressOf, type Browse, browse, type Shown, signIn, signUp as signUpOn, withPages } from "./browse.ts"

const email_password = { enabled: true }

describe("the pages where registration is closed", () => {
  it.layer(withPages(modules, { email_password, registration: { mode: "closed" } }))((it) => {
    it.effect("say so, and offer no sign-up", () =>
      Effect.gen(function* () {
        const page = yield* browse().open("/sign-up")
        assert.strictEqual(page.heading, "Sign-up is closed")
        assert.include(page.text, "New accounts are not open here")
        assert.lengthOf(page.forms, 0)
        assert.notInclude((yield* browse().open("/sign-in")).html, 'href="/sign-up"')
        const invitation = yield* browse().open("/accept-invitation?invitation_id=x")
        assert.notInclude(invitation.html, 'href="/sign-up"')
      }),
    )

    it.effect("answer sign-ups with 403", () =>
      Effect.gen(function* () {
        const answer = yield* post("/sign-up/email", { email: "ada@example.com", password })
        assert.strictEqual(refused(answer), "403 registration_closed")
      }),
    )
  })

  it.layer(withPages(modules, { email_password, registration: { email: { block: ["example.org"] } } }))((it) => {
    it.effect("fill in the address of an invitation", () =>
      Effect.gen(function* () {
        const { html } = yield* browse().open("/sign-up?login_hint=ada%40example.com")
        assert.include(html, 'value="ada@example.com"')
      }),
    )

    it.effect("show why an address is refused", () =>
      Effect.gen(function* () {
        const her = browse()
        const page = yield* her.open("/sign-up")
        const answer = yield* her.press(page, "sign_up", { email: "ada@example.org", name: "Ada", new_password: password })
        assert.strictEqual(answer.status, 422)
        assert.include(answer.problem, "This email address cannot be used here")
        assert.strictEqual(refused(yield* post("/sign-up/email", { email: "ada@example.org", password })), "422 address_not_allowed")
      }),
    )
  })

  it.layer(withPages(modules, { email_password: { enabled: false }, registration: { mode: "invited" } }))((it) => {
    it.effect("lead invited people to the methods of the sign-in page where there are no passwords", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* browse().open("/sign-up")).via, ["/sign-in"])
      }),
    )
  })
})

/** An organization of a user, and the link in the mail of its invitation of this address. */
const invitedBy = Effect.fnUntraced(function* (owner: Browse, email: string) {
  const { organization } = yield* owner.api("/organization/create", { name: "Looms", slug: email.replace(/@.*/, "") })
  yield* owner.api("/organization/invite", { organization_id: organization.id, email })
  const link = /(\/accept-invitation\?\S+)/.exec((yield* emails).findLast(({ to }) => to === email)?.text ?? "")?.[1]
  return { owner, organization, link: link ?? assert.fail("no link") }
})

const invitedAs = Effect.fnUntraced(function* (email: string) {
  const owner = browse()
  yield* signUpOn(owner, `owner-of-${email}`)
  return yield* invitedBy(owner, email)
})

/** Sets up the authenticator app that a page asks for. */
const enrolled = Effect.fnUntraced(function* (browser: Browse, asked: Shown) {
  const page = yield* browser.press(asked, "start")
  const secret = /id="secret" dir="ltr">([A-Z2-7 ]+)</.exec(page.html)?.[1]?.replaceAll(" ", "") ?? assert.fail("no secret")
  return yield* browser.press(yield* browser.press(page, "confirm", { code: yield* shownBy(secret) }), "saved")
})

describe("the page of an invitation, for the reader of its mail", () => {
  it.layer(withPages(modules, { email_password }))((it) => {
    it.effect("signs up, accepts and leads to the organization in one form", () =>
      Effect.gen(function* () {
        const { link, organization } = yield* invitedAs("new@example.com")
        const her = browse()
        const page = yield* her.open(link)
        assert.deepStrictEqual([page.via, page.heading], [["/accept-invitation"], "You are invited"])
        assert.deepStrictEqual(page.forms[0]?.fields, ["name", "username", "new_password"])
        assert.include(page.html, 'href="/sign-in?login_hint=new%40example.com"')
        assert.notInclude(page.html, /token=([^&]*)/.exec(link)?.[1] ?? "")
        const refused = yield* her.press(page, "join", { new_password: "short" })
        assert.deepStrictEqual([refused.status, refused.problem], [400, "Use at least 8 characters."])
        const done = yield* her.press(refused, "join", { name: "Nora", new_password: password })
        assert.deepStrictEqual(done.via, [`/account/organization?id=${organization.id}`])
        assert.strictEqual(done.status, 200)
        assert.strictEqual(yield* addressOf(her), "new@example.com")
        assert.strictEqual((yield* her.open(link)).heading, "This invitation is no longer open")
      }),
    )

    it.effect("asks for no password without the token of the newest mail", () =>
      Effect.gen(function* () {
        const { link, owner, organization } = yield* invitedAs("late@example.com")
        const offered = (path: string) => Effect.map(browse().open(path), ({ forms }) => forms.some(({ buttons }) => "join" in buttons))
        assert.deepStrictEqual([yield* offered(link), yield* offered(link.replace(/token=.*/, "token=x"))], [true, false])
        assert.isFalse(yield* offered(link.replace(/&token=.*/, "")))
        const her = browse()
        const page = yield* her.open(link)
        yield* owner.api("/organization/invite", { organization_id: organization.id, email: "late@example.com" })
        assert.strictEqual((yield* her.press(page, "join", { new_password: password })).heading, "This invitation is no longer open")
      }),
    )

    it.effect("lets a user with an account sign in, and verifies their address", () =>
      Effect.gen(function* () {
        const email = "old@example.com"
        const { link } = yield* invitedAs(email)
        yield* signUpOn(browse(), email)
        const her = browse()
        yield* her.open(link)
        const page = yield* her.press(yield* her.open("/sign-in"), "password", { identifier: email, password })
        assert.deepStrictEqual(page.via, ["/accept-invitation"])
        yield* her.press(page, "accept")
        assert.isTrue((yield* rows(Users)).find((user) => user.email === email)?.email_verified)
        const again = yield* invitedAs("second@example.com")
        const other = yield* her.open(again.link)
        assert.include(other.html, 'href="/accept-invitation?another=yes"')
        const joined = yield* her.press(yield* her.open("/accept-invitation?another=yes"), "join", { new_password: password })
        assert.deepStrictEqual(joined.via, [`/account/organization?id=${again.organization.id}`])
      }),
    )
  })

  const factor = twoFactor.build({ methods: ["totp"], issuer: "service", backup_code_count: 3, required: "everyone" })
  const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
  const verifying = { enabled: true, require_email_verification: true }

  it.layer(withPages([...core, organizations, factor], { email_password: verifying }))((it) => {
    it.effect("leads to the organization by way of the factor that the service requires", () =>
      Effect.gen(function* () {
        const owner = browse()
        yield* signUpOn(owner, "owner@example.com")
        yield* owner.press(yield* owner.open(`/verify-email?token=${yield* mailedToken}`), "verify")
        yield* enrolled(owner, yield* signIn(owner, "owner@example.com"))
        const { link, organization } = yield* invitedBy(owner, "new@example.com")
        const her = browse()
        const asked = yield* her.press(yield* her.open(link), "join", { new_password: password })
        assert.strictEqual(asked.at, "/sign-in/enrol")
        const done = yield* enrolled(her, asked)
        assert.deepStrictEqual(done.via, [`/account/organization?id=${organization.id}`])
        assert.strictEqual(done.status, 200)
      }),
    )
  })
})

describe("GraphQL", () => {
  it.layer(graphqlServed({ modules, settings: { email_password, registration: { mode: "closed" } } }))((it) => {
    it.effect("has the codes of REST", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(codes(yield* query(signUp, { input: { email: "ada@example.com", password } })), ["registration_closed"])
      }),
    )
  })
})
