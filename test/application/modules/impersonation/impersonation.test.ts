import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { impersonation } from "../../../../application/modules/impersonation/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { policiesOf } from "../../../../application/service/policies.ts"
import { CallingApplication } from "../../../../domain/administration/principal.ts"
import { Policies } from "../../../../domain/policies.ts"
import { Caller, noCaller } from "../../../../domain/sessions/caller.ts"
import { Impersonations } from "../../../../domain/sessions/impersonation.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { atOnce, browser, emails, endpoints, isSignedIn, onWire, password, rows, signedUp, times } from "../../../world.ts"
import {
  admins,
  both,
  email,
  end,
  endpointOf,
  impersonating,
  list,
  modules,
  outcome,
  reason,
  rule,
  service,
  start,
  stop,
} from "./impersonations.ts"

const { adminBanUser, adminRolesAssign, adminRolesWithdraw, adminUsersSuspend } = admins
const { getSession, revokeSessions, signOut, updateUser } = endpoints
const [token, tokenVerify] = [endpointOf("token"), endpointOf("tokenVerify")]

/** A helper, who may impersonate but do nothing else, and the owner who made them one. */
const helper = Effect.fnUntraced(function* (owner: Effect.Success<typeof both>["owner"]) {
  const their = yield* signedUp("helper@example.com", service)
  yield* owner.body(adminRolesAssign, { user_id: their.user.id, role: "helper" })
  return their
})
const sentTo = (address: string) => Effect.map(emails, (all) => all.filter(({ to }) => to === address).map(({ subject }) => subject))
/** A round of the background work. */
const inBackground = Effect.provideService(
  modules.find(({ name }) => name === "impersonation")!.background[0]!.run,
  Policies,
  policiesOf({ name: "background", path: "background", module: "background", signsIn: undefined }, modules),
)

