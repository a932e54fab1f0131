import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from "oauth4webapi"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { bearer } from "../../../../application/modules/bearer/index.ts"
import { NativeCodes } from "../../../../application/modules/bearer/native.ts"
import * as Endpoint from "../../../../application/service/endpoint.ts"
import { Store, type StoreService } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, endpoints, isSignedIn, rows, signedIn, signedUp, times, type WorldServices } from "../../../world.ts"

const scheme = "com.example.app:/auth"
const web = "https://app.example.com/auth?from=app"
const loopback = "http://127.0.0.1/auth"
const built = bearer.build({ redirects: [scheme, web, loopback, "http://[::1]/auth"] })
const roles = admin.build(Schema.decodeSync(admin.settings)({ admin_emails: ["root@example.com"] }))
const log = audit.build(Schema.decodeSync(audit.settings)({}))
const rule = rulesOf([...core, built, roles, log])

const { nativeRequest, nativeCode, nativeExchange } = built.endpoints
const { revokeSessions, signOut, stepUp, updateUser } = endpoints
const email = "ada@example.com"
type Browser = ReturnType<typeof browser>

const code_verifier = generateRandomCodeVerifier()
const code_challenge = await calculatePKCECodeChallenge(code_verifier)
const request = { redirect_uri: scheme, state: "a state", code_challenge, code_challenge_method: "S256" }

/** A new code of this browser. */
const issued = (their: Browser, more: object = {}) =>
  Effect.map(their.body(nativeCode, { ...request, ...more }), ({ redirect }) => new URL(redirect).searchParams.get("code") ?? "")

const refused = (code: string, verifier = code_verifier) => browser().code(nativeExchange, { code, code_verifier: verifier })

describe("modules.bearer.redirects", () => {
  const decoded = Schema.decodeUnknownOption(bearer.settings)
  const faults = (redirects: ReadonlyArray<string>, public_url: string) => bearer.faults({ redirects }, { public_url } as never)

  it("is empty by default", () => {
    assert.deepStrictEqual(Option.getOrThrow(decoded({})), { redirects: [] })
  })

  it.each([scheme, web, "http://127.0.0.1/", "http://127.0.0.1:8080/auth", "http://[::1]/auth", "exp://192.168.1.2:8081/--/auth"])(
    "accepts %s",
    (uri) => {
      assert.isTrue(Option.isSome(decoded({ redirects: [uri] })))
    },
  )

  it.each([
    ...["myapp:/auth", "myapp://auth", "http://localhost/auth", "http://app.example.com/auth", "http://127.0.0.2/auth", "exp:/auth"],
    ...["javascript:alert(1)", "https://app.example.com/#x", "https://*.example.com/", "exp://127.0.0.1/#x", "data:text/html,x", ""],
  ])("refuses %s", (uri) => {
    assert.isTrue(Option.isNone(decoded({ redirects: [uri] })))
  })

  it("accepts exp:// only where public_url is local", () => {
    const redirects = [scheme, "exp://192.168.1.2:8081/--/auth"]
    assert.deepStrictEqual(faults(redirects, "http://localhost:3000"), [])
    assert.deepStrictEqual(
      faults(redirects, "https://auth.example.com").map(({ path }) => path),
      [["redirects", 1]],
    )
  })
})

describe("the request of an app", () => {
  rule("is shown with the host or the scheme of the app", function* () {
    const shown = (redirect_uri: string) =>
      Effect.map(browser().body(nativeRequest, { ...request, redirect_uri }), ({ destination }) => destination)
    assert.strictEqual(yield* shown(scheme), "com.example.app")
    assert.strictEqual(yield* shown(web), "app.example.com")
    assert.strictEqual(yield* shown("http://127.0.0.1:51004/auth"), "127.0.0.1:51004")
    assert.strictEqual(yield* shown("http://[::1]:51004/auth"), "[::1]:51004")
  })

  rule("needs a listed redirect URI, a challenge by S256, and a short state", function* () {
    const ada = yield* signedUp(email)
    const without = (name: string) => Object.fromEntries(Object.entries(request).filter(([key]) => key !== name))
    const forged = [
      "com.example.app:/auth/",
      "com.example.app:/auth?x",
      "com.example.application:/auth",
      "COM.example.app:/auth",
      "evil.app:/auth",
    ]
    const others = ["https://app.example.com.evil.com/auth?from=app", "https://app.example.com/auth", "http://127.0.0.1:80@evil.com/auth"]
    const local = ["http://127.0.0.1:51004/other", "http://localhost/auth", "http://127.0.0.1:99999/auth", ""]
    for (const input of [
      ...[...forged, ...others, ...local].map((redirect_uri) => ({ ...request, redirect_uri })),
      ...["plain", "s256", ""].map((code_challenge_method) => ({ ...request, code_challenge_method })),
      ...["", "x", `${code_challenge}x`, code_challenge.slice(1), `${code_challenge.slice(1)}=`].map((wrong) => ({
        ...request,
        code_challenge: wrong,
      })),
      ...["", "x".repeat(513), "a\nb", "é"].map((state) => ({ ...request, state })),
      ...["redirect_uri", "code_challenge", "code_challenge_method"].map(without),
    ]) {
      assert.strictEqual(yield* browser().code(nativeRequest, input), "invalid_request", JSON.stringify(input))
      assert.strictEqual(yield* ada.code(nativeCode, input), "invalid_request", JSON.stringify(input))
    }
    for (const state of ["x", "x".repeat(512), "a b&c=d"]) yield* ada.body(nativeCode, { ...request, state })
    yield* ada.body(nativeCode, without("state"))
  })
})

