import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as Published from "sallyport/module"
import { preview } from "../../../adapters/mail/preview.ts"
import { problemOf } from "../../../adapters/pages/problems.ts"
import { makeLanguages } from "../../../adapters/texts/languages.ts"
import * as MailTexts from "../../../adapters/texts/mail-texts.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { audit } from "../../../application/modules/audit/index.ts"
import { multiSession } from "../../../application/modules/multi_session/index.ts"
import { oneTimeToken } from "../../../application/modules/one_time_token/index.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import type { Hook } from "../../../application/service/module.ts"
import * as Module from "../../../application/service/module.ts"
import { define, InvalidRequest } from "../../../domain/errors.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { Conflict, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { decode, Settings } from "../../../domain/settings.ts"
import { Users } from "../../../domain/users/tables.ts"
import { age, Births } from "../../../examples/age.ts"
import { Notes, notes } from "../../../examples/notes.ts"
import { SignIns, signInLog } from "../../../examples/sign-in-log.ts"
import { rulesOf } from "../../rule.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../two-factor.ts"
import {
  at,
  atOnce,
  bringing,
  browser,
  core,
  endpoints,
  isSignedIn,
  password,
  rows,
  signedIn,
  signedUp,
  times,
  world,
} from "../../world.ts"

// Code of third parties: the features in `examples/`, and hooks.

/** A module with hooks only. */
const hooked = (name: string, ...hooks: ReadonlyArray<Hook<never>>) =>
  Module.define({ name, settings: Module.NoSettings, parts: () => ({ hooks }) }).build({})

/** Records the call of a hook, and returns its argument. */
const noted = <A>(log: Array<string>, entry: string, given: A) =>
  Effect.as(
    Effect.sync(() => log.push(entry)),
    given,
  )

const built = notes.build({ max_length: 20 })
const { notesAdd, notesList } = built.endpoints
const email = "ada@example.com"
const Refused = define("refused_by_policy", 403, "Not today.")

/** The service with these modules after the core's. */
const including = (...modules: ReadonlyArray<Module.AnyModule>) => {
  return { layer: world([...core, built, ...modules]), signedUp: signedUp(email) }
}

