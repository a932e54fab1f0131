import { randomUUID } from "node:crypto"
import type { Socket } from "node:net"
import { createServer, connect as dial } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, DateTime, Effect, Exit, Fiber, Layer, Option, Redacted, Schedule, Scope } from "effect"
import { SqlError } from "effect/sql"
import * as Database from "../../../adapters/postgres/database.ts"
import { isUnavailable } from "../../../adapters/postgres/faults.ts"
import * as PostgresStore from "../../../adapters/postgres/postgres-store.ts"
import { urlsOf } from "../../../adapters/postgres/url.ts"
import { insert, put, Store, StoreUnavailable } from "../../../domain/ports/store.ts"
import { StoreBudget } from "../../../domain/ports/store-budget.ts"
import { Owners, Tickets, tables } from "../../../testing/tables.ts"
import { databaseUrl, freshSchema, freshServer, onServer } from "../../stores.ts"

const noon = DateTime.makeUnsafe("2026-03-29T02:30:00.123Z")
const ticket = (hash: string) => ({ hash, count: 0, owner_id: "unknown", expires_at: noon })
const store = (options: Parameters<typeof freshServer>[0]) =>
  Layer.orDie(PostgresStore.layer(tables).pipe(Layer.provide(freshServer(options))))

const unavailable = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.isTrue(Exit.isFailure(exit))
    const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    assert.instanceOf(error, StoreUnavailable)
  })

interface Proxy {
  readonly url: Redacted.Redacted
  readonly cut: () => void
  silent: boolean
  refusing: boolean
  /** In place of the one that the server tells (protocol, "BackendKeyData"). */
  processId: number | undefined
}

/** A TCP proxy in front of the server. A test can cut its connections, make it refuse connections, or make it stop forwarding. */
const proxy = Effect.acquireRelease(
  Effect.callback<Proxy>((resume) => {
    const url = new URL(Redacted.value(databaseUrl))
    const { hostname, port } = { hostname: url.hostname, port: Number(url.port || 5432) }
    const sockets = new Set<Socket>()
    const server = createServer((near) => {
      if (state.refusing) {
        near.destroy()
        return
      }
      const far = dial(port, hostname)
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from)
        from.on("data", (bytes) => {
          const key = from === far ? bytes.indexOf(keyData) : -1
          if (state.processId !== undefined && key >= 0) bytes.writeInt32BE(state.processId, key + keyData.length)
          if (!state.silent) to.write(bytes)
        })
        from.on("error", () => to.destroy())
        from.on("close", () => to.destroy())
      }
    })
    const cut = () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    }
    const state = { url: Redacted.make(""), cut, silent: false, refusing: false, processId: undefined, close: () => server.close() }
    server.listen(0, "127.0.0.1", () => {
      url.host = `127.0.0.1:${(server.address() as { port: number }).port}`
      state.url = Redacted.make(url.toString())
      resume(Effect.succeed(state))
    })
  }),
  (state) =>
    Effect.sync(() => {
      state.cut()
      ;(state as unknown as { close: () => void }).close()
    }),
)

/** How BackendKeyData begins. */
const keyData = Buffer.from([0x4b, 0, 0, 0, 12])

const throughProxy = Effect.gen(function* () {
  const way = yield* proxy
  const search_path = yield* freshSchema
  const layer = Database.layer(way.url, { startupParameters: { search_path }, timeout: "1 second", maxConnections: 3 })
  const service = yield* Layer.build(Layer.orDie(PostgresStore.layer(tables).pipe(Layer.provide(layer))))
  return { way, store: yield* Effect.provide(Store, service) }
})

