import { assert, describe, it } from "@effect/vitest"
import { Console, DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../adapters/assembly/service.ts"
import {
  deleteUser,
  listOutbox,
  listSessions,
  listUsers,
  mailReset,
  retryOutbox,
  revokeSession,
  showUser,
  unbanUser,
} from "../../../adapters/cli/records.ts"
import { banUser } from "../../../adapters/cli/users.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { DeadLetters, PendingMessages } from "../../../domain/mail/outbox-tables.ts"
import { insert, remove, Store } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import { core, isSignedIn, rows, signedUp, world } from "../../world.ts"

const modules = [...core, admin.build({ admin_emails: [], admin_user_ids: [] })]
const email = "ada@example.com"
const commands = Layer.merge(world(modules), commandPolicies(modules))
const ofAda = { user: " Ada@Example.com", json: true }

const printed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const console = { ...globalThis.console, log: (line: string) => void lines.push(...line.split("\n")) }
    return Effect.as(Effect.provideService(effect, Console.Console, console), lines)
  })

const objects = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.map(printed(effect), (lines) => lines.map((line) => JSON.parse(line)))

const refused = <A, R>(effect: Effect.Effect<A, { readonly code: number; readonly lines: ReadonlyArray<string> }, R>) =>
  Effect.map(Effect.flip(effect), ({ code, lines }) => [code, ...lines])

const configured = (enabled: boolean) =>
  configurationOf({ secret: "a secret for these tests only, 32+ bytes", email_password: { enabled } }, []).pipe(Effect.orDie)

describe("user", () => {
  it.effect("list, show, sessions and delete need no module: without admin they say nothing about roles and bans", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp(email)
      const none = { modules: [] }
      const [row] = yield* objects(listUsers({ search: Option.some("ada"), limit: 100, json: true }, none))
      assert.deepStrictEqual(Object.keys(row), ["id", "email", "name", "email_verified", "created_at"])
      const [shown] = yield* objects(showUser(ofAda, none))
      assert.deepStrictEqual(Object.keys(shown), ["id", "email", "email_verified", "name", "sessions", "created_at", "updated_at"])
      assert.lengthOf(yield* objects(listSessions({ ...ofAda, revoke: false })), 1)
      yield* printed(listSessions({ ...ofAda, revoke: true }))
      assert.isFalse(yield* isSignedIn(ada))
      yield* printed(deleteUser({ ...ofAda, yes: true }))
      assert.lengthOf(yield* rows(Users), 0)
    }).pipe(Effect.provide(Layer.merge(world(core), commandPolicies(core)))),
  )

  it.effect("list prints the newest users first, as columns or as JSON, and searches", () =>
    Effect.gen(function* () {
      yield* signedUp(email)
      yield* TestClock.adjust("1 second")
      yield* signedUp("bob@example.com")
      const all = { search: Option.none<string>(), limit: 100, json: true }
      const found = yield* objects(listUsers(all, { modules }))
      assert.deepStrictEqual(
        found.map(({ email, role, banned }) => [email, role, banned]),
        [
          ["bob@example.com", "user", false],
          [email, "user", false],
        ],
      )
      assert.lengthOf(yield* objects(listUsers({ ...all, limit: 1 }, { modules })), 1)
      const lines = yield* printed(listUsers({ ...all, search: Option.some("ada"), json: false }, { modules }))
      assert.lengthOf(lines, 1)
      assert.strictEqual(lines[0]?.split("\t")[1], email)
    }).pipe(Effect.provide(commands)),
  )

  it.effect("show prints role, ban and sessions; unban ends the ban", () =>
    Effect.gen(function* () {
      yield* signedUp(email)
      assert.deepInclude((yield* objects(showUser(ofAda, { modules })))[0], { email, role: "user", banned: false, sessions: 1 })
      yield* printed(banUser({ user: email, reason: Option.some("spam"), seconds: Option.none() }))
      assert.deepInclude((yield* objects(showUser(ofAda, { modules })))[0], {
        banned: true,
        ban_reason: "spam",
        ban_expires: null,
        sessions: 0,
      })
      assert.deepInclude((yield* objects(unbanUser(ofAda)))[0], { email, banned: false })
      assert.deepInclude((yield* objects(showUser(ofAda, { modules })))[0], { banned: false })
      assert.deepStrictEqual(yield* refused(showUser({ ...ofAda, user: "eve@example.com" }, { modules })), [1, "This user does not exist."])
    }).pipe(Effect.provide(commands)),
  )

  it.effect("sessions lists sessions without their tokens; --revoke and session revoke end them", () =>
    Effect.gen(function* () {
      const ada = yield* signedUp(email)
      const [stored] = yield* rows(Sessions)
      const [session] = yield* objects(listSessions({ ...ofAda, revoke: false }))
      assert.strictEqual(session.id, stored?.id)
      assert.notInclude(JSON.stringify(session), stored?.token_hash ?? "a token hash")
      assert.deepStrictEqual(yield* objects(revokeSession({ session: session.id, json: true })), [{ id: session.id, revoked: true }])
      assert.isFalse(yield* isSignedIn(ada))
      assert.deepStrictEqual(yield* refused(revokeSession({ session: session.id, json: true })), [1, "This session does not exist."])
      const bob = yield* signedUp("bob@example.com")
      assert.deepInclude((yield* objects(listSessions({ user: "bob@example.com", revoke: true, json: true })))[0], { revoked: 1 })
      assert.isFalse(yield* isSignedIn(bob))
    }).pipe(Effect.provide(commands)),
  )

  it.effect("reset queues one mail; it needs passwords to be on", () =>
    Effect.gen(function* () {
      yield* signedUp(email)
      yield* printed(mailReset(ofAda, yield* configured(true)))
      assert.lengthOf(yield* rows(PendingMessages), 1)
      const [code] = yield* refused(mailReset(ofAda, yield* configured(false)))
      assert.strictEqual(code, 78)
      assert.lengthOf(yield* rows(PendingMessages), 1)
    }).pipe(Effect.provide(commands)),
  )

  it.effect("delete removes nothing without --yes, and prints what it would remove", () =>
    Effect.gen(function* () {
      const { user } = yield* signedUp(email)
      assert.deepStrictEqual(yield* refused(deleteUser({ ...ofAda, yes: false })), [
        64,
        `This removes ${email} (${user.id}) and all of their data. Repeat the command with --yes.`,
      ])
      assert.lengthOf(yield* rows(Users), 1)
      assert.deepInclude((yield* objects(deleteUser({ ...ofAda, yes: true })))[0], { email, removed: true })
      assert.lengthOf(yield* rows(Users), 0)
    }).pipe(Effect.provide(commands)),
  )
})

