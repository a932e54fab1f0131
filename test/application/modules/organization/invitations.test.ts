import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { Invitations, Members } from "../../../../domain/organizations/tables.ts"
import { insert, Store, update } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { verifying } from "../../../rule.ts"
import { storeName } from "../../../stores.ts"
import { atOnce, browser, endpoints as core, emails, mailedToken, onWire, password, rows, times } from "../../../world.ts"
import { endpoints, founded, type Person, person, rolesSeenBy, rule, staffed } from "./organizations.ts"

const { organizationInvite, organizationAcceptInvitation, organizationRejectInvitation, organizationCancelInvitation } = endpoints
const {
  organizationShowInvitation,
  organizationUpdate,
  organizationUpdateRole,
  organizationListInvitations,
  organizationRemoveMember,
  organizationDelete,
  organizationGetFull,
} = endpoints
/** The responses to an invitation. */
const answers: ReadonlyArray<AnyEndpoint> = [organizationAcceptInvitation, organizationRejectInvitation]
const email = "new@example.com"

const invited = (inviter: Person, organization_id: string, input: object = {}) =>
  Effect.map(inviter.body(organizationInvite, { organization_id, email, ...input }), ({ invitation }) => invitation)
const listed = (their: Person, organization_id: string) =>
  Effect.map(their.body(organizationListInvitations, { organization_id }), ({ invitations }) => invitations)
const statuses = Effect.map(rows(Invitations), (found) => found.map(({ status }) => status).toSorted())
const rolesNow = Effect.map(rows(Members), (found) => found.map(({ role }) => role).toSorted())

describe("invite", () => {
  rule("offers the default role for seven days, and mails the address", function* () {
    const { owner, organization_id } = yield* staffed
    const { length } = yield* emails
    const { invitation } = yield* onWire(organizationInvite, {
      invitation: yield* invited(owner, organization_id, { email: " New@Example.COM " }),
    })
    assert.match(invitation.id, /^[\w-]{43}$/)
    assert.deepStrictEqual(invitation, {
      id: invitation.id,
      organization_id,
      email,
      role: "member",
      status: "pending",
      inviter_id: owner.user.id,
      expires_at: "1970-01-08T00:00:00.000Z",
      created_at: "1970-01-01T00:00:00.000Z",
    })
    const [message, ...others] = (yield* emails).slice(length)
    assert.deepStrictEqual([message?.to, others], [email, []])
    assert.include(message?.text, `http://localhost:3000/accept-invitation?invitation_id=${invitation.id}`)
    assert.include(message?.text, "join The acme at")
    assert.include(message?.text, "open for 7 days")
    assert.include(message?.text, "sent by a user (owner@example.com, not verified).")
    assert.notInclude(message?.text, owner.user.id)
  })

  rule(
    "uses the configured link",
    function* () {
      const { owner, organization_id } = yield* staffed
      const { id } = yield* invited(owner, organization_id, { email: "a+b@example.com" })
      assert.include((yield* emails).at(-1)?.text, `https://app.example.com/join/acme?who=a%2Bb%40example.com&id=${id}\n`)
    },
    { links: { invitation: "https://app.example.com/join/{organization}?who={email}&id={invitation_id}" } },
  )

  rule("offers any role up to the caller's", function* () {
    const { owner, admin, organization_id } = yield* staffed
    for (const role of ["member", "admin", "owner"]) assert.strictEqual((yield* invited(owner, organization_id, { role })).role, role)
    for (const role of ["member", "admin"]) yield* invited(admin, organization_id, { role, email: "other@example.com" })
    assert.strictEqual(yield* admin.code(organizationInvite, { organization_id, email, role: "owner" }), "forbidden")
  })

  rule("requires a role with the permission, and an existing role to offer", function* () {
    const { owner, member, outsider, organization_id } = yield* staffed
    for (const their of [member, outsider])
      for (const role of ["member", "root"])
        assert.strictEqual(yield* their.code(organizationInvite, { organization_id, email, role }), "forbidden")
    for (const role of ["root", "", "__proto__"])
      assert.strictEqual(yield* owner.code(organizationInvite, { organization_id, email, role }), "invalid_role")
    for (const input of [{ email }, { organization_id }, { organization_id, email: "x" }, { organization_id, email, role: 7 }])
      assert.strictEqual(yield* owner.code(organizationInvite, input), "invalid_request")
    assert.lengthOf(yield* statuses, 2)
  })

  rule(
    "limits the mails to an address; requests of users outside the organization do not count",
    function* () {
      const { owner, outsider, organization_id } = yield* staffed
      for (const _ of times(6, String))
        assert.strictEqual(yield* outsider.code(organizationInvite, { organization_id, email }), "forbidden")
      for (const _ of times(5, String)) yield* invited(owner, organization_id)
      assert.strictEqual(yield* owner.code(organizationInvite, { organization_id, email }), "rate_limited")
      yield* invited(owner, organization_id, { email: "other@example.com" })
    },
    { rate_limit: { enabled: true } },
  )

  rule(
    "limits the mails of one user to all addresses",
    function* () {
      const { owner, admin, outsider, organization_id } = yield* staffed
      const { id } = yield* founded(owner, "another")
      const addresses = times(28, (index) => `p${index}@example.com`)
      for (const email of addresses) yield* invited(owner, organization_id, { email })
      const { length } = yield* emails
      for (const to of [organization_id, id])
        assert.strictEqual(yield* owner.code(organizationInvite, { organization_id: to, email }), "rate_limited")
      assert.lengthOf(yield* emails, length)
      yield* invited(admin, organization_id)
      yield* founded(outsider, "third").pipe(Effect.flatMap((theirs) => invited(outsider, theirs.id)))
      yield* TestClock.adjust("10 minutes")
      yield* invited(owner, organization_id)
    },
    { rate_limit: { enabled: true } },
  )
})

