import { assert, describe } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { organizationAttributes } from "../../../../application/modules/attributes/organizations.ts"
import { AccessDenied } from "../../../../application/modules/idp/errors.ts"
import { AccessTokens, AuthorizationRequests, RefreshFamilies } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { OrganizationAttributes } from "../../../../domain/attributes/organizations.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import { Members, Organizations } from "../../../../domain/organizations/tables.ts"
import { detach, put, Store } from "../../../../domain/ports/store.ts"
import { removeLater } from "../../../../domain/storage/removals.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, rows, signedUp as signedUpTo, times, type WorldServices } from "../../../world.ts"
import { founded, joined, modules as organizations, endpoints as theirs } from "../organization/organizations.ts"
import { builtWith, call, presented, requests, spa } from "./provider.ts"

const scopes = ["openid", "organization"]
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"
const secret = { client_secret: "the secret of a service" }
const clients = [
  { ...spa, scopes, refresh_tokens: true, grant_types: ["authorization_code", deviceGrant] },
  { ...spa, client_id: "jwt", scopes, access_token_format: "jwt" },
  { ...spa, client_id: "careful", scopes, consent: true },
  { ...spa, client_id: "plain" },
  { client_id: "api", ...secret, redirect_uris: [], scopes, resource_server: true, grant_types: [exchangeGrant] },
]
const module = builtWith({ clients })
const modules = [...organizations, module]
const auth = AuthOf.make(modules)
const { oauth2Authorize, oauth2Organizations, oauth2SelectOrganization, oauth2Token, oauth2Userinfo, oauth2Introspect } = module.endpoints
const { oauth2Consent, oauth2ConsentAllow, oauth2DeviceAuthorization, wellKnownOpenidConfiguration } = module.endpoints
const { organizationCreate, organizationDelete, organizationLeave, organizationRemoveMember, organizationUpdateRole } = theirs

const page = "https://accounts.example.com/organizations?request_uri={request_uri}"
const links = { choose_organization: page, consent: "https://accounts.example.com/consent?request_uri={request_uri}" }
const ruleOf = rulesOf(modules)
const rule = (name: string, shown: Parameters<typeof ruleOf>[1]) => ruleOf(name, shown, { links })

const request = { ...requests.spa, scope: "openid organization" }
const signedUp = (name = "ada") => signedUpTo(`${name}@example.com`, auth)
type Browser = Effect.Success<ReturnType<typeof signedUp>>

/** The parameters that the client or the page gets. */
const sent = Effect.fnUntraced(function* (their: Pick<Browser, "body">, input: object = request) {
  const { redirect } = yield* their.body(oauth2Authorize, input)
  return Object.fromEntries(new URL(redirect).searchParams) as Record<string, string>
})
const resumed = (their: Browser, { redirect }: { readonly redirect: string }) =>
  sent(their, Object.fromEntries(new URL(redirect, "http://localhost:3000").searchParams))
const codeFor = Effect.fnUntraced(function* (their: Browser, input: object = {}) {
  const query = yield* sent(their, { ...request, ...input })
  return query["code"] ?? assert.fail(JSON.stringify(query))
})
const exchanged = (code: string, client_id = "spa") => call(oauth2Token, { ...presented.spa(code), client_id }, null, auth)
const tokensFor = (their: Browser, input: { readonly client_id?: string; readonly organization?: string } = {}) =>
  Effect.flatMap(codeFor(their, input), (code) => exchanged(code, input.client_id))
const refreshed = (refresh_token = "", more: object = {}) =>
  call(oauth2Token, { grant_type: "refresh_token", client_id: "spa", refresh_token, ...more }, null, auth)
const userinfoOf = (token: string) => call(oauth2Userinfo, {}, `Bearer ${token}`, auth)
const introspected = (token = "") => call(oauth2Introspect, { client_id: "api", ...secret, token }, null, auth)
const codeOf = <A, E extends AuthError, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag }): string => _tag })

