import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as AuthOf from "../../application/Auth.ts"
import { CurrentSession } from "../../application/Caller.ts"
import * as Endpoint from "../../application/Endpoint.ts"
import type { Hook } from "../../application/Module.ts"
import * as Module from "../../application/Module.ts"
import { insert, Store } from "../../application/ports/Store.ts"
import * as Table from "../../application/Table.ts"
import { Users } from "../../application/Tables.ts"
import { define, InvalidRequest } from "../../domain/Errors.ts"
import { browser, core, endpoints, password, rows, signedUp, world } from "../world.ts"

// What somebody else writes: notes that users keep.

const Note = Schema.Struct({ id: Schema.String, user_id: Schema.String, text: Schema.String, created_at: Schema.DateTimeUtc })
const Notes = Table.make("note", Note, { key: "id", references: { user_id: Users } })
const NoteTooLong = define("note_too_long", 422, "The note is too long.")

const notes = Module.define({
  name: "notes",
  settings: Schema.Struct({ max_length: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(20))) }),
  parts: ({ max_length }) => {
    const notesAdd = Endpoint.make({
      method: "POST",
      path: "/notes/add",
      summary: "Keeps a note.",
      access: "session",
      input: Schema.Struct({ text: Schema.String }),
      output: Schema.Struct({ note: Note }),
      errors: [InvalidRequest, NoteTooLong],
      handler: Effect.fn("notes.add")(function* ({ text }) {
        if (text.length > max_length) return yield* new NoteTooLong()
        const { user } = yield* CurrentSession
        const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
        const note = { id, user_id: user.id, text, created_at: yield* DateTime.now }
        yield* Effect.orDie((yield* Store).commit([insert(Notes, note)]))
        return Endpoint.reply({ note })
      }),
    })
    return { tables: [Notes], endpoints: { notesAdd } }
  },
})

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
const { notesAdd } = built.endpoints
const email = "ada@example.com"
const Refused = define("refused_by_policy", 403, "Not today.")

/** The service with these modules after the core's. */
const including = (...modules: ReadonlyArray<Module.AnyModule>) => {
  const all = [...core, built, ...modules]
  const auth = AuthOf.make(all)
  return { auth, layer: world(all), browser: () => browser(auth), signedUp: signedUp(email, auth) }
}

describe("a third party's module", () => {
  const service = including()

  it.effect("has settings with defaults", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(notes.settings)({}), { max_length: 20 })
      const tiny = notes.build(yield* Schema.decodeUnknownEffect(notes.settings)({ max_length: 1 }))
      const auth = AuthOf.make([...core, tiny])
      const ada = yield* signedUp(email, auth)
      assert.strictEqual(yield* ada.code(tiny.endpoints.notesAdd, { text: "two" }), "note_too_long")
    }).pipe(Effect.provide(service.layer)),
  )

  it.effect("has an endpoint and a table of its own, whose rows go with the user", () =>
    Effect.gen(function* () {
      const ada = yield* service.signedUp
      const { note } = yield* ada.body(notesAdd, { text: "milk" })
      assert.strictEqual(note.user_id, ada.user.id)
      assert.deepStrictEqual(yield* rows(Notes), [note])
      yield* ada.body(endpoints.deleteUser, { password })
      assert.lengthOf(yield* rows(Notes), 0)
    }).pipe(Effect.provide(service.layer)),
  )

  it.effect("is under the same rules as the core", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* service.browser().code(notesAdd, { text: "milk" }), "unauthorized")
      const ada = yield* service.signedUp
      for (const input of [{}, { text: 7 }, null]) assert.strictEqual(yield* ada.code(notesAdd, input), "invalid_request")
      assert.strictEqual(yield* ada.code(notesAdd, { text: "x".repeat(21) }), "note_too_long")
      assert.lengthOf(yield* rows(Notes), 0)
    }).pipe(Effect.provide(service.layer)),
  )
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
      assert.strictEqual(yield* service.browser().code(notesAdd, { text: "milk" }), "unauthorized")
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
    const appends = (letter: string) =>
      hooked(
        letter,
        { on: "*", before: (input, path) => Effect.succeed(path === "/notes/add" ? { text: input.text + letter } : input) },
        {
          on: ["/notes/add"],
          after: ({ body, ...reply }) => Effect.succeed({ ...reply, body: { note: { ...body.note, text: body.note.text + letter } } }),
        },
      )
    const text = (...letters: ReadonlyArray<string>) => {
      const service = including(...letters.map(appends))
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

  it("one table", () => {
    assert.throws(joined(other("anotherName", { path: "/another/path" }, "note")), "two modules bring the table note")
    assert.throws(joined(other("anotherName", { path: "/another/path" }, "session")), "two modules bring the table session")
  })
})