describe("an invitation, and the rights of its sender", () => {
  rule("is invalid once its sender has left, was removed, or may no longer invite to that role", function* () {
    const { owner, admin, outsider, organization_id } = yield* staffed
    const { email } = outsider.user
    const { id: invitation_id } = yield* invited(admin, organization_id, { email, role: "admin" })
    const change = (role: string) => owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role })
    yield* change("member")
    assert.strictEqual(yield* outsider.code(organizationAcceptInvitation, { invitation_id }), "invalid_invitation")
    assert.lengthOf(yield* listed(owner, organization_id), 1)
    yield* change("owner")
    const offered = yield* invited(admin, organization_id, { email, role: "owner" })
    yield* change("admin")
    assert.strictEqual(yield* outsider.code(organizationAcceptInvitation, { invitation_id: offered.id }), "invalid_invitation")
    yield* owner.body(organizationRemoveMember, { organization_id, user_id: admin.user.id })
    assert.strictEqual(yield* outsider.code(organizationAcceptInvitation, { invitation_id: offered.id }), "invalid_invitation")
    assert.deepStrictEqual(yield* rolesNow, ["member", "owner"])
  })

  rule("can be accepted while its sender may offer that role, even with a lower role than before", function* () {
    const { owner, admin, outsider, organization_id } = yield* staffed
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "owner" })
    const { id: invitation_id } = yield* invited(admin, organization_id, { email: outsider.user.email, role: "admin" })
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "admin" })
    yield* outsider.body(organizationAcceptInvitation, { invitation_id })
  })

  rule("does not readmit a removed member who invited themselves", function* () {
    const { owner, admin, organization_id } = yield* staffed
    const { id: invitation_id } = yield* invited(admin, organization_id, { email: admin.user.email, role: "admin" })
    yield* owner.body(organizationRemoveMember, { organization_id, user_id: admin.user.id })
    assert.strictEqual(yield* admin.code(organizationAcceptInvitation, { invitation_id }), "invalid_invitation")
  })

  rule("is replaced by a new one of the same organization only", function* () {
    const { owner, admin, outsider, organization_id } = yield* staffed
    const { id: elsewhere } = yield* founded(admin, "elsewhere")
    const { email } = outsider.user
    const first = yield* invited(owner, organization_id, { email, role: "admin" })
    const other = yield* invited(admin, elsewhere, { email })
    const another = yield* invited(owner, organization_id, { email: "another@example.com" })
    const second = yield* invited(admin, organization_id, { email })
    assert.deepStrictEqual(
      (yield* listed(owner, organization_id)).map(({ id }) => id),
      [second.id, another.id],
    )
    assert.deepStrictEqual(
      (yield* rows(Invitations)).flatMap(({ id, status }) => (status === "cancelled" ? [id] : [])),
      [first.id],
    )
    for (const endpoint of answers) assert.strictEqual(yield* outsider.code(endpoint, { invitation_id: first.id }), "invalid_invitation")
    yield* outsider.body(organizationAcceptInvitation, { invitation_id: second.id })
    yield* outsider.body(organizationAcceptInvitation, { invitation_id: other.id })
  })

  rule("is invalidated by a concurrent acceptance of another one", function* () {
    const { owner, admin, outsider, organization_id } = yield* staffed
    const { email } = outsider.user
    const { id: invitation_id } = yield* invited(owner, organization_id, { email })
    const twin = (yield* rows(Invitations)).find(({ id }) => id === invitation_id)!
    yield* (yield* Store).commit([insert(Invitations, { ...twin, id: "twin", reference: "twin" })])
    yield* outsider.body(organizationAcceptInvitation, { invitation_id })
    assert.deepStrictEqual(yield* statuses, ["accepted", "accepted", "accepted", "cancelled"])
    yield* admin.body(organizationRemoveMember, { organization_id, user_id: outsider.user.id })
    assert.strictEqual(yield* outsider.code(organizationAcceptInvitation, { invitation_id: "twin" }), "invalid_invitation")
  })

  rule("is not accepted while its sender is removed or demoted", function* () {
    const { owner, admin, organization_id } = yield* staffed
    for (const name of times(8, (index) => `new${index}`)) {
      const their = yield* person(name)
      const { id: invitation_id } = yield* invited(admin, organization_id, { email: their.user.email, role: "admin" })
      const demotion = owner.call(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "member" })
      const acceptance = their.call(organizationAcceptInvitation, { invitation_id })
      const tally = yield* atOnce([demotion, acceptance])
      const came = (yield* rows(Members)).some(({ user_id }) => user_id === their.user.id)
      assert.deepStrictEqual(tally, came ? { ok: 2 } : { ok: 1, invalid_invitation: 1 })
      assert.strictEqual(yield* their.code(organizationAcceptInvitation, { invitation_id }), "invalid_invitation")
      yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "admin" })
    }
  })
})