const claimsIn = ({ org_id, org_name, org_role }: Readonly<Record<string, unknown>>) => ({ org_id, org_name, org_role })
const none = claimsIn({})
const claimsOf = ({ id, name }: { readonly id: string; readonly name: string }, org_role = "owner") => ({
  org_id: id,
  org_name: name,
  org_role,
})
const inIdToken = (token = "") => claimsIn(decodeJwt(token))

/** A user with two organizations, and the reference with which the browser arrives at the page. */
const asked = Effect.gen(function* () {
  const ada = yield* signedUp()
  const [first, second] = [yield* founded(ada, "first"), yield* founded(ada, "second")]
  const { request_uri = assert.fail("no page") } = yield* sent(ada)
  return { ada, first, second, request_uri }
})

/** A member of the organization of another user, with tokens for it. */
const staffed = Effect.gen(function* () {
  const [owner, ada] = [yield* signedUp("owner"), yield* signedUp()]
  const organization = yield* founded(owner)
  yield* joined(owner, ada, organization.id)
  return { owner, ada, organization, tokens: yield* tokensFor(ada) }
})

describe("the scope organization", () => {
  rule("needs no choice of a member of one organization, and gives claims to all tokens", function* () {
    const ada = yield* signedUp()
    const acme = yield* founded(ada)
    const { id_token, access_token, refresh_token = "", scope } = yield* tokensFor(ada)
    assert.strictEqual(scope, "openid organization")
    assert.deepStrictEqual(inIdToken(id_token), claimsOf(acme))
    assert.deepStrictEqual(claimsIn(yield* userinfoOf(access_token)), claimsOf(acme))
    assert.deepStrictEqual(claimsIn(yield* introspected(access_token)), claimsOf(acme))
    const own = yield* refreshed(refresh_token)
    assert.deepStrictEqual(inIdToken(own.id_token), claimsOf(acme))
    assert.deepStrictEqual(claimsIn(yield* userinfoOf(own.access_token)), claimsOf(acme))
    assert.deepStrictEqual(inIdToken((yield* tokensFor(ada, { client_id: "jwt" })).access_token), claimsOf(acme))
  })

  rule("gives no claims without it: in other requests, and in narrower access tokens", function* () {
    const ada = yield* signedUp()
    yield* founded(ada)
    const { access_token, id_token } = yield* exchanged(yield* codeFor(ada, { scope: "openid" }))
    assert.deepStrictEqual([inIdToken(id_token), claimsIn(yield* userinfoOf(access_token))], [none, none])
    const narrowed = yield* refreshed((yield* tokensFor(ada)).refresh_token, { scope: "openid" })
    assert.deepStrictEqual([inIdToken(narrowed.id_token), claimsIn(yield* userinfoOf(narrowed.access_token))], [none, none])
    assert.deepStrictEqual(claimsIn(yield* introspected(narrowed.access_token)), none)
  })

  rule("is kept in an exchange of the token, with the organization", function* () {
    const { ada, owner, organization, tokens } = yield* staffed
    const subject = { subject_token: tokens.access_token, subject_token_type: "urn:ietf:params:oauth:token-type:access_token" }
    const { access_token } = yield* call(oauth2Token, { grant_type: exchangeGrant, client_id: "api", ...secret, ...subject }, null, auth)
    assert.deepStrictEqual(claimsIn(yield* introspected(access_token)), claimsOf(organization, "member"))
    yield* owner.body(organizationRemoveMember, { organization_id: organization.id, user_id: ada.user.id })
    assert.deepStrictEqual(yield* introspected(access_token), { active: false })
  })

  rule("is refused to a user without an organization", function* () {
    const ada = yield* signedUp()
    const { error, error_description = "" } = yield* sent(ada)
    assert.deepStrictEqual(
      [error, error_description],
      ["access_denied", "The user is not a member of an organization that this request accepts."],
    )
  })

  rule("has to be in the scopes of the client, and is not available to devices", function* () {
    const ada = yield* signedUp()
    yield* founded(ada)
    assert.strictEqual((yield* sent(ada, { ...request, client_id: "plain" }))["error"], "invalid_scope")
    const begun = (input: object) => codeOf(call(oauth2DeviceAuthorization, { client_id: "spa", ...input }, null, auth))
    assert.deepStrictEqual([yield* begun({}), yield* begun({ scope: "openid organization" })], ["ok", "invalid_scope"])
  })

  rule("is announced by its claims", function* () {
    const { claims_supported, scopes_supported } = yield* call(wellKnownOpenidConfiguration, {}, null, auth)
    assert.includeMembers([...claims_supported, ...scopes_supported], ["org_id", "org_name", "org_role", "organization"])
  })
})