describe("a third party's module", () => {
  const rule = rulesOf([...core, built])

  const owned = Module.ownedByAll([...core, notes, audit])
  const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)
  const administration = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] })

  rulesOf([...core, administration, built, log])("has events of its own, which the log records and filters by", function* () {
    const root = yield* signedUp("root@example.com")
    const ada = yield* signedUp(email)
    const { note } = yield* ada.body(notesAdd, { text: "milk" })
    const { entries } = yield* root.body(log.endpoints.adminAuditList, { type: "note.added" })
    assert.lengthOf(entries, 1)
    assert.deepInclude(entries[0], { type: "note.added", subject: { kind: "user", id: ada.user.id } })
    assert.strictEqual(entries[0]?.data["note"], note.id)
    assert.strictEqual(yield* root.code(log.endpoints.adminAuditList, { type: "note.lost" }), "invalid_request")
  })

  it("has an error that says what a caller does about it", () => {
    assert.deepStrictEqual(
      owned.errors.filter(({ code }) => code === "note_too_long").map(({ remedy }) => remedy),
      ["Shorten the note to `max_length`."],
    )
  })

  it("has texts of its own, in English where it lacks a language, which pages show for its error", async () => {
    const { load } = makeLanguages({ fr: { "error.note_too_long": "La note est trop longue." } }, owned.texts)
    const refusal = new (built.errors.find(({ code }) => code === "note_too_long") ?? InvalidRequest)()
    const shown = async (tag: string) =>
      problemOf(refusal, await load(tag), { entered: {}, problems: {}, passwords: { min_password_length: 8, max_password_length: 128 } })
        .message
    assert.deepStrictEqual(await Promise.all(["en", "de", "fr", "ja"].map(shown)), [
      "The note is too long.",
      "Die Notiz ist zu lang.",
      "La note est trop longue.",
      "The note is too long.",
    ])
  })

  it("has mails of its own, which the preview shows", async () => {
    const mails = { note_shared: { subject: "A note", preheader: "A note", parts: [{ key: "error.note_too_long" }] } }
    const twin = Module.define({ name: "twin", settings: Module.NoSettings, mails, parts: () => ({}) })
    const all = Module.ownedByAll([...core, notes, twin])
    const services = Layer.merge(Layer.effect(Settings, Effect.orDie(decode({}))), MailTexts.layer({}, all.texts))
    const files = await Effect.runPromise(preview(all.mails, ["de"]).pipe(Effect.provide(services)))
    assert.include(files.get("de/note_shared.txt"), "Die Notiz ist zu lang.")
    assert.throws(
      () => AuthOf.make([...core, twin.build({}), { ...twin.build({}), name: "other" }]),
      "two modules declare the mail note_shared",
    )
  })

  it.each([
    ["error code", { errors: built.errors }],
    ["type of event", { events: built.events }],
    ["type of event", { events: { "user.created": { summary: "", isChange: true } } }],
  ])("cannot declare the %s of another module", (what, owned) => {
    const twin = Module.define({ name: "twin", settings: Module.NoSettings, ...owned, parts: () => ({}) }).build({})
    assert.throws(() => AuthOf.make([...core, built, twin]), `two modules declare the ${what} `)
  })

  it.effect("has settings with defaults", () =>
    Effect.map(Schema.decodeUnknownEffect(notes.settings)({}), (settings) => assert.deepStrictEqual(settings, { max_length: 200 })),
  )

  rule("has endpoints and a table of its own, whose rows are removed with the user", function* () {
    const ada = yield* signedUp(email)
    const { note: milk } = yield* ada.body(notesAdd, { text: "milk" })
    assert.strictEqual(milk.user_id, ada.user.id)
    yield* TestClock.adjust(1)
    const { note: eggs } = yield* ada.body(notesAdd, { text: "eggs" })
    yield* (yield* signedUp("bob@example.com")).body(notesAdd, { text: "not Ada's" })
    assert.deepStrictEqual((yield* ada.body(notesList)).notes, [eggs, milk])

    yield* ada.body(endpoints.deleteUser, { password })
    assert.deepStrictEqual(
      (yield* rows(Notes)).map(({ text }) => text),
      ["not Ada's"],
    )
  })

  rule("adds a field of the viewer to the graph", function* () {
    const ada = yield* signedUp(email)
    const { note } = yield* ada.body(notesAdd, { text: "milk" })
    assert.deepStrictEqual(yield* ada.edge("notes"), [note])
    assert.strictEqual((yield* Effect.flip(browser().edge("notes")))._tag, "unauthorized")
  })

  rule("follows the same rules as the core", function* () {
    assert.strictEqual(yield* browser().code(notesAdd, { text: "milk" }), "unauthorized")
    const ada = yield* signedUp(email)
    for (const input of [{}, { text: 7 }, null]) assert.strictEqual(yield* ada.code(notesAdd, input), "invalid_request")
    yield* ada.body(notesAdd, { text: "x".repeat(20) })
    assert.strictEqual(yield* ada.code(notesAdd, { text: "x".repeat(21) }), "note_too_long")
    assert.lengthOf(yield* rows(Notes), 1)
  })
})

describe("a third party's module that challenges every sign-in", () => {
  const asking = age.build({ minimum: 16 })
  const { ageDeclare, ageStatus } = asking.endpoints
  const rule = rulesOf([...core, asking])
  const credentials = { email, password }
  const ticket = Schema.decodeUnknownSync(Schema.Struct({ year_of_birth_required: Schema.Literal(true), challenge_token: Schema.String }))
  /** The test's clock begins in 1970. */
  const adult = 1954

  it.effect("challenges no sign-in unless configured", () =>
    Effect.gen(function* () {
      assert.isUndefined(age.build(yield* Schema.decodeUnknownEffect(age.settings)({})).challenge)
    }),
  )

  rule("gives a new user no session until they have answered, and challenges them once", function* () {
    const ada = browser()
    const { challenge_token } = ticket(yield* ada.body(endpoints.signUpEmail, credentials))
    assert.strictEqual(yield* ada.code(ageDeclare, { year: adult + 1, challenge_token }), "too_young")
    assert.strictEqual(yield* ada.code(ageDeclare, { year: adult }), "unauthorized")
    assert.isFalse(yield* isSignedIn(ada))

    const { user } = yield* ada.body(ageDeclare, { year: adult, challenge_token })
    assert.strictEqual(user.email, email)
    assert.isTrue(yield* isSignedIn(ada))
    yield* signedIn(email)
  })

  rule("accepts the answer of a user with an earlier session, and keeps that session", function* () {
    const ada = at(yield* signedUp(email, AuthOf.make(core)), asking)
    assert.isFalse((yield* ada.body(ageStatus)).declared)
    assert.isFalse(yield* ada.edge("ageDeclared"))
    const calls = times(5, (index) => ada.call(ageDeclare, { year: adult - index }))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 5 })
    assert.isTrue((yield* ada.body(ageStatus)).declared)
    assert.isTrue(yield* ada.edge("ageDeclared"))
    assert.lengthOf(yield* rows(Births), 1)

    yield* ada.body(endpoints.deleteUser, { password })
    assert.lengthOf(yield* rows(Births), 0)
  })

  rule("stores no answer of a user who is deleted concurrently", function* () {
    const ada = at(yield* signedUp(email, AuthOf.make(core)), asking)
    yield* atOnce([...times(5, () => ada.call(ageDeclare, { year: adult })), ada.call(endpoints.deleteUser, { password })])
    assert.lengthOf(yield* rows(Births), 0)
  })
})

