import { setTimeout } from "node:timers/promises"
import { NodeCrypto } from "@effect/platform-node"
import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as Certificates from "../adapters/crypto/certificates.ts"
import * as Ethereum from "../adapters/crypto/ethereum.ts"
import * as Jose from "../adapters/crypto/jose.ts"
import * as TextHashes from "../adapters/crypto/text-hashes.ts"
import { decode as decodeHttp, HttpSettings } from "../adapters/http/settings.ts"
import * as WebAuthn from "../adapters/passkeys/web-authn.ts"
import * as PhoneNumbers from "../adapters/phone-numbers/phone-numbers.ts"
import * as SessionCache from "../adapters/session-cache/session-cache.ts"
import * as MailTexts from "../adapters/texts/mail-texts.ts"
import { account } from "../application/modules/account/index.ts"
import { emailPassword } from "../application/modules/email_password/index.ts"
import { emailVerification } from "../application/modules/email_verification/index.ts"
import { sessions } from "../application/modules/sessions/index.ts"
import { stepUp } from "../application/modules/step_up/index.ts"
import type { Auth } from "../application/service/auth.ts"
import * as AuthOf from "../application/service/auth.ts"
import type { AnyEndpoint, Endpoint, Reply } from "../application/service/endpoint.ts"
import type { Page } from "../application/service/graph-field.ts"
import type { AnyModule } from "../application/service/module.ts"
import * as Module from "../application/service/module.ts"
import { Counters, layerStore } from "../domain/limits/rate-limits.ts"
import * as Outbox from "../domain/mail/outbox.ts"
import { tables as outboxTables } from "../domain/mail/outbox-tables.ts"
import * as Blocklist from "../domain/ports/blocklist.ts"
import * as BreachedPasswords from "../domain/ports/breached-passwords.ts"
import { HashFormats } from "../domain/ports/hash-formats.ts"
import type { Mail } from "../domain/ports/mailer.ts"
import { Mailer } from "../domain/ports/mailer.ts"
import { PasswordHasher } from "../domain/ports/password-hasher.ts"
import { PublicFetch } from "../domain/ports/public-fetch.ts"
import * as RefusedDomains from "../domain/ports/refused-domains.ts"
import type { Sms } from "../domain/ports/sms-sender.ts"
import { SmsSender } from "../domain/ports/sms-sender.ts"
import { insert, remove, Store, update } from "../domain/ports/store.ts"
import type { AnyTable } from "../domain/ports/table.ts"
import { type WebhookAnswer, type WebhookMessage, WebhookSender } from "../domain/ports/webhook-sender.ts"
import { Caller } from "../domain/sessions/caller.ts"
import { decode, Settings } from "../domain/settings.ts"
import * as Keys from "../domain/tokens/keys.ts"
import { Accounts, Users } from "../domain/users/tables.ts"
import { owned } from "./owned.ts"
import { storeLayer, storeName } from "./stores.ts"

const built = {
  sessions: sessions.build({}),
  emailPassword: emailPassword.build({}),
  emailVerification: emailVerification.build({}),
  account: account.build({}),
  stepUp: stepUp.build({}),
}

/** The modules that are always on. */
export const core: ReadonlyArray<AnyModule> = Object.values(built)

/** The core's endpoints with their types. */
export const endpoints = {
  ...built.sessions.endpoints,
  ...built.emailPassword.endpoints,
  ...built.emailVerification.endpoints,
  ...built.account.endpoints,
  ...built.stepUp.endpoints,
}

/** Every mail that the service sent, in the order of delivery. */
export class Mailbox extends Context.Service<Mailbox, Array<Mail>>()("test/Mailbox") {}

const mailer = Layer.effect(
  Mailer,
  Effect.map(Mailbox, (emails) => Mailer.of({ send: (mail) => Effect.sync(() => void emails.push(mail)) })),
).pipe(Layer.provideMerge(Layer.sync(Mailbox, () => [])))

/** How often passwords were hashed and checked: the slow operations of the real hasher. */
export class HashCount extends Context.Service<HashCount, { hashed: number; verified: number }>()("test/HashCount") {}

/** Hashes without cost, which yield so that other fibers can run in between, as with the real hasher. `old$…` is an outdated hash. */
const hasher = Layer.effect(
  PasswordHasher,
  Effect.map(HashCount, (count) =>
    PasswordHasher.of({
      hash: (password) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => {
            count.hashed += 1
            return `hash$${password}`
          }),
        ),
      verify: (password, hash) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => {
            count.verified += 1
            const correct = hash === `hash$${password}` || hash === `old$${password}`
            return { correct, outdated: correct && hash.startsWith("old$") }
          }),
        ),
    }),
  ),
).pipe(Layer.provideMerge(Layer.sync(HashCount, () => ({ hashed: 0, verified: 0 }))))