describe("POST /admin/impersonate/start", () => {
  rule("opens a session of the user, which says whose hands it is in", function* () {
    const { owner, ada, user_id } = yield* both
    assert.notProperty(yield* onWire(getSession, yield* ada.body(getSession)), "impersonated_by")
    const inside = yield* impersonating(owner, user_id)
    const shown = yield* onWire(getSession, yield* inside.body(getSession))
    assert.strictEqual(shown.user.email, email)
    assert.deepStrictEqual(shown.impersonated_by, { user_id: owner.user.id, mode: "read" })
    assert.isTrue(yield* isSignedIn(ada))
    assert.isTrue(yield* isSignedIn(owner))
  })

  rule("ends at its time, which no use extends", function* () {
    const { owner, user_id } = yield* both
    const [inside, brief] = [yield* impersonating(owner, user_id), yield* impersonating(owner, user_id, "read", { seconds: 300 })]
    yield* TestClock.adjust("299 seconds")
    assert.isTrue(yield* isSignedIn(brief))
    yield* TestClock.adjust("1 second")
    assert.isFalse(yield* isSignedIn(brief))
    yield* TestClock.adjust("1499 seconds")
    assert.isTrue(yield* isSignedIn(inside))
    yield* TestClock.adjust("1 second")
    assert.isFalse(yield* isSignedIn(inside))
  })

  rule("takes a reason of 10 to 500 characters, two modes and at most an hour", function* () {
    const { owner, user_id } = yield* both
    const faulty = [
      { reason: "too short" },
      { reason: `${" ".repeat(9)}x` },
      { reason: "x".repeat(501) },
      { reason: undefined },
      { mode: "write" },
      { seconds: 3601 },
      { seconds: 0 },
      { seconds: 1.5 },
    ]
    for (const each of faulty)
      assert.strictEqual(yield* owner.code(start, { user_id, reason, ...each }), "invalid_request", JSON.stringify(each))
    for (const each of [{ reason: "x".repeat(10) }, { reason: "x".repeat(500) }, { seconds: 3600 }, { seconds: 1 }])
      yield* impersonating(owner, user_id, "act", each)
  })

  rule("is for people with the right and a recent proof", function* () {
    const { owner, ada, user_id } = yield* both
    assert.strictEqual(yield* ada.code(start, { user_id: owner.user.id, reason }), "forbidden")
    const their = yield* helper(owner)
    const asApplication = browser(service)
      .call(start, { user_id, reason })
      .pipe(Effect.provideService(CallingApplication, "shop"), Effect.flip)
    assert.strictEqual((yield* asApplication)._tag, "forbidden")
    yield* TestClock.adjust("599 seconds")
    yield* impersonating(their, user_id)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* their.code(start, { user_id, reason }), "session_not_fresh")
    assert.strictEqual(yield* owner.code(start, { user_id, reason }), "session_not_fresh")
  })

  rule("refuses administrators, oneself, suspended and unknown users, and a second one inside", function* () {
    const { owner, ada, user_id } = yield* both
    const their = yield* helper(owner)
    for (const id of [owner.user.id, their.user.id]) {
      assert.strictEqual(yield* their.code(start, { user_id: id, reason }), "impersonation_refused")
      assert.strictEqual(yield* owner.code(start, { user_id: id, reason }), "impersonation_refused")
    }
    assert.strictEqual(yield* owner.code(start, { user_id: "unknown", reason }), "user_not_found")
    const inside = yield* impersonating(owner, user_id, "act")
    assert.strictEqual(yield* inside.code(start, { user_id: their.user.id, reason }), "impersonation_refused")
    assert.strictEqual(yield* inside.code(endpoints.signInEmail, { email, password }), "impersonation_refused")
    yield* owner.body(adminUsersSuspend, { user_id, reason })
    assert.isFalse(yield* isSignedIn(inside))
    assert.strictEqual(yield* owner.code(start, { user_id, reason }), "impersonation_refused")
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule(
    "ends no session of the user, and does not count to their maximum",
    function* () {
      const { owner, ada, user_id } = yield* both
      const [first, second] = [yield* impersonating(owner, user_id), yield* impersonating(owner, user_id)]
      yield* browser(service).body(endpoints.signInEmail, { email, password })
      for (const each of [ada, first, second]) assert.isTrue(yield* isSignedIn(each))
      yield* browser(service).body(endpoints.signInEmail, { email, password })
      assert.isFalse(yield* isSignedIn(ada))
      for (const each of [first, second]) assert.isTrue(yield* isSignedIn(each))
    },
    { session: { max_per_user: 2 } },
  )
})

describe("an impersonated session", () => {
  rule("ends with the session, the right and the ban of its administrator", function* () {
    const { owner, user_id } = yield* both
    const endings = [
      (their: Effect.Success<ReturnType<typeof helper>>) => their.body(signOut),
      (their: Effect.Success<ReturnType<typeof helper>>) => owner.body(adminBanUser, { user_id: their.user.id }),
      (their: Effect.Success<ReturnType<typeof helper>>) => owner.body(adminRolesWithdraw, { user_id: their.user.id, role: "helper" }),
      () => owner.body(adminRolesAssign, { user_id, role: "helper" }),
    ]
    for (const [index, ended] of endings.entries()) {
      const their = yield* signedUp(`helper${index}@example.com`, service)
      yield* owner.body(adminRolesAssign, { user_id: their.user.id, role: "helper" })
      const inside = yield* impersonating(their, user_id, "act")
      assert.strictEqual(yield* outcome(inside, updateUser, { name: "Ada" }), "ok")
      yield* ended(their)
      assert.strictEqual(yield* outcome(inside, updateUser, { name: "Eve" }), "unauthorized", String(index))
      assert.isFalse(yield* isSignedIn(inside))
    }
  })

  rule("ends when the user ends all sessions", function* () {
    const { owner, ada, user_id } = yield* both
    const inside = yield* impersonating(owner, user_id)
    yield* ada.body(revokeSessions)
    assert.isFalse(yield* isSignedIn(inside))
    assert.isTrue(yield* isSignedIn(owner))
  })

  rule("commits nothing after the sign-out of its administrator, however they overlap", function* () {
    const { owner, user_id } = yield* both
    for (const index of times(10, String)) {
      const their = yield* signedUp(`helper${index}@example.com`, service)
      yield* owner.body(adminRolesAssign, { user_id: their.user.id, role: "helper" })
      const inside = yield* impersonating(their, user_id, "act")
      const tally = yield* atOnce([...times(5, () => inside.call(updateUser, { name: `Ada ${index}` })), their.call(signOut)])
      assert.deepStrictEqual(
        Object.keys(tally).filter((code) => !["ok", "unauthorized"].includes(code)),
        [],
      )
      assert.strictEqual(yield* outcome(inside, updateUser, { name: "Eve" }), "unauthorized")
    }
  })

  rule("cannot be had by a changed credential, and ends where the module is off", function* () {
    const { owner, user_id } = yield* both
    const inside = yield* impersonating(owner, user_id)
    const { credential } = inside.jar
    assert.match(String(credential), /^~/)
    assert.isFalse(yield* isSignedIn(browser(service, { ...inside.jar, credential: String(credential).slice(1) })))
    assert.isFalse(yield* isSignedIn(browser(undefined, { ...inside.jar, credential: `~${owner.jar.credential}` })))
  })

  rule("reads the graph while it lasts, and opens no stream", function* () {
    const { owner, user_id } = yield* both
    const inside = yield* impersonating(owner, user_id)
    assert.strictEqual(((yield* inside.edge("user")) as { id: string }).id, user_id)
    const asInside = Effect.provideService(Caller, { ...noCaller, credential: inside.jar.credential })
    const { body: viewer } = yield* asInside(service.viewer)
    for (const stream of service.streams)
      assert.strictEqual((yield* Effect.flip(Effect.scoped(service.open(stream, viewer, {}))))._tag, "impersonation_refused")
    yield* owner.body(signOut)
    assert.isNull((yield* asInside(service.viewer)).body)
  })

  rule("gets tokens with the claim act only in the mode act, and none that outlives it", function* () {
    const { owner, user_id } = yield* both
    const reading = yield* impersonating(owner, user_id)
    assert.strictEqual(yield* reading.code(token), "impersonation_refused")
    const acting = yield* impersonating(owner, user_id, "act", { seconds: 60 })
    const issued = yield* acting.body(token)
    assert.strictEqual(issued.expires_in, 60)
    const { claims } = yield* browser(service).body(tokenVerify, { token: issued.token })
    assert.deepStrictEqual([claims.sub, claims.act], [user_id, { sub: owner.user.id }])
  })
})

describe("the end of an impersonation", () => {
  rule("returns the browser to the administrator, tells the user once, and is on the record", function* () {
    const { owner, ada, user_id } = yield* both
    const inside = yield* impersonating(owner, user_id, "act")
    const used = browser(service, { ...inside.jar })
    yield* inside.body(updateUser, { name: "Ada L." })
    assert.deepStrictEqual(
      yield* atOnce(times(5, () => browser(service, { ...used.jar }).call(stop))).pipe(Effect.map(({ ok }) => ok! >= 1)),
      true,
    )
    yield* inside.call(stop).pipe(Effect.ignore)
    assert.isFalse(yield* isSignedIn(used))
    assert.lengthOf(yield* sentTo(email), 1)
    const mine = (yield* rows(Records)).filter(
      ({ subject_id, type }) => subject_id === user_id && /^impersonation|^user.updated/.test(type),
    )
    const facts = mine.map(({ type, actor_kind, actor_id, data }) => [type, actor_kind, actor_id, data["on_behalf_of"]])
    assert.sameDeepMembers(facts, [
      ["impersonation.started", "admin", owner.user.id, undefined],
      ["user.updated", "admin", owner.user.id, user_id],
      ["impersonation.ended", "admin", owner.user.id, user_id],
    ])
    const notes = mine.map(({ type, note }) => [type, note])
    assert.sameDeepMembers(notes, [
      ["impersonation.started", reason],
      ["user.updated", null],
      ["impersonation.ended", null],
    ])
    const { entries } = yield* ada.body(endpointOf("auditList"))
    assert.include(
      entries.map(({ type }: { type: string }) => type),
      "impersonation.started",
    )
  })

  rule("by any way gives back the session from which it began", function* () {
    const { owner, user_id } = yield* both
    for (const leave of [stop, signOut, endpointOf("oauth2LogoutConfirm")] as ReadonlyArray<AnyEndpoint>) {
      const inside = yield* impersonating(owner, user_id)
      const { credential } = inside.jar
      yield* inside.body(leave)
      assert.isFalse(yield* isSignedIn(browser(service, { ...inside.jar, credential })))
      assert.strictEqual(inside.jar.credential, owner.jar.credential)
      assert.strictEqual((yield* inside.body(getSession)).user?.id, owner.user.id)
    }
    yield* inBackground
    assert.lengthOf(yield* sentTo(email), 3)
    assert.strictEqual(yield* outcome(owner, stop), "ok")
    assert.isTrue(yield* isSignedIn(owner))
  })

  rule("gives back nothing without the cookie of the same impersonation, or after the administrator's sign-out", function* () {
    const { owner, user_id } = yield* both
    const [one, other] = [yield* impersonating(owner, user_id), yield* impersonating(owner, user_id)]
    for (const jar of [
      { ...one.jar, cookies: {} },
      { ...other.jar, cookies: one.jar.cookies },
    ]) {
      const their = browser(service, jar)
      yield* their.body(stop)
      assert.isNull(their.jar.credential)
    }
  })

  rule("sends no mail with `notify: never`, and does not change calls of the application itself", function* () {
    const { owner, user_id } = yield* both
    const silent = AuthOf.make(
      modules.map((module) => (module.name === "impersonation" ? impersonation.build({ notify: "never" }) : module)),
    )
    const inside = browser(silent, (yield* impersonating(owner, user_id)).jar)
    const asApplication = Effect.provideService(CallingApplication, "shop")
    assert.isArray((yield* asApplication(inside.body(admins.adminUsersList))).users)
    yield* inside.body(silent.endpoints["impersonationStop"]!)
    assert.deepStrictEqual(yield* sentTo(email), [])
  })

  rule("of others is the work of those who watch", function* () {
    const { owner, user_id } = yield* both
    const their = yield* helper(owner)
    const inside = yield* impersonating(their, user_id)
    for (const endpoint of [list, end]) assert.strictEqual(yield* outcome(their, endpoint, { session_id: "x" }), "forbidden")
    const guard = yield* signedUp("guard@example.com", service)
    yield* owner.body(adminRolesAssign, { user_id: guard.user.id, role: "security" })
    const [shown] = (yield* guard.body(list, { state: "active" })).impersonations
    assert.deepInclude(shown, { user_id, impersonator_user_id: their.user.id, reason, mode: "read", state: "active", ended_at: null })
    assert.deepStrictEqual(yield* atOnce(times(5, () => guard.call(end, { session_id: shown.session_id }))), { ok: 5 })
    assert.isFalse(yield* isSignedIn(inside))
    assert.lengthOf(yield* sentTo(email), 1)
    assert.lengthOf((yield* guard.body(list, { state: "active" })).impersonations, 0)
    assert.lengthOf((yield* guard.body(list)).impersonations, 1)
    assert.deepStrictEqual(yield* guard.body(end, { session_id: "unknown" }), { success: false })
  })

  rule("after its time is noticed without a request, and told by mail once", function* () {
    const { owner, user_id } = yield* both
    yield* impersonating(owner, user_id, "read", { seconds: 60 })
    yield* impersonating(owner, user_id, "read", { seconds: 61 })
    yield* TestClock.adjust("60 seconds")
    yield* Effect.all([inBackground, inBackground], { concurrency: 2 })
    assert.sameMembers(
      (yield* rows(Impersonations)).map(({ state }) => state),
      ["ended", "active"],
    )
    assert.lengthOf(yield* sentTo(email), 1)
    yield* TestClock.adjust("1 second")
    yield* inBackground
    assert.lengthOf(yield* sentTo(email), 2)
    assert.lengthOf(
      (yield* rows(Sessions)).filter((session) => session.user_id === user_id),
      1,
    )
  })

  rule("races with the ban and the sign-out of its administrator: the user is told once", function* () {
    const { owner, user_id } = yield* both
    for (const round of times(10, (index) => index + 1)) {
      const their = yield* signedUp(`helper${round}@example.com`, service)
      yield* owner.body(adminRolesAssign, { user_id: their.user.id, role: "helper" })
      const inside = yield* impersonating(their, user_id)
      yield* atOnce([inside.call(stop), owner.call(adminBanUser, { user_id: their.user.id }), their.call(signOut), inBackground])
      yield* inBackground
      assert.isFalse(yield* isSignedIn(inside))
      assert.lengthOf(yield* sentTo(email), round)
    }
    const ended = (yield* rows(Records)).filter(({ type }) => type === "impersonation.ended")
    assert.isAtMost(ended.length, 10)
  })
})