describe("show-invitation", () => {
  const shown = (id: string) =>
    Effect.flatMap(browser().body(organizationShowInvitation, { invitation_id: id }), (body) => onWire(organizationShowInvitation, body))
  const isRefused = (id: string) =>
    Effect.match(browser().call(organizationShowInvitation, { invitation_id: id }), {
      onFailure: ({ _tag }) => _tag === "invalid_invitation",
      onSuccess: () => false,
    })

  rule("says to the reader of the mail what is offered, and by a member of which name and verified address", function* () {
    const { owner, organization_id } = yield* staffed
    const { id } = yield* invited(owner, organization_id)
    const { invitation } = yield* shown(id)
    const unnamed = { kind: "member", name: null, email: null }
    const offer = {
      organization_id,
      organization: "The acme",
      email,
      role: "member",
      expires_at: "1970-01-08T00:00:00.000Z",
      can_sign_up: false,
    }
    assert.deepStrictEqual(invitation, { ...offer, invited_by: unnamed })
    const change = (changes: object) =>
      Effect.gen(function* () {
        const store = yield* Store
        const stored = Option.getOrThrow(yield* store.read(Users, { id: owner.user.id }))
        yield* store.commit([update(Users, stored, changes)])
        return (yield* shown(id)).invitation.invited_by
      })
    const ada = { kind: "member", name: "Ada", email: owner.user.email }
    assert.deepStrictEqual(yield* change({ name: "Ada", email_verified: true }), ada)
    assert.deepStrictEqual(yield* change({ name: "win at evil.example" }), { ...ada, name: null })
  })

  rule("does not name an organization that could be taken for a link", function* () {
    const { owner, organization_id } = yield* staffed
    const { id } = yield* invited(owner, organization_id)
    yield* owner.body(organizationUpdate, { organization_id, name: "win at evil.example" })
    assert.isNull((yield* shown(id)).invitation.organization)
  })

  rule("refuses one that is unknown, expired, answered or no longer backed, and the reference that lists show", function* () {
    const { owner, admin, organization_id } = yield* staffed
    const { id } = yield* invited(admin, organization_id)
    const reference = (yield* rows(Invitations))[0]?.reference ?? assert.fail()
    assert.deepStrictEqual([yield* isRefused("unknown"), yield* isRefused(reference), yield* isRefused(id)], [true, true, false])
    yield* owner.body(organizationUpdateRole, { organization_id, user_id: admin.user.id, role: "member" })
    assert.isTrue(yield* isRefused(id))
    const cancelled = yield* invited(owner, organization_id)
    yield* owner.body(organizationCancelInvitation, { invitation_id: cancelled.id })
    assert.isTrue(yield* isRefused(cancelled.id))
    const last = yield* invited(owner, organization_id)
    yield* TestClock.adjust(`${7 * 86_400 - 1} seconds`)
    assert.isFalse(yield* isRefused(last.id))
    yield* TestClock.adjust("1 second")
    assert.isTrue(yield* isRefused(last.id))
  })
})

