import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Invitations, Members } from "../../../../domain/organizations/tables.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { decided } from "../../../decided.ts"
import { verifying } from "../../../rule.ts"
import { atOnce, browser, endpoints as core, emails, isSignedIn, mailedToken, onWire, password, rows, times } from "../../../world.ts"
import { endpoints, founded, type Person, person, rolesSeenBy, rule, staffed } from "./organizations.ts"

const { organizationAcceptInvitation, organizationAcceptInvitationSignUp, organizationCancelInvitation } = endpoints
const { organizationInvite, organizationListInvitations, organizationShowInvitation, organizationUpdateRole } = endpoints
const email = "new@example.com"

/** An invitation, and what its mail has: the id and the token. */
const mailed = Effect.fnUntraced(function* (owner: Person, organization_id: string, role = "member") {
  const { invitation } = yield* owner.body(organizationInvite, { organization_id, email, role })
  return { invitation_id: invitation.id, token: yield* mailedToken }
})
const offer = Effect.gen(function* () {
  const people = yield* staffed
  return { ...people, mail: yield* mailed(people.owner, people.organization_id) }
})
const signUp = (mail: object, typed: object = {}) =>
  Effect.match(browser().call(organizationAcceptInvitationSignUp, { password, name: "Nora", ...mail, ...typed }), {
    onSuccess: () => "ok",
    onFailure: ({ _tag }) => _tag,
  })
const offers = (mail: object) =>
  Effect.map(browser().body(organizationShowInvitation, mail as { invitation_id: string }), ({ invitation }) => invitation.can_sign_up)
const user = Effect.map(rows(Users), (all) => all.find((each) => each.email === email))

describe("accept-invitation/sign-up", () => {
  rule("makes the reader of the mail a user with a verified address, a session and the offered role", function* () {
    const { owner, organization_id } = yield* staffed
    const mail = yield* mailed(owner, organization_id, "admin")
    const { length } = yield* emails
    const their = browser()
    const body = yield* their.body(organizationAcceptInvitationSignUp, { ...mail, password, name: "Nora" })
    const wire = yield* onWire(organizationAcceptInvitationSignUp, body)
    assert.deepInclude(wire.user, { email, email_verified: true, name: "Nora" })
    assert.deepInclude(wire.member, { organization_id, user_id: wire.user.id, role: "admin" })
    assert.isTrue(yield* isSignedIn(their))
    assert.deepInclude(yield* rolesSeenBy(owner, organization_id), { new: "admin" })
    assert.lengthOf(yield* emails, length)
    yield* browser().body(core.signInEmail, { email, password })
    assert.strictEqual(yield* signUp(mail), "invalid_invitation")
  })

  rule("is refused without the token of the mail, which no endpoint returns", function* () {
    const { owner, organization_id, mail } = yield* offer
    const { invitations } = yield* owner.body(organizationListInvitations, { organization_id })
    const listed = yield* onWire(organizationListInvitations, { invitations })
    assert.notInclude(JSON.stringify(listed), "token")
    const [stored] = (yield* rows(Invitations)).filter(({ status }) => status === "pending")
    assert.notInclude(JSON.stringify(stored), mail.token)
    const { invitation_id } = mail
    for (const token of ["", "x", invitation_id, stored!.reference, stored!.token_hash!, `${mail.token} `])
      assert.strictEqual(yield* signUp({ invitation_id, token }), "invalid_invitation")
    assert.strictEqual(yield* signUp({ invitation_id }), "invalid_request")
    for (const id of ["", "none", stored!.reference])
      assert.strictEqual(yield* signUp({ ...mail, invitation_id: id }), "invalid_invitation")
    assert.strictEqual(yield* signUp({ invitation_id, token: "x", password: "short" }), "invalid_invitation")
    assert.isUndefined(yield* user)
  })

  rule("is refused with the token of an invitation that was replaced, cancelled, declined or has expired", function* () {
    const { owner, organization_id, mail } = yield* offer
    const second = yield* mailed(owner, organization_id)
    assert.strictEqual(yield* signUp(mail), "invalid_invitation")
    assert.strictEqual(yield* signUp({ ...second, token: mail.token }), "invalid_invitation")
    yield* owner.body(organizationCancelInvitation, { invitation_id: second.invitation_id })
    assert.strictEqual(yield* signUp(second), "invalid_invitation")
    const third = yield* mailed(owner, organization_id)
    yield* TestClock.adjust("7 days")
    assert.strictEqual(yield* signUp(third), "invalid_invitation")
    assert.isUndefined(yield* user)
  })

  rule("is refused once the sender may no longer invite to the role", function* () {
    const { owner, admin, organization_id } = yield* staffed
    const mail = yield* mailed(admin, organization_id)
    const finish = yield* decided(browser().call(organizationAcceptInvitationSignUp, { ...mail, password }))
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "member" })
    assert.strictEqual(yield* finish, "invalid_invitation")
    assert.strictEqual(yield* signUp(mail), "invalid_invitation")
    assert.isUndefined(yield* user)
  })

  rule("has the rules for passwords of a sign-up, and uses nothing up before", function* () {
    const { mail } = yield* offer
    assert.strictEqual(yield* signUp(mail, { password: "short" }), "password_too_short")
    assert.strictEqual(yield* signUp(mail, { password: "x".repeat(200) }), "password_too_long")
    assert.strictEqual(yield* signUp(mail, { name: "x".repeat(300) }), "invalid_request")
    assert.strictEqual(yield* signUp(mail), "ok")
  })

  rule(
    "is refused where passwords are off",
    function* () {
      assert.strictEqual(yield* signUp({ invitation_id: "x", token: "x" }), "email_password_disabled")
    },
    { email_password: { enabled: false } },
  )

  rule(
    "needs no second mail where addresses must be verified",
    function* () {
      const owner = yield* person("owner")
      const mail = yield* mailed(owner, (yield* founded(owner)).id)
      assert.strictEqual(yield* signUp(mail), "ok")
      assert.isTrue((yield* user)?.email_verified)
    },
    verifying,
  )

  rule("says that the address has a user whose address was verified", function* () {
    const { mail } = yield* offer
    yield* person("new")
    yield* browser().body(core.sendVerificationEmail, { email })
    yield* browser().body(core.verifyEmail, { token: yield* mailedToken })
    assert.strictEqual(yield* signUp(mail), "user_already_exists")
    assert.strictEqual(yield* signUp({ ...mail, token: "x" }), "invalid_invitation")
    assert.isFalse(yield* offers(mail))
  })

  rule("returns an account whose address was never verified to the reader of the mail", function* () {
    const { mail, organization_id, owner } = yield* offer
    const squatter = yield* person("new")
    assert.isTrue(yield* offers(mail))
    assert.strictEqual(yield* signUp(mail, { password: "another fine password" }), "ok")
    assert.isFalse(yield* isSignedIn(squatter))
    assert.strictEqual(yield* browser().code(core.signInEmail, { email, password }), "invalid_credentials")
    yield* browser().body(core.signInEmail, { email, password: "another fine password" })
    assert.deepInclude(yield* user, { id: squatter.user.id, name: "Nora", email_verified: true })
    assert.deepInclude(yield* rolesSeenBy(owner, organization_id), { new: "member" })
    assert.include((yield* emails).at(-1)?.text, "password")
  })

  rule("does not make a member twice of an account that is returned", function* () {
    const { mail, owner, organization_id } = yield* offer
    yield* (yield* person("new")).body(organizationAcceptInvitation, { invitation_id: mail.invitation_id })
    assert.strictEqual(yield* signUp(yield* mailed(owner, organization_id)), "invalid_invitation")
    assert.isFalse((yield* user)?.email_verified)
  })

  rule(
    "leaves such an account where these are kept",
    function* () {
      const { mail } = yield* offer
      yield* person("new")
      assert.strictEqual(yield* signUp(mail), "user_already_exists")
    },
    { account: { unverified_takeover: "keep" } },
  )

  rule("is shown as possible to the reader of the mail only", function* () {
    const { mail, owner } = yield* offer
    const { invitation_id } = mail
    assert.deepStrictEqual([yield* offers(mail), yield* offers({ invitation_id })], [true, false])
    assert.isFalse(yield* offers({ invitation_id, token: "x" }))
    const own = yield* owner.body(organizationShowInvitation, { invitation_id, token: "x" })
    assert.isFalse(own.invitation.can_sign_up)
  })
})