/** Every call yields a varying number of times, so that other fibers run in between, as with a network. */
const withTurns = Layer.effect(
  Store,
  Effect.map(Store, (store) => {
    let seed = 1
    const turns = Effect.suspend(() => {
      seed = (seed * 48_271) % 2_147_483_647
      return Effect.forEach(times(seed % 8, String), () => Effect.yieldNow, { discard: true })
    })
    const late = <A, E>(verb: Effect.Effect<A, E>) => Effect.andThen(turns, verb).pipe(Effect.tap(turns))
    return Store.of({
      ...store,
      read: (table, where) => late(store.read(table, where)),
      readWithReferenced: (table, where, field) => late(store.readWithReferenced(table, where, field)),
      readWithReferencing: (...question) => late(store.readWithReferencing(...question)),
      list: (table, where, options) => late(store.list(table, where, options)),
      take: (table, where) => late(store.take(table, where)),
      commit: (writes) => late(store.commit(writes)),
      ping: late(store.ping),
    })
  }),
)

/** With the embedded database, every test runs with the cache of sessions that is on there by default. */
const cachedIfEmbedded = (store: Layer.Layer<Store>) =>
  storeName === "embedded" ? Layer.provide(SessionCache.layer({ size: 100, max_age: 0 }), store) : store

/** Every SMS that the service sent, in the order of delivery. */
export class Telephone extends Context.Service<Telephone, Array<Sms>>()("test/Telephone") {}

const smsSender = Layer.effect(
  SmsSender,
  Effect.map(Telephone, (messages) => SmsSender.of({ send: (sms) => Effect.sync(() => void messages.push(sms)) })),
).pipe(Layer.provideMerge(Layer.sync(Telephone, () => [])))

/** A test that sends requests to other services provides its own client. */
const unanswered = ({ url }: { readonly url: string }) => Effect.die(new Error(`nothing answers at ${url}`))
const noNetwork = Layer.merge(
  Layer.succeed(HttpClient.HttpClient, HttpClient.make(unanswered)),
  Layer.succeed(PublicFetch, { fetch: unanswered }),
)

/** Every event that was sent to a webhook, in the order of delivery. The paths `/refusing` and `/gone` refuse. */
export class Receiver extends Context.Service<Receiver, Array<WebhookMessage>>()("test/Receiver") {}

const webhookSender = Layer.effect(
  WebhookSender,
  Effect.map(Receiver, (received) => ({
    send: (message: WebhookMessage) =>
      Effect.sync((): WebhookAnswer => {
        const { pathname } = new URL(message.url)
        if (pathname === "/gone") return { isAccepted: false, status: 410, reason: "status 410", isGone: true, retryAfter: null }
        if (pathname === "/refusing") return { isAccepted: false, status: 500, reason: "status 500", isGone: false, retryAfter: null }
        received.push(message)
        return { isAccepted: true, status: 200 }
      }),
  })),
).pipe(Layer.provideMerge(Layer.sync(Receiver, () => [])))

/** The service, as its adapters call it. */
export class Service extends Context.Service<Service, Auth<any>>()("test/Service") {}

export const secret = "a secret of thirty-two bytes or more"

/** The whole service inside the process; only the database of `STORE` may be outside. */
export const world = (modules: ReadonlyArray<AnyModule> = core, settings: Record<string, unknown> = {}) => {
  const auth = AuthOf.make(modules)
  const store = cachedIfEmbedded(withTurns.pipe(Layer.provide(storeLayer([...auth.tables, ...outboxTables, Counters]))))
  const configured = Layer.merge(
    Layer.effect(Settings, decode({ email_password: { enabled: true }, rate_limit: { enabled: false }, ...settings })),
    Layer.effect(HttpSettings, decodeHttp(settings)),
  )
  return Layer.mergeAll(
    RateLimiter.layer.pipe(Layer.provide(layerStore)),
    Outbox.layer.pipe(Layer.provideMerge(Layer.merge(mailer, smsSender))),
    hasher,
    Layer.succeed(HashFormats, { formatOf: (hash) => (hash.startsWith("hash$") ? Option.some("test") : Option.none()) }),
    MailTexts.layer({}, Module.ownedByAll([owned, ...modules]).texts),
    Blocklist.layerNone,
    BreachedPasswords.layerNone,
    RefusedDomains.layerNone,
    noNetwork,
    webhookSender,
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(store, configured, Keys.layer([Redacted.make(secret)]))),
    Layer.provideMerge(
      Layer.mergeAll(
        NodeCrypto.layer,
        TextHashes.layer,
        Ethereum.layer,
        Jose.layer,
        Certificates.layer,
        PhoneNumbers.layer,
        WebAuthn.layer,
      ),
    ),
    Layer.provideMerge(Layer.succeed(Service, auth)),
    Layer.orDie,
  )
}