describe("accept-invitation", () => {
  rule("makes the caller a member with the offered role, once", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const { id: invitation_id } = yield* invited(owner, organization_id, { email: outsider.user.email, role: "admin" })
    const body = yield* outsider.body(organizationAcceptInvitation, { invitation_id })
    const { member } = yield* onWire(organizationAcceptInvitation, body)
    assert.deepStrictEqual(member, {
      id: member.id,
      organization_id,
      user_id: outsider.user.id,
      role: "admin",
      created_at: "1970-01-01T00:00:00.000Z",
    })
    assert.deepInclude(yield* rolesSeenBy(outsider, organization_id), { outsider: "admin" })
    assert.deepStrictEqual(yield* listed(owner, organization_id), [])
    yield* owner.body(organizationRemoveMember, { organization_id, user_id: outsider.user.id })
    assert.strictEqual(yield* outsider.code(organizationAcceptInvitation, { invitation_id }), "invalid_invitation")
  })

  rule("matches the address in any case, and works for a user who signs up with it later", function* () {
    const { owner, organization_id } = yield* staffed
    const { id: invitation_id } = yield* invited(owner, organization_id, { email: "NEW@example.com" })
    const their = yield* person("new")
    yield* their.body(organizationAcceptInvitation, { invitation_id })
    assert.isFalse((yield* rows(Users)).find(({ id }) => id === their.user.id)?.email_verified)
  })

  rule("is forbidden for another address, and invalid_invitation for unknown ids", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const { id: invitation_id } = yield* invited(owner, organization_id)
    assert.strictEqual(yield* outsider.code(organizationAcceptInvitation, { invitation_id }), "forbidden")
    const [stored] = yield* rows(Invitations).pipe(Effect.map((found) => found.filter(({ status }) => status === "pending")))
    const their = yield* person("new")
    for (const id of ["", "none", "\0", stored!.reference, `${invitation_id} `])
      assert.strictEqual(yield* their.code(organizationAcceptInvitation, { invitation_id: id }), "invalid_invitation")
    for (const input of [{}, { invitation_id: 7 }])
      assert.strictEqual(yield* their.code(organizationAcceptInvitation, input), "invalid_request")
    assert.deepStrictEqual(yield* rolesNow, ["admin", "member", "owner"])
  })

  rule("is possible for seven days", function* () {
    const { owner, organization_id } = yield* staffed
    const [first, second] = [yield* person("first"), yield* person("second")]
    const ids = yield* Effect.forEach([first, second], ({ user }) => invited(owner, organization_id, { email: user.email }))
    yield* TestClock.adjust("604799 seconds")
    for (const their of [first, second]) yield* their.body(core.signInEmail, { email: their.user.email, password })
    yield* first.body(organizationAcceptInvitation, { invitation_id: ids[0]!.id })
    yield* TestClock.adjust("1 second")
    for (const endpoint of answers) assert.strictEqual(yield* second.code(endpoint, { invitation_id: ids[1]!.id }), "invalid_invitation")
    yield* owner.body(core.signInEmail, { email: owner.user.email, password })
    assert.strictEqual(yield* owner.code(organizationCancelInvitation, { invitation_id: ids[1]!.id }), "invalid_invitation")
    assert.deepStrictEqual(yield* listed(owner, organization_id), [])
  })

  rule("keeps a member's role", function* () {
    const { owner, member, organization_id } = yield* staffed
    const { id: invitation_id } = yield* invited(owner, organization_id, { email: member.user.email, role: "owner" })
    assert.strictEqual(yield* member.code(organizationAcceptInvitation, { invitation_id }), "invalid_invitation")
    assert.deepStrictEqual(yield* rolesNow, ["admin", "member", "owner"])
  })

  rule("compares the user's current address", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const before = yield* invited(owner, organization_id, { email: outsider.user.email })
    const after = yield* invited(owner, organization_id)
    yield* outsider.body(core.changeEmail, { new_email: email })
    assert.strictEqual(yield* outsider.code(organizationAcceptInvitation, { invitation_id: before.id }), "forbidden")
    yield* outsider.body(organizationAcceptInvitation, { invitation_id: after.id })
  })

  rule(
    "requires a verified address where addresses must be verified",
    function* () {
      const { owner, organization_id } = yield* Effect.gen(function* () {
        const owner = yield* person("owner")
        const { id: organization_id } = yield* founded(owner)
        return { owner, organization_id }
      })
      const their = yield* person("new")
      const { id: invitation_id } = yield* invited(owner, organization_id)
      assert.strictEqual(yield* their.code(organizationAcceptInvitation, { invitation_id }), "forbidden")
      yield* browser().body(core.sendVerificationEmail, { email })
      yield* browser().body(core.verifyEmail, { token: yield* mailedToken })
      yield* their.body(organizationAcceptInvitation, { invitation_id })
    },
    verifying,
  )
})