describe("a third party's log of sign-ins", () => {
  const log = signInLog.build({ expires_in: 3600 })
  const multi = multiSession.build({ max_sessions: 5 })
  const handing = oneTimeToken.build({ expires_in: 60 })
  const codes = twoFactor
  const modules = [...core, multi, handing, codes, log]
  const rule = rulesOf(modules)
  const entries = (their: Pick<ReturnType<typeof browser>, "body">) =>
    Effect.map(their.body(log.endpoints.signInLog), (body) => body.entries.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`))
  const wrong = { email, password: "a wrong password" }

  it("requires the services of its functions", () => {
    type Needed = typeof log extends Module.Module<any, infer R> ? R : never
    const needed: [Store | SecureRandom.SecureRandom] extends [Needed]
      ? [Needed] extends [Store | SecureRandom.SecureRandom]
        ? true
        : 0
      : 0 = true
    assert.isTrue(needed)
  })

  rule("lists the caller's opened sessions and failed sign-ins, the newest first, by pages", function* () {
    const ada = yield* signedUp(email)
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* browser().code(endpoints.signInEmail, wrong), "invalid_credentials")
    yield* TestClock.adjust(1)
    yield* signedIn(email)
    yield* signedUp("bob@example.com")
    const all = ["/sign-in/email single_factor", "/sign-in/email invalid_credentials", "/sign-up/email registration"]
    assert.deepStrictEqual(yield* entries(ada), all)

    const first = yield* ada.body(log.endpoints.signInLog, { limit: 2 })
    const second = yield* ada.body(log.endpoints.signInLog, { limit: 2, cursor: first.next_cursor })
    assert.deepStrictEqual(
      [...first.entries, ...second.entries].map(({ outcome }) => outcome),
      ["single_factor", "invalid_credentials", "registration"],
    )
    assert.lengthOf((yield* ada.edge("signInLog")) as ReadonlyArray<unknown>, 3)
    yield* TestClock.adjust("1 hour")
    assert.lengthOf((yield* ada.edge("signInLog")) as ReadonlyArray<unknown>, 0)
    assert.strictEqual(yield* browser().code(log.endpoints.signInLog), "unauthorized")
  })

  rule("counts neither a switch to another session nor a step-up as a sign-in", function* () {
    const ada = yield* signedUp(email)
    const { sessions } = yield* ada.body(multi.endpoints.multiSessionList)
    yield* ada.body(endpoints.signUpEmail, { email: "bob@example.com", password })
    const session_id = sessions[0]?.session_id
    yield* ada.body(multi.endpoints.multiSessionSetActive, { session_id })
    yield* ada.body(endpoints.stepUp, { password })
    assert.strictEqual(yield* ada.code(endpoints.stepUp, { password: "a wrong password" }), "invalid_credentials")
    assert.deepStrictEqual(yield* entries(ada), ["/sign-up/email registration"])
  })

  rule("distinguishes a hand-off, a new session of a signed-in user, and a sign-in", function* () {
    const ada = yield* signedUp(email)
    const { token } = yield* ada.body(handing.endpoints.oneTimeTokenGenerate)
    yield* TestClock.adjust(1)
    yield* browser().body(handing.endpoints.oneTimeTokenVerify, { token })
    yield* TestClock.adjust(1)
    const change = { current_password: password, new_password: "another long password", revoke_other_sessions: true }
    yield* ada.body(endpoints.changePassword, change)
    assert.deepStrictEqual(yield* entries(ada), [
      "/change-password session",
      "/one-time-token/verify hand_off",
      "/sign-up/email registration",
    ])
  })

  rule("records that a sign-in was challenged, every wrong answer, and the session by the endpoint where it began", function* () {
    const ada = yield* signedUp(email)
    const { secret } = yield* enrolled(ada)
    yield* TestClock.adjust(60_000)
    const here = browser()
    const { challenge_token } = challengeIn(yield* here.call(endpoints.signInEmail, { email, password }))
    const verify = codes.endpoints.twoFactorTotpChallenge
    assert.strictEqual(yield* here.code(verify, { challenge_token, code: "000000" }), "invalid_otp")
    yield* TestClock.adjust(1)
    yield* here.body(verify, { challenge_token, code: yield* shownBy(secret) })
    assert.deepStrictEqual(yield* entries(here), [
      "/sign-in/email multi_factor",
      "/2fa/totp/challenge invalid_otp",
      "/sign-in/email challenged",
      "/sign-up/email registration",
    ])
  })

  rule("has one entry for each session and each failure, also of concurrent ones", function* () {
    const ada = yield* signedUp(email)
    const calls = times(10, (index) => browser().call(endpoints.signInEmail, index % 2 === 0 ? { email, password } : wrong))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 5, invalid_credentials: 5 })
    const outcomes = Array.groupBy(yield* rows(SignIns), ({ outcome }) => outcome)
    assert.deepStrictEqual(
      [outcomes["single_factor"]?.length, outcomes["invalid_credentials"]?.length, (yield* entries(ada)).length],
      [5, 5, 11],
    )
    assert.sameMembers(
      (yield* rows(Sessions)).map(({ id }) => id),
      (yield* rows(SignIns)).flatMap(({ id, outcome }) => (outcome === "invalid_credentials" ? [] : [id])),
    )
  })

  rule("keeps no entry of an uncommitted session, nor of a user who is deleted concurrently", function* () {
    const ada = yield* signedUp(email)
    const calls = times(5, () => browser().call(endpoints.signInEmail, { email, password }))
    yield* atOnce([...calls, ada.call(endpoints.deleteUser, { password })])
    const opened = (yield* rows(SignIns)).filter(({ outcome }) => outcome === "single_factor")
    assert.lengthOf(opened, 0)
  })

  rule("writes as much for an unknown name, expired at once; entries of users expire, too", function* () {
    yield* signedUp(email)
    for (const name of [email, "unknown@example.com"])
      assert.strictEqual(yield* browser().code(endpoints.signInEmail, { ...wrong, email: name }), "invalid_credentials")
    assert.lengthOf(yield* rows(SignIns), 3)
    const { sweep } = yield* Store
    const left = Effect.gen(function* () {
      yield* sweep(DateTime.toDateUtc(yield* DateTime.now), 100)
      return (yield* rows(SignIns)).length
    })
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* left, 2)
    yield* TestClock.adjust(3_599_998)
    assert.strictEqual(yield* left, 2)
    yield* TestClock.adjust(2)
    assert.strictEqual(yield* left, 0)
  })
})

describe("a third party's sign-in by an account", () => {
  const atDomain = (domain: string) =>
    bringing(
      Endpoint.make({
        method: "POST",
        path: "/card",
        summary: "Accepts every caller.",
        access: "public",
        signsIn: "single_factor",
        input: Endpoint.NoInput,
        output: Schema.Struct({ user: Published.User }),
        errors: Published.Errors.notAdmitted,
        handler: Effect.fnUntraced(function* () {
          const card = { provider_id: "card", account_id: "4711", domain }
          const signedIn = yield* Published.retryOnConflict(Published.signInByAccount(card, [], { name: null, disable_signup: false }))
          const issued = Option.getOrThrow(signedIn)
          return Endpoint.reply({ user: issued.user }, issued)
        }),
      }),
    )
  const synthetic = atDomain("card:local")
  const real = atDomain("card.local")

  rulesOf([...core, synthetic])("signs up users with an address that strangers cannot register", function* () {
    yield* browser().body(synthetic.endpoints["card"])
    assert.deepStrictEqual(
      (yield* rows(Users)).map(({ email }) => email),
      ["4711@card:local"],
    )
    yield* browser().body(synthetic.endpoints["card"])
    assert.strictEqual(yield* browser().code(endpoints.signUpEmail, { email: "4712@card:local", password }), "invalid_request")
  })

  rulesOf([...core, real])("fails at once if its addresses can be real", function* () {
    assert.include(String(yield* Effect.exit(browser().call(real.endpoints["card"]))), "choose a domain with a colon")
    assert.lengthOf(yield* rows(Users), 0)
  })
})

describe("examples", () => {
  const folder = join(import.meta.dirname, "../../../examples")
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"))

  it.each(files)("%s imports nothing of the project but its public entries", (name) => {
    const source = readFileSync(join(folder, name), "utf8")
    const imported = [...source.matchAll(/from "([^"]+)"|import\("([^"]+)"|^import "([^"]+)"/gm)].map(([, from]) => from)
    assert.isNotEmpty(imported)
    for (const from of imported)
      assert.match(from ?? "", /^(effect(\/[a-z]+)?|sallyport(\/[a-z/-]+)?|express|ldapts|zod|@modelcontextprotocol\/[a-z]+|node:[a-z/]+)$/)
  })

  it("share the service's classes: a conflict that a module raises is retried by the service", () => {
    assert.strictEqual(Published.Conflict, Conflict)
    assert.strictEqual(Published.Store, Store)
    assert.strictEqual(Published.PasswordHasher, PasswordHasher)
  })

  it("include a log of sign-ins of at most 70 lines", () => {
    assert.isAtMost(readFileSync(join(folder, "sign-in-log.ts"), "utf8").trimEnd().split("\n").length, 70)
  })
})

describe("a hook", () => {
  const trims = hooked("trims", { on: ["/notes/add"], before: ({ text }) => Effect.succeed({ text: text.trim() }) })
  const stars = hooked("stars", {
    on: ["/notes/add"],
    after: (reply) => Effect.succeed({ ...reply, body: { note: { ...reply.body.note, text: "***" } } }),
  })

  it.effect("before one exact path rewrites the input, after it the reply", () => {
    const service = including(trims, stars)
    return Effect.gen(function* () {
      const ada = yield* service.signedUp
      assert.strictEqual((yield* ada.body(notesAdd, { text: "  milk  " })).note.text, "***")
      assert.strictEqual((yield* rows(Notes))[0]?.text, "milk")
    }).pipe(Effect.provide(service.layer))
  })

  it.effect("does not run for an undecodable input, or a caller without a session", () => {
    const met: Array<string> = []
    const service = including(hooked("meets", { on: "*", before: (input, path) => noted(met, path, input) }))
    return Effect.gen(function* () {
      assert.strictEqual(yield* browser().code(notesAdd, { text: "milk" }), "unauthorized")
      const ada = yield* service.signedUp
      assert.strictEqual(yield* ada.code(notesAdd, {}), "invalid_request")
      assert.deepStrictEqual(met, ["/sign-up/email"])
    }).pipe(Effect.provide(service.layer))
  })

  it.effect("that refuses replaces the handler before it, and the reply after it", () => {
    const refuses = Effect.fail(new Refused())
    const declares = { on: ["/notes/add"], errors: [Refused] } as const
    const before = including(hooked("before", { ...declares, before: () => refuses }))
    const after = including(hooked("after", { ...declares, after: () => refuses }))
    const kept = (service: ReturnType<typeof including>) =>
      Effect.gen(function* () {
        const ada = yield* service.signedUp
        assert.strictEqual(yield* ada.code(notesAdd, { text: "milk" }), "refused_by_policy")
        return (yield* rows(Notes)).length
      }).pipe(Effect.provide(service.layer))
    return Effect.gen(function* () {
      assert.strictEqual(yield* kept(before), 0)
      assert.strictEqual(yield* kept(after), 1)
    })
  })

  it.effect("of one path does not run for others; hooks of all paths see each", () => {
    const seen: Array<string> = []
    const sees = hooked(
      "sees",
      { on: "*", after: (reply, path) => noted(seen, `* ${path}`, reply) },
      { on: ["/notes/add", "/sign-out"], after: (reply, path) => noted(seen, `own ${path}`, reply) },
      { on: ["/notes"], after: () => Effect.die("/notes is no path of an endpoint") },
    )
    const service = including(sees)
    return Effect.gen(function* () {
      const ada = yield* service.signedUp
      yield* ada.body(notesAdd, { text: "milk" })
      yield* ada.body(endpoints.signOut)
      assert.deepStrictEqual(seen, ["* /sign-up/email", "* /notes/add", "own /notes/add", "* /sign-out", "own /sign-out"])
    }).pipe(Effect.provide(service.layer))
  })

  it.effect("runs in the order of the modules, each on the result of the one before", () => {
    const appends = (message: string) =>
      hooked(
        message,
        { on: "*", before: (input, path) => Effect.succeed(path === "/notes/add" ? { text: input.text + message } : input) },
        {
          on: ["/notes/add"],
          after: ({ body, ...reply }) => Effect.succeed({ ...reply, body: { note: { ...body.note, text: body.note.text + message } } }),
        },
      )
    const text = (...emails: ReadonlyArray<string>) => {
      const service = including(...emails.map(appends))
      return Effect.gen(function* () {
        const ada = yield* service.signedUp
        return (yield* ada.body(notesAdd, { text: "-" })).note.text
      }).pipe(Effect.provide(service.layer))
    }
    return Effect.gen(function* () {
      assert.strictEqual(yield* text("a", "b"), "-abab")
      assert.strictEqual(yield* text("b", "a"), "-baba")
    })
  })

  it.effect("sees the session of a caller who needs one, and can end it", () => {
    const ends = Module.define({
      name: "ends",
      settings: Module.NoSettings,
      parts: () => ({
        hooks: [
          { on: ["/notes/add"], after: (reply: Endpoint.Reply<any>) => Effect.as(CurrentSession, { ...reply, session: "clear" as const }) },
        ],
      }),
    }).build({})
    const service = including(ends)
    return Effect.gen(function* () {
      const ada = yield* service.signedUp
      assert.strictEqual((yield* ada.call(notesAdd, { text: "milk" })).session, "clear")
    }).pipe(Effect.provide(service.layer))
  })
})

describe("a service", () => {
  rulesOf([...core, built])("refuses an endpoint that is not its own", function* () {
    const there = at(yield* signedUp(email), notes.build({ max_length: 1 }))
    assert.include(
      String(yield* Effect.exit(there.call(notesAdd, { text: "milk" }))),
      "POST /notes/add belongs to another build of a module of this service",
    )
    const unknown = { ...notesAdd, path: "/unknown" } as const
    assert.include(
      String(yield* Effect.exit(there.call(unknown, { text: "milk" }))),
      "POST /unknown is declared by no module of this service",
    )
    assert.lengthOf(yield* rows(Notes), 0)
  })
})

describe("two modules cannot share", () => {
  const other = (name: string, changes: Partial<Endpoint.AnyEndpoint>, table = "other") =>
    Module.define({
      name,
      settings: Module.NoSettings,
      parts: () => ({
        tables: [Table.make(table, Schema.Struct({ id: Schema.String }), { key: "id" })],
        endpoints: [{ ...notesAdd, name, ...changes }],
      }),
    }).build({})
  const joined = (module: Module.AnyModule) => () => AuthOf.make([...core, built, module])

  it("a path", () => {
    assert.throws(joined(other("anotherName", {})), "two modules declare the path POST /notes/add")
    assert.doesNotThrow(joined(other("anotherName", { method: "GET" })))
  })

  it("a name of an endpoint", () => {
    assert.throws(joined(other("notesAdd", { path: "/another/path" })), "two modules declare the endpoint notesAdd")
  })

  it("a proof of the step-up", () => {
    const { stepUps } = twoFactor
    const stepping = Module.define({ name: "stepping", settings: Module.NoSettings, parts: () => ({ stepUps }) }).build({})
    assert.throws(() => AuthOf.make([...core, twoFactor, stepping]), "two modules declare the step-up code")
  })

  it("a table", () => {
    assert.throws(joined(other("anotherName", { path: "/another/path" }, "note")), "two modules declare the table note")
    assert.throws(joined(other("anotherName", { path: "/another/path" }, "session")), "two modules declare the table session")
  })
})