describe("the choice of an organization", () => {
  rule("lists the organizations, is stored in the request, and holds for this request only", function* () {
    const { ada, first, second, request_uri } = yield* asked
    const shown = yield* ada.body(oauth2Organizations, { request_uri })
    const listed = [first, second].map(({ id, name, slug }) => ({ id, name, slug, role: "owner" }))
    assert.deepStrictEqual([shown.client.client_id, shown.organizations], ["spa", listed])
    const back = yield* ada.body(oauth2SelectOrganization, { request_uri, organization_id: second.id })
    const { code = "", state } = yield* resumed(ada, back)
    assert.strictEqual(state, "xyz")
    assert.deepStrictEqual(inIdToken((yield* exchanged(code)).id_token), claimsOf(second))
    assert.deepStrictEqual(yield* rows(AuthorizationRequests), [])
    assert.isString((yield* sent(ada))["request_uri"])
  })

  rule("can be changed until the request is answered; one of twenty concurrent choices counts", function* () {
    const { ada, first, second, request_uri } = yield* asked
    const choices = times(20, (n) =>
      ada.body(oauth2SelectOrganization, { request_uri, organization_id: n % 2 === 0 ? first.id : second.id }),
    )
    assert.deepStrictEqual(yield* atOnce(choices), { ok: 20 })
    const back = yield* ada.body(oauth2SelectOrganization, { request_uri, organization_id: first.id })
    const { code = "" } = yield* resumed(ada, back)
    assert.deepStrictEqual(inIdToken((yield* exchanged(code)).id_token), claimsOf(first))
    assert.strictEqual(yield* ada.code(oauth2SelectOrganization, { request_uri, organization_id: first.id }), "invalid_state")
  })

  rule("is only for the organizations of the user, and only for that user", function* () {
    const { ada, request_uri } = yield* asked
    const mallory = yield* signedUp("mallory")
    const own = yield* founded(mallory, "mallory")
    for (const organization_id of [own.id, "unknown", "a\0b"])
      assert.strictEqual(yield* ada.code(oauth2SelectOrganization, { request_uri, organization_id }), "forbidden")
    const back = yield* mallory.body(oauth2SelectOrganization, { request_uri, organization_id: own.id })
    assert.isString((yield* resumed(ada, back))["request_uri"])
    assert.strictEqual(yield* browser(auth).code(oauth2Organizations, { request_uri }), "unauthorized")
    assert.strictEqual(yield* ada.code(oauth2Organizations, { request_uri: "unknown" }), "invalid_state")
  })

  rule("is refused with prompt=none, and made by the parameter organization: by id or slug", function* () {
    const { ada, first, second } = yield* asked
    assert.strictEqual((yield* sent(ada, { ...request, prompt: "none" }))["error"], "interaction_required")
    for (const [organization, expected] of [
      [first.id, first],
      ["SECOND", second],
    ] as const)
      assert.deepStrictEqual(inIdToken((yield* tokensFor(ada, { organization })).id_token), claimsOf(expected))
    const mallory = yield* signedUp("mallory")
    const { id } = yield* mallory.body(organizationCreate, { name: "Trap", slug: first.id }).pipe(Effect.map((made) => made.organization))
    assert.deepStrictEqual(inIdToken((yield* tokensFor(ada, { organization: first.id })).id_token), claimsOf(first))
    for (const organization of [id, "mallory", "unknown", "a\0b"])
      assert.include(["access_denied", "invalid_request"], (yield* sent(ada, { ...request, organization }))["error"])
  })

  rule("is narrowed by the claims parameter", function* () {
    const { ada, first, second } = yield* asked
    const third = yield* founded(ada, "third")
    const claims = (org_id: object) => ({ ...request, claims: JSON.stringify({ id_token: { org_id } }) })
    const tokens = yield* exchanged(yield* codeFor(ada, claims({ value: second.id })))
    assert.deepStrictEqual(inIdToken(tokens.id_token), claimsOf(second))
    const { request_uri = "" } = yield* sent(ada, claims({ values: [first.id, third.id] }))
    const { organizations } = yield* ada.body(oauth2Organizations, { request_uri })
    assert.deepStrictEqual(
      organizations.map(({ slug }) => slug),
      ["first", "third"],
    )
    assert.strictEqual(yield* ada.code(oauth2SelectOrganization, { request_uri, organization_id: second.id }), "forbidden")
    assert.strictEqual((yield* sent(ada, { ...claims({ value: first.id }), organization: second.id }))["error"], "access_denied")
  })

  rule("comes before the consent, whose page names the organization", function* () {
    const { ada, second } = yield* asked
    yield* TestClock.adjust("1 second")
    const { request_uri = "" } = yield* sent(ada, { ...request, client_id: "careful" })
    assert.isNull((yield* ada.body(oauth2Consent, { request_uri })).organization)
    const back = yield* ada.body(oauth2SelectOrganization, { request_uri, organization_id: second.id })
    assert.deepStrictEqual(yield* resumed(ada, back), { request_uri })
    const { id, name, slug } = second
    const { organization, scopes } = yield* ada.body(oauth2Consent, { request_uri })
    assert.deepStrictEqual(
      [organization, scopes.at(-1)],
      [
        { id, name, slug },
        { scope: "organization", granted: false },
      ],
    )
    yield* TestClock.adjust("1 second")
    assert.isString((yield* resumed(ada, yield* ada.body(oauth2ConsentAllow, { request_uri })))["code"])
  })

  ruleOf("is an error for the client without a page", function* () {
    const ada = yield* signedUp()
    for (const slug of ["first", "second"]) yield* founded(ada, slug)
    assert.strictEqual((yield* sent(ada))["error"], "interaction_required")
  })

  rulesOf([...core, module])("does not exist without organizations: the scope is one of the client's own", function* () {
    const other = AuthOf.make([...core, module])
    const ada = yield* signedUpTo("ada@example.com", other)
    const { code = "" } = yield* sent(ada)
    const { id_token } = yield* call(oauth2Token, presented.spa(code), null, other)
    assert.deepStrictEqual(inIdToken(id_token), none)
    assert.strictEqual(yield* ada.code(oauth2Organizations, { request_uri: "x" }), "invalid_state")
    yield* call(oauth2DeviceAuthorization, { client_id: "spa", scope: "organization" }, null, other)
  })
})

