import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import type { browser } from "../../../world.ts"
import { endpoints } from "../../../world.ts"
import { answer, presented, requests, web } from "../idp/provider.ts"
import { both, endpointOf, impersonating, rule, service, stop } from "./impersonations.ts"

const [authorize, token, userinfo, introspect] = ["oauth2Authorize", "oauth2Token", "oauth2Userinfo", "oauth2Introspect"].map(endpointOf)
type Browser = Pick<ReturnType<typeof browser>, "call">

/** What a client gets from an authorization request. */
const received = Effect.fnUntraced(function* (their: Browser, client_id: string, changes: object = {}) {
  const { body } = yield* their.call(authorize!, { ...requests.spa, client_id, ...changes })
  return Object.fromEntries(new URL((body as { redirect: string }).redirect, "http://localhost:3000").searchParams)
})
const exchanged = (code: string | undefined, client_id: string) =>
  answer(token!, { ...presented.spa(code ?? ""), client_id }, null, service).pipe(Effect.map(({ body }) => body as Record<string, string>))
const isActive = (access_token: string) => Effect.isSuccess(answer(userinfo!, {}, `Bearer ${access_token}`, service))
const introspected = (token: string) =>
  Effect.map(answer(introspect!, { token, client_id: "api", client_secret: web.client_secret }, null, service), ({ body }) => body as any)

describe("the identity provider, for an administrator in the name of a user", () => {
  rule("names the administrator in all tokens of a client that accepts it, and gives no refresh token", function* () {
    const { owner, user_id } = yield* both
    const inside = yield* impersonating(owner, user_id, "act", { seconds: 60 })
    const act = { sub: owner.user.id }
    for (const client_id of ["accepting", "signed"]) {
      const { code } = yield* received(inside, client_id, client_id === "accepting" ? { scope: "openid offline_access" } : {})
      const tokens = yield* exchanged(code, client_id)
      assert.notProperty(tokens, "refresh_token")
      assert.deepStrictEqual([Number(tokens["expires_in"]), tokens["scope"]], [60, "openid"])
      const claims = decodeJwt(tokens["id_token"]!)
      assert.deepInclude(claims, { sub: user_id, act, acr: "1" })
      assert.notProperty(claims, "amr")
      assert.isAtLeast(Number(claims["auth_time"]), 0)
      const state = yield* introspected(tokens["access_token"]!)
      assert.deepStrictEqual([state.active, state.sub, state.act], [true, user_id, act])
      if (client_id === "signed") assert.deepStrictEqual(decodeJwt(tokens["access_token"]!)["act"], act)
    }
  })

  rule("refuses it to other clients, in the mode read, and where the user would have to answer", function* () {
    const { owner, ada, user_id } = yield* both
    const [reading, acting] = [yield* impersonating(owner, user_id), yield* impersonating(owner, user_id, "act")]
    assert.strictEqual((yield* received(reading, "accepting"))["error"], "access_denied")
    assert.strictEqual((yield* received(acting, "refusing"))["error"], "access_denied")
    assert.strictEqual((yield* received(acting, "asking"))["error"], "consent_required")
    for (const changes of [{ prompt: "login" }, { max_age: "3600" }])
      assert.strictEqual((yield* received(acting, "accepting", changes))["error"], "login_required")
    assert.property(yield* received(ada, "refusing"), "code")
  })

  rule("ends every token with the impersonation, also by the administrator's sign-out, and redeems no code after it", function* () {
    const { owner, ada, user_id } = yield* both
    for (const leave of [(inside: Browser) => inside.call(stop), () => owner.call(endpoints.signOut)]) {
      const inside = yield* impersonating(owner, user_id, "act")
      const { access_token } = yield* exchanged((yield* received(inside, "accepting"))["code"], "accepting")
      const { code } = yield* received(inside, "accepting")
      assert.isTrue(yield* isActive(access_token!))
      yield* leave(inside)
      assert.isFalse(yield* isActive(access_token!))
      assert.deepStrictEqual(yield* introspected(access_token!), { active: false })
      assert.strictEqual((yield* Effect.flip(exchanged(code, "accepting")))._tag, "invalid_grant")
    }
    const own = yield* exchanged((yield* received(ada, "accepting"))["code"], "accepting")
    yield* TestClock.adjust("60 seconds")
    assert.isTrue(yield* isActive(own["access_token"]!))
    assert.notProperty(decodeJwt(own["id_token"]!), "act")
  })
})
