import { DateTime, Effect, Layer, Redacted } from "effect"
import type { Db, Document } from "mongodb"
import * as MongoDatabase from "../adapters/mongo/database.ts"
import * as MongoStore from "../adapters/mongo/mongo-store.ts"
import * as PostgresDatabase from "../adapters/postgres/database.ts"
import * as PostgresStore from "../adapters/postgres/postgres-store.ts"
import * as AuthOf from "../application/service/auth.ts"
import { Counters } from "../domain/limits/rate-limits.ts"
import * as OutboxTables from "../domain/mail/outbox-tables.ts"
import type { StoreService } from "../domain/ports/store.ts"
import { insert, Store } from "../domain/ports/store.ts"
import { Sessions } from "../domain/sessions/tables.ts"
import { Accounts, Users } from "../domain/users/tables.ts"
import type { Server } from "./postgres-server.ts"
import { storedUser } from "./stored-user.ts"
import { browser, core, endpoints, password, world } from "./world.ts"

const auth = AuthOf.make(core)

// The query plans of the most frequent requests, with many users in the database.

const tables = [...auth.tables, ...OutboxTables.tables, Counters]
const batch = 200

const person = (index: number, now: DateTime.Utc) => {
  const id = `user-${index}`
  const at = { created_at: now, updated_at: now }
  const user = storedUser({ id, email: `person${index}@example.com`, ...at })
  const account = {
    id: `account-${index}`,
    user_id: id,
    provider_id: "credential",
    account_id: id,
    password_hash: `hash$${password}`,
    ...at,
  }
  const session = {
    id: `session-${index}`,
    user_id: id,
    token_hash: `hash-${index}`,
    ip_address: null,
    user_agent: null,
    accept: null,
    api_key: null,
    dpop: null,
    client_certificate: null,
    accept_language: null,
    origin: null,
    authenticated_at: now,
    proved_at: now,
    multi_factor: false,
    methods: null,
    ...at,
  }
  const expires_at = DateTime.add(now, { days: 7 })
  return [insert(Users, user), insert(Accounts, account), insert(Sessions, { ...session, expires_at })]
}

/** Users, each with an account and a session. */
const seed = Effect.fnUntraced(function* (store: StoreService, count: number) {
  const now = yield* DateTime.now
  const starts = Array.from({ length: Math.ceil(count / batch) }, (_, index) => index * batch)
  yield* Effect.forEach(
    starts,
    (start) => {
      const people = Array.from({ length: Math.min(batch, count - start) }, (_, index) => person(start + index, now))
      const [users, accounts, sessions] = [0, 1, 2].map((table) => people.map((rows) => rows[table]!))
      return Effect.orDie(store.commit([...users!, ...accounts!, ...sessions!]))
    },
    { concurrency: 4, discard: true },
  )
})

/** An administrator lists the newest users, and searches users by the beginning of an address or a name. */
const search = Effect.fnUntraced(function* ({ list }: StoreService, text: string) {
  const newest = { limit: 2, order: "created_at", descending: true } as const
  yield* list(Users, {}, newest)
  for (const field of ["search_name", "search_last", "search_domain"] as const)
    yield* list(Users, {}, { ...newest, prefix: { field, text } })
  const [found] = yield* list(Users, {}, { ...newest, prefix: { field: "email", text } })
  if (!found?.email.startsWith(text)) throw new Error("no user was found")
})

/** A user signs in and reads their session. */
const visit = (store: StoreService, count: number) =>
  Effect.gen(function* () {
    const their = browser()
    yield* search(store, `person${Math.floor(count / 2)}@`)
    const email = `person${Math.floor(count / 2)}@example.com`
    yield* their.body(endpoints.signInEmail, { email, password })
    const { user } = yield* their.body(endpoints.getSession)
    if (user?.email !== email) throw new Error("no user is signed in")
  }).pipe(Effect.provideService(Store, store), Effect.provide(world()))