describe("native/code", () => {
  rule("leads to the app with a new code and the state, and stores no code in the clear", function* () {
    const ada = yield* signedUp(email)
    const leads = (more: object) => Effect.map(ada.body(nativeCode, { ...request, ...more }), ({ redirect }) => redirect)
    const [first, second] = [yield* leads({}), yield* leads({ redirect_uri: web, state: "a&b" })]
    assert.match(first, /^com\.example\.app:\/auth\?code=[\w-]{43}&state=a\+state$/)
    assert.match(second, /^https:\/\/app\.example\.com\/auth\?from=app&code=[\w-]{43}&state=a%26b$/)
    assert.match(yield* leads({ redirect_uri: "http://127.0.0.1:51004/auth" }), /^http:\/\/127\.0\.0\.1:51004\/auth\?code=[\w-]{43}&/)
    const stored = yield* rows(NativeCodes)
    assert.lengthOf(stored, 3)
    for (const url of [first, second]) assert.notInclude(JSON.stringify(stored), String(new URL(url).searchParams.get("code")))
  })

  rule("requires a session", function* () {
    assert.strictEqual(yield* browser().code(nativeCode, request), "unauthorized")
  })
})

describe("native/exchange", () => {
  rule("signs the user in to the app, with the proof and the expiry of the browser's session", function* () {
    const ada = yield* signedUp(email)
    yield* TestClock.adjust("1 hour")
    const app = browser()
    const { user } = yield* app.body(nativeExchange, { code: yield* issued(ada), code_verifier })
    assert.strictEqual(user.id, ada.user.id)
    const [own, other] = (yield* rows(Sessions)).toSorted((a, b) => a.created_at.epochMilliseconds - b.created_at.epochMilliseconds)
    for (const member of ["authenticated_at", "proved_at", "multi_factor", "methods"] as const)
      assert.deepStrictEqual(other?.[member], own?.[member], member)
    assert.notStrictEqual(other?.token_hash, own?.token_hash)
    yield* ada.body(signOut)
    assert.isTrue(yield* isSignedIn(app))
    assert.lengthOf(yield* rows(NativeCodes), 0)
  })

  rule("is recorded as the begin of a session by this operation, and not as a sign-in", function* () {
    const root = yield* signedUp("root@example.com")
    const ada = yield* signedUp(email)
    yield* browser().body(nativeExchange, { code: yield* issued(ada), code_verifier })
    const { entries } = yield* root.body(log.endpoints.adminAuditList, { subject_id: ada.user.id })
    const [latest] = entries
    assert.deepStrictEqual([latest?.type, latest?.data], ["session.opened", { method: "bearer", operation: "nativeExchange" }])
    assert.lengthOf(
      entries.filter(({ type }) => type === "sign_in.succeeded"),
      1,
    )
  })

  rule("accepts a code once, and no unknown one", function* () {
    const code = yield* issued(yield* signedUp(email))
    yield* browser().body(nativeExchange, { code, code_verifier })
    for (const spent of [code, "", "x", `${code}x`, code.slice(1), "nul\0", "\ud800"])
      assert.strictEqual(yield* refused(spent), "invalid_token", spent)
    assert.lengthOf(yield* rows(Sessions), 2)
  })

  rule("removes a code that is presented with a wrong verifier", function* () {
    const ada = yield* signedUp(email)
    for (const wrong of [generateRandomCodeVerifier(), code_challenge, "", `${code_verifier}x`, code_verifier.slice(1), "short"]) {
      const code = yield* issued(ada)
      assert.strictEqual(yield* refused(code, wrong), "invalid_token")
      assert.lengthOf(yield* rows(NativeCodes), 0, wrong)
      assert.strictEqual(yield* refused(code), "invalid_token")
    }
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("answers every failure alike, with 400", function* () {
    const ada = yield* signedUp(email)
    const failure = (input: unknown) => Effect.flip(browser().call(nativeExchange, input))
    const wrong = yield* failure({ code: yield* issued(ada), code_verifier: "wrong" })
    assert.deepStrictEqual([wrong._tag, Endpoint.statusOf(nativeExchange, wrong)], ["invalid_token", 400])
    assert.deepStrictEqual(yield* failure({ code: "x", code_verifier }), wrong)
    for (const malformed of [{}, { code: 7 }, { code: "x" }, null, []])
      assert.strictEqual((yield* failure(malformed))._tag, "invalid_token")
  })

  rule("accepts a code for a minute", function* () {
    const ada = yield* signedUp(email)
    const late = yield* issued(ada)
    yield* TestClock.adjust("1 second")
    const timely = yield* issued(ada)
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual(yield* refused(late), "invalid_token")
    assert.strictEqual(yield* refused(timely, "wrong"), "invalid_token")
    const last = yield* issued(ada)
    yield* TestClock.adjust("59 seconds")
    yield* browser().body(nativeExchange, { code: last, code_verifier })
  })

  rule("refuses a code of an ended session, however it ended", function* () {
    const ada = yield* signedUp(email)
    const root = yield* signedUp("root@example.com")
    const endings = [
      (their: Browser) => their.body(signOut),
      (their: Browser) => their.body(revokeSessions),
      () => root.body(roles.endpoints.adminBanUser, { user_id: ada.user.id }),
    ]
    for (const end of endings) {
      const their = yield* signedIn(email)
      const code = yield* issued(their)
      yield* end(their)
      assert.lengthOf(yield* rows(NativeCodes), 0)
      assert.strictEqual(yield* refused(code), "invalid_token")
    }
  })

  rule(
    "refuses a code of a session that expired",
    function* () {
      const ada = yield* signedUp(email)
      yield* TestClock.adjust("10 seconds")
      const code = yield* issued(ada)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* refused(code), "invalid_token")
    },
    { session: { expires_in: 20, update_age: 20 } },
  )

  rule("refuses a code that a stolen copy of the session made before the step-up", function* () {
    const ada = yield* signedUp(email)
    const code = yield* issued(ada)
    yield* ada.body(stepUp, { password: "correct horse battery staple" })
    assert.strictEqual(yield* refused(code), "invalid_token")
    assert.lengthOf(yield* rows(Sessions), 1)
  })
})

describe("a code during its exchange", () => {
  /** The store of an exchange, in which this happens between its reads and its commit. */
  const storeAround = Effect.fnUntraced(function* (meanwhile: Effect.Effect<unknown, unknown, WorldServices>) {
    const store = yield* Store
    const once = yield* Effect.cached(Effect.ignore(meanwhile).pipe(Effect.provide(yield* Effect.context<WorldServices>())))
    const commit: StoreService["commit"] = (writes) => Effect.andThen(once, store.commit(writes))
    return { ...store, commit }
  })
  const around = (meanwhile: Parameters<typeof storeAround>[0]) => Effect.provideServiceEffect(Store, storeAround(meanwhile))

  rule("is invalid if the user is banned, or the session ends, in between", function* () {
    const root = yield* signedUp("root@example.com")
    const ada = yield* signedUp(email)
    assert.strictEqual(yield* refused(yield* issued(ada)).pipe(around(ada.body(signOut))), "invalid_token")
    const again = yield* signedIn(email)
    const ban = root.body(roles.endpoints.adminBanUser, { user_id: ada.user.id })
    assert.strictEqual(yield* refused(yield* issued(again)).pipe(around(ban)), "invalid_token")
    assert.lengthOf(yield* rows(Sessions), 1)
    assert.lengthOf(yield* rows(NativeCodes), 0)
  })

  rule("keeps its code through another change of the user", function* () {
    const ada = yield* signedUp(email)
    const input = { code: yield* issued(ada), code_verifier }
    yield* browser()
      .body(nativeExchange, input)
      .pipe(around(ada.body(updateUser, { name: "Ada" })))
    assert.lengthOf(yield* rows(Sessions), 2)
  })
})

describe("concurrent exchanges", () => {
  rule("a hundred of one code open one session", function* () {
    const code = yield* issued(yield* signedUp(email))
    const apps = times(100, () => browser())
    const tally = yield* atOnce(apps.map((app) => app.call(nativeExchange, { code, code_verifier })))
    assert.deepStrictEqual(tally, { ok: 1, invalid_token: 99 })
    assert.lengthOf(yield* rows(Sessions), 2)
    assert.lengthOf(yield* Effect.filter(apps, isSignedIn), 1)
  })

  rule("of right and wrong verifiers at once, at most one opens a session", function* () {
    const code = yield* issued(yield* signedUp(email))
    const tally = yield* atOnce(
      times(20, (index) => browser().call(nativeExchange, { code, code_verifier: index % 2 === 0 ? code_verifier : "wrong" })),
    )
    assert.isAtLeast(tally["invalid_token"] ?? 0, 19)
    assert.lengthOf(yield* rows(Sessions), 1 + (tally["ok"] ?? 0))
  })
})

describe("a service without redirect URIs", () => {
  const off = bearer.build({ redirects: [] })
  rulesOf([...core, off])("sends no code anywhere", function* () {
    const ada = yield* signedUp(email)
    const codes = [yield* ada.code(off.endpoints.nativeRequest, request), yield* ada.code(off.endpoints.nativeCode, request)]
    assert.deepStrictEqual(codes, ["invalid_request", "invalid_request"])
  })
})