/** A test's own module with one endpoint. */
export const bringing = (endpoint: AnyEndpoint): AnyModule => {
  const name = endpoint.path.slice(1)
  return Module.define({ name, settings: Module.NoSettings, parts: () => ({ endpoints: [endpoint] }) }).build({})
}

/** What a browser sends before it gets cookies. */
export const emptyJar = () => ({
  credential: null as string | null,
  cookies: {} as Record<string, string>,
  from_browser: false,
  ip_address: "192.0.2.1",
  user_agent: "test",
  accept_language: null as string | null,
  origin: null as string | null,
})

/** A browser, which keeps the session that responses set. It calls the world's service, or another one on the same store. */
export const browser = (other?: Auth<any>, jar = emptyJar()) => {
  const service = other === undefined ? Service : Effect.succeed(other)
  const asCaller = Effect.provideServiceEffect(
    Caller,
    Effect.sync(() => ({
      credential: jar.credential,
      cookies: jar.cookies,
      authorization: null,
      accept: null,
      api_key: null,
      dpop: null,
      client_certificate: null,
      from_browser: jar.from_browser,
      ip_address: jar.ip_address,
      user_agent: jar.user_agent,
      accept_language: jar.accept_language,
      origin: jar.origin,
    })),
  )
  const call = <I, O>(endpoint: Endpoint<I, O, any>, input: unknown = {}): Effect.Effect<Reply<O>, AuthErrorOf, WorldServices> =>
    Effect.flatMap(service, (auth) => auth.call(endpoint, input)).pipe(
      asCaller,
      Effect.tap(({ session, cookies = [] }) =>
        Effect.sync(() => {
          for (const { name, value } of cookies) jar.cookies = { ...jar.cookies, [name]: value }
          if (session === "keep") return
          jar.credential = session === "clear" ? null : session.credential
        }),
      ),
    ) as Effect.Effect<Reply<O>, AuthErrorOf, WorldServices>
  /** The body of a success. */
  const body = <I, O>(endpoint: Endpoint<I, O, any>, input?: unknown) => Effect.map(call(endpoint, input), (reply) => reply.body)
  /** The code of a refusal; a success makes the test fail. */
  const code = <I, O>(endpoint: Endpoint<I, O, any>, input?: unknown) =>
    Effect.map(Effect.flip(call(endpoint, input)), (error) => error._tag)
  /** The target of an edge of the viewer, who is the user of this browser. */
  const edge = (name: string, page: Page = { limit: 20 }): Effect.Effect<unknown, AuthErrorOf, WorldServices> =>
    Effect.gen(function* () {
      const auth = yield* service
      const edge = auth.graphFields.find(({ on, ...each }) => on === "viewer" && each.name === name)
      if (edge === undefined) return yield* Effect.die(new Error(`no edge ${name} hangs from the viewer`))
      const { body } = yield* auth.viewer
      return (yield* auth.load(edge, body, [body], page))[0]
    }).pipe(asCaller)
  return { jar, call, body, code, edge }
}

type AuthErrorOf = import("../domain/errors.ts").AuthError
export type WorldServices = Layer.Success<ReturnType<typeof world>>

export const password = "correct horse battery staple"

/** The same browser at another service on the same store, as before a module was added or after its settings have changed. */
export const at = ({ jar }: Pick<ReturnType<typeof browser>, "jar">, ...modules: ReadonlyArray<AnyModule>) =>
  browser(AuthOf.make([...core, ...modules]), jar)

/** Signs a user up and returns their browser. */
export const signedUp = Effect.fnUntraced(function* (email: string, other?: Auth<any>) {
  const their = browser(other)
  const { user } = yield* their.body(endpoints.signUpEmail, { email, password })
  return { ...their, user }
})

