import { assert, describe } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { decodeJwt } from "jose"
import { PairwiseSubjects } from "../../../../application/modules/idp/claims/subject.ts"
import { clientFaults } from "../../../../application/modules/idp/clients/client-faults.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { rulesOf } from "../../../rule.ts"
import { type browser, core, endpoints, isSignedIn, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { builtWith, call, email, presented, requests, settingsOf, spa } from "./provider.ts"

const redirect_uris = ["https://spa.example.com/callback"]
const sector_identifier_uri = "https://sector.example.com/uris.json"
const client = (client_id: string, more: object = {}) => ({ ...spa, client_id, redirect_uris, subject_type: "pairwise", ...more })
const secret = { client_secret: "the secret of the API", resource_server: true }
const module = builtWith({
  clients: [
    client("one", { refresh_tokens: true, access_token_format: "jwt" }),
    client("two"),
    client("sector", { sector_identifier_uri }),
    { ...spa, client_id: "public" },
    { ...client("api", { subject_type: "public" }), ...secret },
  ],
})
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])
const { oauth2Authorize, oauth2Token, oauth2Userinfo, oauth2Introspect, oauth2Logout } = module.endpoints

const signedUp = (address = email) => signedUpTo(address, auth)
type Browser = ReturnType<typeof browser>

const sent = Effect.fnUntraced(function* (their: Browser, input: object) {
  const { redirect } = yield* their.body(oauth2Authorize, { ...requests.spa, ...input })
  return Object.fromEntries(new URL(redirect).searchParams) as Record<string, string>
})
const tokensFor = Effect.fnUntraced(function* (their: Browser, client_id: string) {
  const { code = assert.fail("no code") } = yield* sent(their, { client_id })
  return yield* call(oauth2Token, { ...presented.spa(code), client_id }, null, auth)
})
const subjectFor = Effect.fnUntraced(function* (their: Browser, client_id: string) {
  return decodeJwt((yield* tokensFor(their, client_id)).id_token ?? "").sub ?? assert.fail("no sub")
})

describe("a pairwise subject", () => {
  rule("is the same for all clients of a sector, and another one in each sector and for each user", function* () {
    const ada = yield* signedUp()
    const [one, two, sector] = [yield* subjectFor(ada, "one"), yield* subjectFor(ada, "two"), yield* subjectFor(ada, "sector")]
    assert.strictEqual(two, one)
    assert.strictEqual(yield* subjectFor(ada, "one"), one)
    const others = [sector, ada.user.id, yield* subjectFor(yield* signedUp("bob@example.com"), "one")]
    assert.lengthOf(new Set([one, ...others]), 4)
    assert.strictEqual(yield* subjectFor(ada, "public"), ada.user.id)
  })

  rule("is the one of userinfo, refreshed tokens, JWTs and introspection", function* () {
    const ada = yield* signedUp()
    const { access_token, refresh_token, id_token } = yield* tokensFor(ada, "one")
    const { sub = "" } = decodeJwt(id_token ?? "")
    assert.strictEqual(decodeJwt(access_token).sub, sub)
    assert.deepStrictEqual(yield* call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth), { sub })
    const introspected = yield* call(
      oauth2Introspect,
      { client_id: "api", client_secret: secret.client_secret, token: access_token },
      null,
      auth,
    )
    assert.strictEqual(introspected.sub, sub)
    const again = yield* call(oauth2Token, { grant_type: "refresh_token", refresh_token, client_id: "one" }, null, auth)
    assert.strictEqual(decodeJwt(again.id_token ?? "").sub, sub)
  })

  rule("identifies the user in hints and requests", function* () {
    const ada = yield* signedUp()
    const bob = yield* signedUp("bob@example.com")
    const { id_token = "" } = yield* tokensFor(ada, "one")
    const expected = { client_id: "one", claims: JSON.stringify({ id_token: { sub: { value: decodeJwt(id_token).sub } } }) }
    for (const input of [{ client_id: "one", id_token_hint: id_token }, { client_id: "sector", id_token_hint: id_token }, expected]) {
      assert.isString((yield* sent(ada, input))["code"])
      assert.strictEqual((yield* sent(bob, input))["error"], "login_required")
    }
    yield* ada.call(oauth2Logout, { id_token_hint: id_token })
    assert.isFalse(yield* isSignedIn(ada))
  })

  rule("is stored once by twenty first sign-ins at once, and removed with the user", function* () {
    const ada = yield* signedUp()
    const codes = yield* Effect.forEach(times(20, String), () => Effect.map(sent(ada, { client_id: "one" }), ({ code = "" }) => code))
    const exchanges = codes.map((code) => call(oauth2Token, { ...presented.spa(code), client_id: "one" }, null, auth))
    const issued = yield* Effect.all(exchanges, { concurrency: "unbounded" })
    assert.lengthOf(new Set(issued.map(({ id_token }) => decodeJwt(id_token ?? "").sub)), 1)
    assert.lengthOf(yield* rows(PairwiseSubjects), 1)
    yield* ada.body(endpoints.deleteUser, { password })
    assert.lengthOf(yield* rows(PairwiseSubjects), 0)
  })
})

describe("the sector of a pairwise client", () => {
  rule("is one host: several need a sector_identifier_uri", function* () {
    const wanted = (more: object) =>
      settingsOf({ clients: [client("app", more)] })
        .clients.flatMap(clientFaults)
        .map(({ field }) => field)
    const hosts = ["https://a.example.com/", "https://b.example.com/"]
    assert.deepStrictEqual(wanted({ redirect_uris: ["https://a.example.com/", "https://a.example.com/other"] }), [])
    for (const uris of [hosts, ["com.example.app:/callback"], ["com.example.app:/callback", hosts[0]]])
      assert.deepStrictEqual(wanted({ redirect_uris: uris }), ["sector_identifier_uri"])
    assert.deepStrictEqual(wanted({ redirect_uris: hosts, sector_identifier_uri }), [])
    assert.deepStrictEqual(wanted({ redirect_uris: hosts, subject_type: "public" }), [])
    const http = yield* Effect.exit(
      Effect.try(() => settingsOf({ clients: [client("app", { sector_identifier_uri: "http://a.example.com/" })] })),
    )
    assert.isTrue(Exit.isFailure(http))
  })
})