describe("concurrently", () => {
  rule("two sign-ups by one mail make one user and one member", function* () {
    const { mail } = yield* offer
    const calls = times(5, () => browser().call(organizationAcceptInvitationSignUp, { ...mail, password }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_invitation: 4 })
    assert.lengthOf(
      (yield* rows(Users)).filter((each) => each.email === email),
      1,
    )
    assert.lengthOf(yield* rows(Members), 4)
  })

  rule("a sign-up by the mail is refused when the invitation is cancelled, and gets an address that a stranger registers", function* () {
    const { owner, mail, organization_id } = yield* offer
    const finish = yield* decided(browser().call(organizationAcceptInvitationSignUp, { ...mail, password }))
    yield* owner.body(organizationCancelInvitation, { invitation_id: mail.invitation_id })
    assert.strictEqual(yield* finish, "invalid_invitation")
    const again = yield* mailed(owner, organization_id)
    const late = yield* decided(browser().call(organizationAcceptInvitationSignUp, { ...again, password }))
    const their = yield* person("new")
    assert.strictEqual(yield* late, "ok")
    assert.isFalse(yield* isSignedIn(their))
  })
})

describe("accept-invitation with the token of the mail", () => {
  rule(
    "verifies the address of the caller; another token does not",
    function* () {
      const owner = yield* person("owner")
      const { id: organization_id } = yield* founded(owner)
      const their = yield* person("new")
      const { invitation_id, token } = yield* mailed(owner, organization_id)
      for (const input of [{ invitation_id }, { invitation_id, token: "x" }])
        assert.strictEqual(yield* their.code(organizationAcceptInvitation, input), "forbidden")
      yield* their.body(organizationAcceptInvitation, { invitation_id, token })
      assert.isTrue((yield* user)?.email_verified)
    },
    verifying,
  )

  rule("verifies no other address", function* () {
    const { outsider, mail } = yield* offer
    assert.strictEqual(yield* outsider.code(organizationAcceptInvitation, mail), "forbidden")
    const their = yield* person("new")
    yield* their.body(organizationAcceptInvitation, { ...mail, token: "x" })
    assert.isFalse((yield* user)?.email_verified)
  })
})
