import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as AuthOf from "../../../application/service/auth.ts"
import type * as Endpoint from "../../../application/service/endpoint.ts"
import type { Hook } from "../../../application/service/module.ts"
import * as Module from "../../../application/service/module.ts"
import { define } from "../../../domain/errors.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import * as Table from "../../../domain/storage/table.ts"
import { age, Births } from "../../../examples/age.ts"
import { Notes, notes } from "../../../examples/notes.ts"
import { rulesOf } from "../../rule.ts"
import { built as twoFactor } from "../../two-factor.ts"
import { at, atOnce, browser, core, endpoints, isSignedIn, password, rows, signedIn, signedUp, times, world } from "../../world.ts"

// What somebody else writes: the features in `examples/`, and hooks.

/** A module of hooks alone. */
const hooked = (name: string, ...hooks: ReadonlyArray<Hook<never>>) =>
  Module.define({ name, settings: Module.NoSettings, parts: () => ({ hooks }) }).build({})

/** Notes that a hook was here, and passes on what it was given. */
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

  it.effect("has settings with defaults", () =>
    Effect.map(Schema.decodeUnknownEffect(notes.settings)({}), (settings) => assert.deepStrictEqual(settings, { max_length: 200 })),
  )

  rule("has endpoints and a table of its own, whose rows go with the user", function* () {
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

  rule("has a place in the graph of who is signed in", function* () {
    const ada = yield* signedUp(email)
    const { note } = yield* ada.body(notesAdd, { text: "milk" })
    assert.deepStrictEqual(yield* ada.edge("notes"), [note])
    assert.strictEqual((yield* Effect.flip(browser().edge("notes")))._tag, "unauthorized")
  })

  rule("is under the same rules as the core", function* () {
    assert.strictEqual(yield* browser().code(notesAdd, { text: "milk" }), "unauthorized")
    const ada = yield* signedUp(email)
    for (const input of [{}, { text: 7 }, null]) assert.strictEqual(yield* ada.code(notesAdd, input), "invalid_request")
    yield* ada.body(notesAdd, { text: "x".repeat(20) })
    assert.strictEqual(yield* ada.code(notesAdd, { text: "x".repeat(21) }), "note_too_long")
    assert.lengthOf(yield* rows(Notes), 1)
  })
})

describe("a third party's module that asks everybody", () => {
  const asking = age.build({ minimum: 16 })
  const { ageDeclare, ageStatus } = asking.endpoints
  const rule = rulesOf([...core, asking])
  const credentials = { email, password }
  const ticket = Schema.decodeUnknownSync(Schema.Struct({ year_of_birth_required: Schema.Literal(true), challenge_token: Schema.String }))
  /** The test's clock begins in 1970. */
  const adult = 1954

  it.effect("asks nobody unless it is told to", () =>
    Effect.gen(function* () {
      assert.isUndefined(age.build(yield* Schema.decodeUnknownEffect(age.settings)({})).challenge)
    }),
  )

  rule("holds up who is new until they have answered, and asks them once", function* () {
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

  rule("takes the answer of who has been signed in since before, and leaves them their session", function* () {
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

  rule("keeps no answer of a user who goes at that moment", function* () {
    const ada = at(yield* signedUp(email, AuthOf.make(core)), asking)
    yield* atOnce([...times(5, () => ada.call(ageDeclare, { year: adult })), ada.call(endpoints.deleteUser, { password })])
    assert.lengthOf(yield* rows(Births), 0)
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

  it.effect("does not meet an input that does not decode, or a caller without a session", () => {
    const met: Array<string> = []
    const service = including(hooked("meets", { on: "*", before: (input, path) => noted(met, path, input) }))
    return Effect.gen(function* () {
      assert.strictEqual(yield* browser().code(notesAdd, { text: "milk" }), "unauthorized")
      const ada = yield* service.signedUp
      assert.strictEqual(yield* ada.code(notesAdd, {}), "invalid_request")
      assert.deepStrictEqual(met, ["/sign-up/email"])
    }).pipe(Effect.provide(service.layer))
  })

  it.effect("that refuses stands in for the handler before it, and for the reply after it", () => {
    const refuses = Effect.fail(new Refused())
    const before = including(hooked("before", { on: ["/notes/add"], before: () => refuses }))
    const after = including(hooked("after", { on: ["/notes/add"], after: () => refuses }))
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

  it.effect("of one path leaves others alone, those of all paths see each", () => {
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

  it.effect("runs in the order of the modules, each on what the one before it left", () => {
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

describe("a service calls", () => {
  rulesOf([...core, built])("no endpoint but its own", function* () {
    const there = at(yield* signedUp(email), notes.build({ max_length: 1 }))
    assert.include(
      String(yield* Effect.exit(there.call(notesAdd, { text: "milk" }))),
      "another build of a module of this service brings POST /notes/add",
    )
    const nobodys = { ...notesAdd, path: "/nobodys" } as const
    assert.include(String(yield* Effect.exit(there.call(nobodys, { text: "milk" }))), "no module of this service brings POST /nobodys")
    assert.lengthOf(yield* rows(Notes), 0)
  })
})

describe("two modules cannot bring", () => {
  const other = (name: string, changes: Partial<Endpoint.AnyEndpoint>, table = "other") =>
    Module.define({
      name,
      settings: Module.NoSettings,
      parts: () => ({
        tables: [Table.make(table, Schema.Struct({ id: Schema.String }), { key: "id" })],
        endpoints: { [name]: { ...notesAdd, ...changes } },
      }),
    }).build({})
  const joined = (module: Module.AnyModule) => () => AuthOf.make([...core, built, module])

  it("one path", () => {
    assert.throws(joined(other("anotherName", {})), "two modules bring the path POST /notes/add")
    assert.doesNotThrow(joined(other("anotherName", { method: "GET" })))
  })

  it("one name of an endpoint", () => {
    assert.throws(joined(other("notesAdd", { path: "/another/path" })), "two modules bring the endpoint notesAdd")
  })

  it("one proof of the step-up", () => {
    const { stepUps } = twoFactor
    const stepping = Module.define({ name: "stepping", settings: Module.NoSettings, parts: () => ({ stepUps }) }).build({})
    assert.throws(() => AuthOf.make([...core, twoFactor, stepping]), "two modules bring the step-up code")
  })

  it("one table", () => {
    assert.throws(joined(other("anotherName", { path: "/another/path" }, "note")), "two modules bring the table note")
    assert.throws(joined(other("anotherName", { path: "/another/path" }, "session")), "two modules bring the table session")
  })
})