/** The documents and keys that one MongoDB command examined. */
export interface Examined {
  readonly command: string
  readonly documents: number
  readonly keys: number
  readonly stages: ReadonlyArray<string>
}

/** Signs in and reads the session among many users on MongoDB, and explains every command of these requests. */
export const explainMongo = Effect.fnUntraced(function* (url: string, count: number) {
  const commands: Array<Document> = []
  const database = MongoDatabase.layer(Redacted.make(url), { onCommand: (_, command) => commands.push(command), timeout: "60 seconds" })
  const services = yield* Layer.build(MongoStore.layer(tables).pipe(Layer.provideMerge(database), Layer.orDie))
  return yield* Effect.gen(function* () {
    const store = yield* Store
    const { db } = yield* MongoDatabase.Database
    yield* seed(store, count)
    commands.length = 0
    yield* visit(store, count)
    const asked = commands.filter((command) => explainable.some((name) => name in command))
    return yield* Effect.forEach(asked, (command) => examine(db, command))
  }).pipe(Effect.provide(services))
}, Effect.scoped)

const explainable = ["find", "aggregate", "update", "delete", "findAndModify"]

/**
 * The command without its session and time fields, and without the stages after `$lookup`: with `$unwind`, MongoDB does not count what
 * `$lookup` examines.
 */
const bare = (command: Document): Document => {
  const moment = [
    "lsid",
    "txnNumber",
    "autocommit",
    "startTransaction",
    "readConcern",
    "writeConcern",
    "maxTimeMS",
    "$clusterTime",
    "$db",
    "$readPreference",
  ]
  const lasting = Object.fromEntries(Object.entries(command).filter(([name]) => !moment.includes(name)))
  const { pipeline } = lasting
  if (!Array.isArray(pipeline)) return lasting
  const last = pipeline.findIndex((stage) => "$lookup" in stage)
  return last === -1 ? lasting : { ...lasting, pipeline: pipeline.slice(0, last + 1) }
}

/** What MongoDB examines for a command that the store sent. */
export const examine = (db: Db, command: Document): Effect.Effect<Examined> =>
  Effect.promise(async () => examined(command, await db.command({ explain: bare(command), verbosity: "executionStats" })))

const examined = (command: Document, plan: Document): Examined => {
  const [name = "", collection] = Object.entries(command)[0] ?? []
  const found = { documents: 0, keys: 0, stages: new Set<string>() }
  const walk = (value: unknown) => {
    if (typeof value !== "object" || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (name === "totalDocsExamined") found.documents += Number(member)
      if (name === "totalKeysExamined") found.keys += Number(member)
      if ((name === "stage" || name === "strategy") && typeof member === "string") found.stages.add(member)
      // The total of a plan already includes its parts.
      if (name !== "rejectedPlans" && name !== "executionStages") walk(member)
    }
  }
  walk(plan)
  return { command: `${name} ${collection}`, documents: found.documents, keys: found.keys, stages: [...found.stages] }
}

/** The same on PostgreSQL, whose server writes the plan of every statement into its log. */
export const explainPostgres = Effect.fnUntraced(function* (server: Server, count: number) {
  const on = (options: PostgresDatabase.Options) => {
    const database = PostgresDatabase.layer(Redacted.make(server.url), { ...options, timeout: "60 seconds" })
    return Effect.map(Layer.build(PostgresStore.layer(tables).pipe(Layer.provide(database), Layer.orDie)), (services) =>
      Effect.provide(services),
    )
  }
  yield* Effect.flatMap(Store, (store) => seed(store, count)).pipe(yield* on({}))
  const before = server.log().length
  const startupParameters = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
  }
  yield* Effect.flatMap(Store, (store) => visit(store, count)).pipe(yield* on({ startupParameters }))
  const plans = server
    .log()
    .slice(before)
    .split(/(?=^.* LOG: .*duration: .* plan:$)/m)
  return plans.filter((plan) => plan.includes(" plan:") && tables.some(({ name }) => plan.includes(`"${name}"`)))
}, Effect.scoped)