/** Pauses a call before its commit. The returned effect lets it continue, and gives `ok` or the error code. */
const decided = Effect.fnUntraced(function* (call: Effect.Effect<unknown, AuthError, WorldServices>) {
  const store = yield* Store
  const [arrived, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const commit: typeof store.commit = (writes) =>
    Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(released)), Effect.andThen(store.commit(writes)))
  const fiber = yield* Effect.forkChild(Effect.provideService(codeOf(call), Store, { ...store, commit }))
  yield* Deferred.await(arrived)
  return Effect.andThen(Deferred.succeed(released, undefined), Fiber.join(fiber))
})

describe("the end of a membership", () => {
  rule("ends the tokens, also after a return to the organization", function* () {
    const { owner, ada, organization, tokens } = yield* staffed
    yield* ada.body(organizationLeave, { organization_id: organization.id })
    const areEnded = Effect.gen(function* () {
      assert.strictEqual(yield* codeOf(userinfoOf(tokens.access_token)), "invalid_token")
      for (const token of [tokens.access_token, tokens.refresh_token]) assert.deepStrictEqual(yield* introspected(token), { active: false })
      assert.strictEqual(yield* codeOf(refreshed(tokens.refresh_token)), "invalid_grant")
    })
    yield* areEnded
    yield* joined(owner, ada, organization.id)
    yield* areEnded
    yield* userinfoOf((yield* tokensFor(ada)).access_token)
  })

  rule("ends the tokens when the organization is deleted", function* () {
    const { owner, organization, tokens } = yield* staffed
    yield* owner.body(organizationDelete, { organization_id: organization.id })
    assert.strictEqual(yield* codeOf(userinfoOf(tokens.access_token)), "invalid_token")
    assert.strictEqual(yield* codeOf(refreshed(tokens.refresh_token)), "invalid_grant")
  })

  rule("counts for all tokens in a service without the module", function* () {
    const other = AuthOf.make([...core, module])
    const { tokens } = yield* staffed
    assert.strictEqual(yield* codeOf(call(oauth2Userinfo, {}, `Bearer ${tokens.access_token}`, other)), "invalid_token")
    const refresh = { grant_type: "refresh_token", client_id: "spa", refresh_token: tokens.refresh_token }
    assert.strictEqual(yield* codeOf(call(oauth2Token, refresh, null, other)), "invalid_grant")
  })

  rule("leaves the tokens of other sign-ins", function* () {
    const { ada, organization } = yield* staffed
    const { access_token } = yield* exchanged(yield* codeFor(ada, { scope: "openid" }))
    yield* ada.body(organizationLeave, { organization_id: organization.id })
    yield* userinfoOf(access_token)
  })

  rule("ends a code: it is consumed, and gives no tokens", function* () {
    const { ada, organization } = yield* staffed
    const [families, code] = [yield* rows(RefreshFamilies), yield* codeFor(ada)]
    yield* ada.body(organizationLeave, { organization_id: organization.id })
    assert.strictEqual(yield* codeOf(exchanged(code)), "invalid_grant")
    assert.lengthOf(yield* rows(RefreshFamilies), families.length)
  })

  rule("shows a change of the role at once", function* () {
    const { owner, ada, organization, tokens } = yield* staffed
    yield* owner.body(organizationUpdateRole, { organization_id: organization.id, user_id: ada.user.id, role: "admin" })
    assert.deepStrictEqual(claimsIn(yield* userinfoOf(tokens.access_token)), claimsOf(organization, "admin"))
    assert.deepStrictEqual(inIdToken((yield* refreshed(tokens.refresh_token)).id_token), claimsOf(organization, "admin"))
  })

  const denied = ({ error }: Record<string, string>) => (error === "access_denied" ? Effect.fail(new AccessDenied()) : Effect.void)
  /** What of a user with tokens and a code is paused before its commit, and its outcome after the end of the membership. */
  const paused = {
    "an authorization": ["access_denied", ({ ada }) => Effect.flatMap(sent(ada), denied)],
    "an exchange": ["invalid_grant", ({ code }) => exchanged(code)],
    "a refresh": ["invalid_grant", ({ refresh_token }) => refreshed(refresh_token)],
  } satisfies Record<
    string,
    [string, (of: { ada: Browser; code: string; refresh_token: string }) => Effect.Effect<unknown, AuthError, WorldServices>]
  >

  for (const [name, [outcome, callOf]] of Object.entries(paused)) {
    rule(`between the check and the commit of ${name} refuses it`, function* () {
      const { ada, organization, tokens } = yield* staffed
      const call = callOf({ ada, code: yield* codeFor(ada), refresh_token: tokens.refresh_token ?? "" })
      const finish = yield* decided(call)
      yield* ada.body(organizationLeave, { organization_id: organization.id })
      const issued = yield* rows(AccessTokens)
      assert.strictEqual(yield* finish, outcome)
      assert.deepStrictEqual(yield* rows(AccessTokens), issued)
    })
  }

  rule("with a large organization, whose memberships are removed some time after it, refuses an exchange", function* () {
    const { ada, organization } = yield* staffed
    const finish = yield* decided(exchanged(yield* codeFor(ada)))
    const { commit, read } = yield* Store
    const stored = Option.getOrThrow(yield* read(Organizations, { id: organization.id }))
    yield* commit([detach(Organizations, stored), yield* removeLater(Organizations, organization.id)])
    assert.lengthOf(yield* rows(Members), 2)
    assert.strictEqual(yield* finish, "invalid_grant")
    assert.strictEqual((yield* sent(ada))["error"], "access_denied")
  })

  rule("at the same time as an exchange leaves no valid token", function* () {
    const { owner, organization } = yield* staffed
    for (const name of times(5, (n) => `person${n}`)) {
      const their = yield* signedUp(name)
      yield* joined(owner, their, organization.id)
      const code = yield* codeFor(their)
      const exchange = Effect.option(exchanged(code))
      const removal = owner.body(organizationRemoveMember, { organization_id: organization.id, user_id: their.user.id })
      const [tokens] = yield* Effect.all([exchange, removal], { concurrency: "unbounded" })
      if (tokens._tag === "Some") assert.strictEqual(yield* codeOf(userinfoOf(tokens.value.access_token)), "invalid_token")
    }
    assert.lengthOf(yield* rows(Members), 2)
  })
})