describe("outbox", () => {
  it.effect("list shows messages without their content, retry makes them due, also those that were given up", () =>
    Effect.gen(function* () {
      yield* signedUp(email)
      yield* printed(mailReset(ofAda, yield* configured(true)))
      const [pending] = yield* rows(PendingMessages)
      assert.isDefined(pending)
      const { id, sealed, created_at } = pending!
      const now = yield* DateTime.now
      const dead = {
        id,
        sealed,
        receiver: "mail",
        attempts: 7,
        created_at,
        reason: "550 no such mailbox",
        died_at: now,
        expires_at: DateTime.add(now, { days: 1 }),
      }
      yield* (yield* Store).commit([remove(PendingMessages, id), insert(DeadLetters, dead)])

      const listed = yield* objects(listOutbox({ limit: 100, json: true }))
      assert.deepInclude(listed[0], { id, state: "given_up", receiver: "mail", attempts: 7, reason: "550 no such mailbox" })
      assert.notInclude(JSON.stringify(listed), sealed)

      yield* printed(retryOutbox({ message: id, json: false }))
      assert.lengthOf(yield* rows(DeadLetters), 0)
      const [again] = yield* rows(PendingMessages)
      assert.deepInclude(again, { id, sealed, attempts: 0 })
      assert.deepInclude((yield* objects(listOutbox({ limit: 1, json: true })))[0], { id, state: "pending", reason: null })
      yield* printed(retryOutbox({ message: id, json: false }))
      assert.lengthOf(yield* rows(PendingMessages), 1)
      assert.strictEqual((yield* refused(retryOutbox({ message: "unknown", json: false })))[0], 1)
    }).pipe(Effect.provide(commands)),
  )
})