describe("reject-invitation", () => {
  rule("is for the invited user only, once", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const { id: invitation_id } = yield* invited(owner, organization_id)
    assert.strictEqual(yield* outsider.code(organizationRejectInvitation, { invitation_id }), "forbidden")
    const their = yield* person("new")
    assert.deepStrictEqual(yield* their.body(organizationRejectInvitation, { invitation_id }), { success: true })
    assert.deepStrictEqual(yield* statuses, ["accepted", "accepted", "rejected"])
    for (const endpoint of answers) assert.strictEqual(yield* their.code(endpoint, { invitation_id }), "invalid_invitation")
    assert.strictEqual(yield* owner.code(organizationCancelInvitation, { invitation_id }), "invalid_invitation")
    assert.strictEqual(yield* their.code(organizationRejectInvitation, {}), "invalid_request")
    assert.strictEqual(yield* their.code(organizationRejectInvitation, { invitation_id: "none" }), "invalid_invitation")
  })
})

describe("cancel-invitation", () => {
  rule("requires a role with the permission, once", function* () {
    const { owner, admin, member, outsider, organization_id } = yield* staffed
    const { id: invitation_id } = yield* invited(owner, organization_id)
    for (const their of [member, outsider])
      assert.strictEqual(yield* their.code(organizationCancelInvitation, { invitation_id }), "forbidden")
    assert.deepStrictEqual(yield* admin.body(organizationCancelInvitation, { invitation_id }), { success: true })
    assert.deepStrictEqual(yield* statuses, ["accepted", "accepted", "cancelled"])
    assert.strictEqual(yield* admin.code(organizationCancelInvitation, { invitation_id }), "invalid_invitation")
    const their = yield* person("new")
    for (const endpoint of answers) assert.strictEqual(yield* their.code(endpoint, { invitation_id }), "invalid_invitation")
    for (const id of ["", "none", "\0"])
      assert.strictEqual(yield* admin.code(organizationCancelInvitation, { invitation_id: id }), "invalid_invitation")
    assert.strictEqual(yield* admin.code(organizationCancelInvitation, {}), "invalid_request")
  })

  rule("accepts the reference that the list shows in place of an id", function* () {
    const { owner, admin, organization_id } = yield* staffed
    yield* invited(owner, organization_id, { role: "owner" })
    const [shown] = yield* listed(admin, organization_id)
    yield* admin.body(organizationCancelInvitation, { invitation_id: shown!.id })
    assert.deepStrictEqual(yield* listed(owner, organization_id), [])
  })
})