const described = organizationAttributes.build(
  Schema.decodeUnknownSync(organizationAttributes.settings)({
    seats: { schema: { type: "integer" }, read: "client" },
    city: { schema: { type: "string", maxLength: 40 } },
    risk: { schema: { type: "integer" }, read: "admin" },
  }),
)
const withDescribed = [...modules, described]
const ruleWithAttributes = rulesOf(withDescribed)

describe("attributes of organizations", () => {
  const attributesIn = ({ org_attributes }: Readonly<Record<string, unknown>>) => org_attributes
  const service = AuthOf.make(withDescribed)
  const tokens = Effect.fnUntraced(function* (their: Browser, client_id: string) {
    const { redirect } = yield* their.body(oauth2Authorize, { ...request, client_id })
    const code = new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
    return yield* call(oauth2Token, { ...presented.spa(code), client_id }, null, service)
  })

  ruleWithAttributes(
    "that clients see are in all tokens for it, as they are now, and no others",
    function* () {
      const ada = yield* signedUpTo("ada@example.com", service)
      const { id: organization_id } = yield* founded(ada)
      const values = { seats: 5, city: "Rome", risk: 3 }
      const at = DateTime.makeUnsafe(0)
      const set = (row: typeof OrganizationAttributes.schema.Type) =>
        Effect.orDie(Effect.flatMap(Store, (s) => s.commit([put(OrganizationAttributes, row)])))
      const { access_token } = yield* tokens(ada, "spa")
      const read = Effect.gen(function* () {
        const userinfo = yield* call(oauth2Userinfo, {}, `Bearer ${access_token}`, service)
        const introspection = yield* call(oauth2Introspect, { client_id: "api", ...secret, token: access_token }, null, service)
        return [attributesIn(userinfo), attributesIn(introspection)]
      })
      assert.deepStrictEqual(yield* read, [{}, {}])
      yield* set({ organization_id, values, updated_at: at })
      assert.deepStrictEqual(yield* read, [{ seats: 5 }, { seats: 5 }])
      const { id_token = "" } = yield* tokens(ada, "spa")
      const { access_token: jwt } = yield* tokens(ada, "jwt")
      for (const token of [id_token, jwt]) assert.deepStrictEqual(attributesIn(decodeJwt(token)), { seats: 5 })
      const { claims_supported } = yield* call(wellKnownOpenidConfiguration, {}, null, service)
      assert.include(claims_supported, "org_attributes")
    },
    { links },
  )

  rule("are no claim of a service that declares none", function* () {
    const ada = yield* signedUp()
    yield* founded(ada)
    const { access_token } = yield* tokensFor(ada)
    assert.notProperty(yield* userinfoOf(access_token), "org_attributes")
    assert.notInclude((yield* call(wellKnownOpenidConfiguration, {}, null, auth)).claims_supported, "org_attributes")
  })
})