/** Signs a user in and returns their browser. */
export const signedIn = Effect.fnUntraced(function* (email: string, typed = password) {
  const their = browser()
  const { user } = yield* their.body(endpoints.signInEmail, { email, password: typed })
  return { ...their, user }
})

/** Runs an effect as if the service had been restarted with other settings. */
export const withSettings = (settings: Record<string, unknown>) =>
  Effect.provideServiceEffect(
    Settings,
    Effect.orDie(decode({ email_password: { enabled: true }, rate_limit: { enabled: false }, ...settings })),
  )

/** Whether the browser has a valid session. */
export const isSignedIn = (their: { readonly body: ReturnType<typeof browser>["body"] }) =>
  Effect.map(their.body(endpoints.getSession), ({ session }) => session !== null)

/** The JSON of a body. */
export const onWire = <O>(endpoint: Endpoint<any, O, any>, body: O): Effect.Effect<any> =>
  Effect.orDie(Schema.encodeEffect(Schema.toCodecJson(endpoint.output))(body))

/** Runs calls concurrently, and counts their outcomes: error codes, and `ok`. */
export const atOnce = Effect.fnUntraced(function* <E extends { readonly _tag: string }, R>(
  calls: ReadonlyArray<Effect.Effect<unknown, E, R>>,
) {
  const outcomes = calls.map(Effect.match({ onSuccess: () => "ok", onFailure: ({ _tag }) => _tag }))
  const tally: Record<string, number> = {}
  for (const outcome of yield* Effect.all(outcomes, { concurrency: "unbounded" })) tally[outcome] = (tally[outcome] ?? 0) + 1
  return tally
})

/**
 * Runs an effect that sleeps while time passes, five times as fast as in reality: the store answers in real time, and nothing may expire
 * meanwhile.
 */
export const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    effect,
    Effect.forever(
      Effect.andThen(
        TestClock.adjust("50 millis"),
        Effect.promise(() => setTimeout(10)),
      ),
    ),
  )

/** An array of this many results. */
export const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

/** All rows of a table. */
export const rows = Effect.fnUntraced(function* <T extends AnyTable>(table: T) {
  return yield* (yield* Store).list(table, {}, { limit: 1000 })
})

/** Links an account without a password. */
export const linked = Effect.fnUntraced(function* (user_id: string, provider_id: string) {
  const now = yield* DateTime.now
  const account = { id: `${provider_id} of ${user_id}`, user_id, provider_id, account_id: user_id, password_hash: null }
  yield* Effect.orDie((yield* Store).commit([insert(Accounts, { ...account, created_at: now, updated_at: now })]))
})

/** The account with a user's password. */
export const credential = Effect.fnUntraced(function* (userId: string) {
  const held = yield* (yield* Store).read(Accounts, { provider_id: "credential", account_id: userId })
  return Option.getOrThrow(held)
})

/** Removes a user's password, as if they had only ever signed in with another service. */
export const withoutPassword = Effect.fnUntraced(function* (userId: string) {
  yield* linked(userId, "idp_one")
  const { row } = yield* credential(userId)
  yield* Effect.orDie((yield* Store).commit([remove(Accounts, row.id)]))
})

/** Marks a user's address as verified, or not, without a mail. */
export const withVerified = Effect.fnUntraced(function* (userId: string, email_verified = true) {
  const store = yield* Store
  const user = Option.getOrThrow(yield* store.read(Users, { id: userId }))
  yield* Effect.orDie(store.commit([update(Users, user, { email_verified })]))
})

/** Delivers the messages in the outbox; returns all mails so far, in the order of their creation. */
export const emails = Effect.gen(function* () {
  yield* (yield* Outbox.Outbox).drain
  return (yield* Mailbox).toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1))
})

/** The code in the last mail; empty without one. */
export const mailedCode = Effect.map(emails, (all) => /^(\d{6})$/m.exec(all.at(-1)?.text ?? "")?.[1] ?? "")

/** Delivers the messages in the outbox; returns all SMS so far, in the order of their creation. */
export const texts = Effect.gen(function* () {
  yield* (yield* Outbox.Outbox).drain
  return (yield* Telephone).toSorted((one, other) => (one.id < other.id ? -1 : 1))
})

/** The token in the newest mail with a link. */
export const mailedToken = Effect.gen(function* () {
  const tokens = (yield* emails).flatMap(({ text }) => /[?&]token=([\w-]+)/.exec(text)?.[1] ?? [])
  return Option.fromUndefinedOr(tokens.at(-1)).pipe(Option.getOrThrow)
})