describe("Database", () => {
  it.live("recovers after the server ended its connections", () =>
    Effect.gen(function* () {
      const { commit, read, ping } = yield* Store
      for (let round = 0; round < 3; round++) {
        yield* commit([insert(Tickets, ticket(`a${round}`)), insert(Tickets, ticket(`b${round}`))])
        yield* onServer("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sallyport ends'")
        yield* Effect.sleep("50 millis")
        yield* ping
        assert.isTrue(Option.isSome(yield* read(Tickets, { hash: `b${round}` })))
      }
    }).pipe(Effect.provide(store({ applicationName: "sallyport ends" }))),
  )

  it.live("does not use a connection again after its server has become a standby", () =>
    Effect.gen(function* () {
      const search_path = yield* freshSchema
      const layer = Database.layer(databaseUrl, { startupParameters: { search_path }, maxConnections: 1 })
      const context = yield* Layer.build(Layer.orDie(PostgresStore.layer(tables).pipe(Layer.provideMerge(layer))))
      const { commit, read } = Context.get(context, Store)
      const { withExclusive } = Context.get(context, Database.Database)
      yield* commit([insert(Tickets, ticket("before"))])
      yield* withExclusive((connection) => connection.query("SET default_transaction_read_only = on"))
      yield* unavailable(commit([insert(Tickets, ticket("meanwhile"))]))
      yield* commit([insert(Tickets, ticket("after"))])
      assert.isTrue(Option.isNone(yield* read(Tickets, { hash: "meanwhile" })))
    }).pipe(Effect.scoped),
  )

  it.live("a locked table stops neither the ping nor statements on other tables, and a request waits for its budget in total", () =>
    Effect.gen(function* () {
      const search_path = yield* freshSchema
      const layer = Database.layer(databaseUrl, { startupParameters: { search_path }, maxConnections: 6, timeout: "4 seconds" })
      const context = yield* Layer.build(Layer.orDie(PostgresStore.layer(tables).pipe(Layer.provideMerge(layer))))
      const { list, ping, read } = Context.get(context, Store)
      const locking = yield* Context.get(context, Database.Database).connect
      yield* locking.query("BEGIN", [])
      yield* locking.query("LOCK TABLE ticket IN ACCESS EXCLUSIVE MODE", [])
      const blocked = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 30 }, () => unavailable(list(Tickets, {}, { limit: 1, order: "hash" }))),
          { concurrency: "unbounded", discard: true },
        ),
      )
      // Longer than the time after which a connection without results gets no further statements.
      yield* Effect.sleep("300 millis")
      for (const _ of [1, 2, 3]) {
        yield* ping
        assert.deepStrictEqual(yield* list(Owners, {}, { limit: 1, order: "id" }), [])
      }
      const budget = { left: 300, limit: 300 }
      const waiting = unavailable(read(Tickets, { hash: "any" })).pipe(Effect.provideService(StoreBudget, budget))
      yield* waiting
      // Timers of Node can fire up to a millisecond early.
      assert.isBelow(budget.left, 1)
      yield* waiting
      yield* locking.query("COMMIT", [])
      yield* Fiber.interrupt(blocked)
    }).pipe(Effect.scoped),
  )

  it.live("no statement waits on the server for longer than the budget of its request", () =>
    Effect.gen(function* () {
      const search_path = yield* freshSchema
      const applicationName = `sallyport ${search_path}`
      const layer = Database.layer(databaseUrl, { startupParameters: { search_path }, maxConnections: 6, applicationName })
      const context = yield* Layer.build(Layer.orDie(PostgresStore.layer(tables).pipe(Layer.provideMerge(layer))))
      const { commit, list, read } = Context.get(context, Store)
      const locking = yield* Context.get(context, Database.Database).connect
      yield* locking.query("BEGIN", [])
      yield* locking.query("LOCK TABLE ticket IN ACCESS EXCLUSIVE MODE", [])
      const waiting = `SELECT extract(epoch FROM clock_timestamp() - query_start)::text AS seconds FROM pg_stat_activity
        WHERE application_name = '${applicationName}' AND wait_event_type = 'Lock'`
      const waits = Effect.map(onServer(waiting), ({ rows }) => rows.map(({ seconds }) => Number(seconds)))
      const limit = 500
      const request = Effect.fnUntraced(function* (work: Effect.Effect<unknown, unknown>) {
        yield* unavailable(Effect.provideService(work, StoreBudget, { left: limit, limit }))
      })
      const requests = Array.from({ length: 20 }, (_, at) => [
        request(list(Tickets, {}, { limit: 1, order: "hash" })),
        request(read(Tickets, { hash: `${at}` })),
        request(commit([insert(Tickets, ticket(`single${at}`))])),
        request(commit([insert(Tickets, ticket(`first${at}`)), insert(Tickets, ticket(`second${at}`))])),
      ])
      const working = yield* Effect.forkChild(Effect.replicateEffect(Effect.all(requests.flat(), { concurrency: "unbounded" }), 5))
      const seen: Array<number> = []
      while (working.pollUnsafe() === undefined) {
        seen.push(...(yield* waits))
        yield* Effect.sleep("50 millis")
      }
      assert.isAbove(seen.length, 0)
      assert.isBelow(Math.max(...seen), limit / 1000 + 1)
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(yield* waits, [])
      yield* locking.query("COMMIT", [])
      // What was given up before it had a connection was never sent.
      assert.isBelow((yield* list(Tickets, {}, { limit: 1000, order: "hash" })).length, 1)
    }).pipe(Effect.scoped),
  )

  it.live("giving up does not end the session of another connection that has the same process id, as after a failover", () =>
    Effect.gen(function* () {
      const search_path = yield* freshSchema
      const direct = Database.layer(databaseUrl, { startupParameters: { search_path } })
      const context = yield* Layer.build(Layer.orDie(PostgresStore.layer(tables).pipe(Layer.provideMerge(direct))))
      const other = yield* Context.get(context, Database.Database).connect
      yield* other.query("BEGIN", [])
      yield* other.query("LOCK TABLE ticket IN ACCESS EXCLUSIVE MODE", [])
      yield* Effect.sleep("6 seconds")
      const way = yield* proxy
      way.processId = other.processId
      const { withShared } = Context.get(
        yield* Layer.build(Database.layer(way.url, { startupParameters: { search_path } })),
        Database.Database,
      )
      const read = unavailable(withShared((connection) => connection.query("SELECT FROM ticket", [])))
      yield* Effect.provideService(read, StoreBudget, { left: 300, limit: 300 })
      yield* Effect.sleep("500 millis")
      yield* other.query("COMMIT", [])
    }).pipe(Effect.scoped),
  )

  it.live("statements and other commits do not wait behind a commit that waits", () =>
    Effect.gen(function* () {
      const search_path = yield* freshSchema
      const layer = Database.layer(databaseUrl, { startupParameters: { search_path }, maxConnections: 6 })
      const context = yield* Layer.build(Layer.orDie(PostgresStore.layer(tables).pipe(Layer.provideMerge(layer))))
      const { commit, read } = Context.get(context, Store)
      const { withCommit } = Context.get(context, Database.Database)
      const commitFor = (seconds: number) => withCommit((connection) => connection.query(`SELECT pg_sleep(${seconds})`))
      // Opens the connections of the pool.
      for (let turn = 0; turn < 5; turn++)
        yield* Effect.all(
          Array.from({ length: 4 }, () => commitFor(0.02)),
          { concurrency: "unbounded" },
        )
      const slow = yield* Effect.forkChild(commitFor(2))
      yield* Effect.sleep("50 millis")
      for (let turn = 0; turn < 20; turn++) {
        yield* commit([insert(Tickets, ticket(`ticket${turn}`))])
        assert.isTrue(Option.isSome(yield* read(Tickets, { hash: `ticket${turn}` })))
      }
      assert.isUndefined(slow.pollUnsafe())
    }).pipe(Effect.scoped),
  )

  it.each(["EPIPE", "ECONNRESET", "57P01"])("%s means that the database is unavailable", (code) => {
    const cause = Object.assign(new Error("a broken connection"), { code })
    const reason = new SqlError.ConnectionError({ message: "a broken connection", cause, operation: "query" })
    assert.isTrue(isUnavailable(new SqlError.SqlError({ reason })))
  })

  it("reads a URL with several hosts as one URL for each", () => {
    assert.deepStrictEqual(urlsOf("postgres://me:a,b@one:1,[::1],two/auth?target_session_attrs=read-write&sslmode=require"), [
      "postgres://me:a,b@one:1/auth?sslmode=require",
      "postgres://me:a,b@[::1]/auth?sslmode=require",
      "postgres://me:a,b@two/auth?sslmode=require",
    ])
    for (const one of ["postgres://me@one:5432/auth?host=/run/postgresql", "mysql://a,b", "", "postgres://"])
      assert.deepStrictEqual(urlsOf(one), [one])
  })

  it.live("dies with StoreUnavailable when connections break during work, and no commit is applied in part", () =>
    Effect.gen(function* () {
      const { way, store } = yield* throughProxy
      for (let round = 0; round < 20; round++) {
        const pair = [put(Tickets, ticket(`left${round}`)), put(Tickets, ticket(`right${round}`))]
        const [exit] = yield* Effect.all([Effect.exit(store.commit(pair)), Effect.andThen(Effect.sleep(round % 5), Effect.sync(way.cut))], {
          concurrency: "unbounded",
        })
        if (Exit.isFailure(exit)) assert.instanceOf(Cause.squash(exit.cause), StoreUnavailable)
        yield* Effect.sleep("20 millis")
        // In one statement: a commit whose answer was lost may still be applied between two statements.
        const [left, right] = yield* store.listForEach(Tickets, "hash", [`left${round}`, `right${round}`], { limit: 1 })
        assert.strictEqual(left?.length, right?.length)
        if (Exit.isSuccess(exit)) assert.lengthOf(left!, 1)
      }
    }).pipe(Effect.scoped),
  )

  it.live("dies within the time limit while the server hangs, with any number of callers, and recovers", () =>
    Effect.gen(function* () {
      const { way, store } = yield* throughProxy
      yield* store.ping
      way.silent = true
      const start = performance.now()
      const asking = [
        ...Array.from({ length: 200 }, (_, index) => unavailable(store.read(Tickets, { hash: `${index}` }))),
        ...Array.from({ length: 20 }, (_, index) =>
          unavailable(store.commit([insert(Tickets, ticket(`x${index}`)), insert(Tickets, ticket(`y${index}`))])),
        ),
      ]
      yield* Effect.all(asking, { concurrency: "unbounded" })
      yield* unavailable(store.ping)
      assert.isBelow(performance.now() - start, 3500)
      way.silent = false
      yield* store.ping
      yield* store.commit([insert(Tickets, ticket("after")), insert(Tickets, ticket("that"))])
      assert.isTrue(Option.isSome(yield* store.read(Tickets, { hash: "that" })))
    }).pipe(Effect.scoped),
  )

  it.live("closes a connection that was being opened when its pool was closed", () =>
    Effect.gen(function* () {
      const applicationName = `closing-${randomUUID()}`
      for (const use of ["withShared", "withExclusive"] as const) {
        const scope = yield* Scope.make()
        const database = yield* Layer.buildWithScope(Database.layer(databaseUrl, { applicationName }), scope)
        const query = Context.get(database, Database.Database)[use]((connection) => connection.query("SELECT 1"))
        const fiber = yield* Effect.forkChild(Effect.exit(query))
        yield* Effect.sleep(1)
        yield* Scope.close(scope, Exit.void)
        yield* Fiber.join(fiber)
      }
      const open = onServer(`SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = '${applicationName}'`)
      yield* Effect.repeat(open, { until: ({ rows }) => rows[0]!["open"] === 0, schedule: Schedule.spaced("50 millis") })
    }),
  )

  it.live("dies at once while the server refuses, and recovers", () =>
    Effect.gen(function* () {
      const { way, store } = yield* throughProxy
      way.refusing = true
      way.cut()
      const start = performance.now()
      yield* Effect.all(
        Array.from({ length: 50 }, () => unavailable(store.ping)),
        { concurrency: "unbounded" },
      )
      assert.isBelow(performance.now() - start, 1500)
      way.refusing = false
      yield* store.ping
    }).pipe(Effect.scoped),
  )

  it.live("fails to build without a server", () =>
    Effect.gen(function* () {
      const layer = PostgresStore.layer(tables).pipe(Layer.provide(Database.layer(Redacted.make("postgres://unknown@127.0.0.1:1/none"))))
      assert.instanceOf(yield* Effect.flip(Effect.scoped(Layer.build(layer))), StoreUnavailable)
    }),
  )

  it.live("stores the same times in any time zone of the session", () =>
    Effect.gen(function* () {
      const { commit, read } = yield* Store
      yield* commit([insert(Tickets, ticket("zoned"))])
      assert.deepStrictEqual(
        Option.map(yield* read(Tickets, { hash: "zoned" }), ({ row }) => row),
        Option.some(ticket("zoned")),
      )
    }).pipe(Effect.provide(store({ zone: "Asia/Kathmandu" }))),
  )

  it.live("works with one connection", () =>
    Effect.gen(function* () {
      const { commit, read } = yield* Store
      const writes = Array.from({ length: 20 }, (_, index) =>
        commit([insert(Tickets, ticket(`one${index}`)), insert(Tickets, ticket(`two${index}`))]),
      )
      yield* Effect.all([...writes, ...Array.from({ length: 50 }, () => read(Tickets, { hash: "one0" }))], { concurrency: "unbounded" })
      assert.isTrue(Option.isSome(yield* read(Tickets, { hash: "two19" })))
    }).pipe(Effect.provide(store({ maxConnections: 1 }))),
  )
})