describe("list-invitations", () => {
  rule("shows pending invitations, the newest first", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const sent = yield* Effect.forEach(
      times(5, (index) => `p${index}@example.com`),
      (email) => invited(owner, organization_id, { email }),
    )
    yield* owner.body(organizationCancelInvitation, { invitation_id: sent[1]!.id })
    const open = [sent[4], sent[3], sent[2], sent[0]]
    const body = yield* owner.body(organizationListInvitations, { organization_id })
    assert.deepStrictEqual(
      (yield* onWire(organizationListInvitations, body)).invitations,
      yield* Effect.forEach(open, (invitation) =>
        Effect.map(onWire(organizationInvite, { invitation: invitation! }), (wire) => wire.invitation),
      ),
    )
    const first = yield* owner.body(organizationListInvitations, { organization_id, limit: "3" })
    const rest = yield* owner.body(organizationListInvitations, { organization_id, limit: "3", cursor: first.next_cursor })
    const ids = [...first.invitations, ...rest.invitations].map(({ id }) => id)
    assert.deepStrictEqual([ids, rest.next_cursor], [open.map((invitation) => invitation?.id), null])
    for (const input of [{ organization_id }, { organization_id: "none" }])
      assert.strictEqual(yield* outsider.code(organizationListInvitations, input), "forbidden")
    assert.strictEqual(yield* owner.code(organizationListInvitations, {}), "invalid_request")
  })

  rule("shows an id only to members who could have sent the invitation, so that others cannot take the role", function* () {
    const { owner, admin, member, organization_id } = yield* staffed
    const offers = yield* Effect.forEach(["member", "admin", "owner"], (role) =>
      invited(owner, organization_id, { role, email: `new-${role}@example.com` }),
    )
    const known = (their: Person) =>
      Effect.map(listed(their, organization_id), (shown) =>
        shown.filter(({ id }) => offers.some((offer) => offer.id === id)).map(({ role }) => role),
      )
    assert.deepStrictEqual(yield* known(owner), ["owner", "admin", "member"])
    assert.deepStrictEqual(yield* known(admin), ["admin", "member"])
    assert.deepStrictEqual(yield* known(member), [])
    const { invitations } = yield* member.body(organizationGetFull, { organization_id })
    assert.deepStrictEqual(invitations, yield* listed(member, organization_id))

    for (const { id, role } of invitations) {
      const impostor = yield* person(`new-${role}`)
      for (const endpoint of answers) assert.strictEqual(yield* impostor.code(endpoint, { invitation_id: id }), "invalid_invitation")
    }
  })
})

describe("concurrently", () => {
  rule("an invitation is accepted once", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const { id: invitation_id } = yield* invited(owner, organization_id, { email: outsider.user.email })
    const calls = times(10, () => outsider.call(organizationAcceptInvitation, { invitation_id }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_invitation: 9 })
    assert.lengthOf(yield* rolesNow, 4)
  })

  rule("two invitations of one user make one member", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    const offers = yield* Effect.forEach(["member", "admin"], (role) =>
      invited(owner, organization_id, { role, email: outsider.user.email }),
    )
    const calls = offers.map(({ id }) => outsider.call(organizationAcceptInvitation, { invitation_id: id }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, invalid_invitation: 1 })
    assert.lengthOf(yield* rolesNow, 4)
  })

  rule("an invitation is either accepted, rejected or cancelled", function* () {
    const { owner, outsider, organization_id } = yield* staffed
    for (const _ of times(5, String)) {
      const { id: invitation_id } = yield* invited(owner, organization_id, { email: outsider.user.email })
      const tally = yield* atOnce([
        outsider.call(organizationAcceptInvitation, { invitation_id }),
        outsider.call(organizationRejectInvitation, { invitation_id }),
        owner.call(organizationCancelInvitation, { invitation_id }),
      ])
      assert.deepStrictEqual(tally, { ok: 1, invalid_invitation: 2 })
      const { members } = yield* owner.body(endpoints.organizationListMembers, { organization_id })
      if (members.length === 4) yield* owner.body(organizationRemoveMember, { organization_id, user_id: outsider.user.id })
    }
  })

  // MongoDB serialises transactions that check the same row.
  const [crowd, concurrency] = storeName === "mongo" ? [40, 2] : [150, 10]

  rule("many users join at once without exhausting their retries", function* () {
    const owner = yield* person("owner")
    const { id: organization_id } = yield* founded(owner)
    const people = yield* Effect.forEach(
      times(crowd, (index) => `p${index}`),
      person,
      { concurrency },
    )
    const offers = yield* Effect.forEach(people, ({ user }) => invited(owner, organization_id, { email: user.email }), { concurrency })
    const calls = people.map((their, index) => their.call(organizationAcceptInvitation, { invitation_id: offers[index]!.id }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: crowd })
    assert.lengthOf(yield* rolesNow, crowd + 1)
  })

  rule("users cannot join, or be invited to, an organization that is being deleted", function* () {
    const [owner, their] = [yield* person("owner"), yield* person("new")]
    for (const round of times(8, String)) {
      const { id: organization_id } = yield* founded(owner, `org${round}`)
      const { id: invitation_id } = yield* invited(owner, organization_id)
      const inviting = times(6, () => owner.call(organizationInvite, { organization_id, email }))
      yield* atOnce([
        ...inviting.slice(0, 4),
        their.call(organizationAcceptInvitation, { invitation_id }),
        owner.call(organizationDelete, { organization_id }),
        ...inviting.slice(4),
      ])
      for (const table of [Members, Invitations]) assert.lengthOf(yield* rows(table), 0, table.name)
    }
  })
})
