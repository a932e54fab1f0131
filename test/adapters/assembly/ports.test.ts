import { Context, Effect, Exit, Layer, Scope } from "effect"
import { testStore } from "sallyport/testing"
import { expect, it, vi } from "vitest"
import * as StoreMemory from "../../../adapters/memory/memory-store.ts"
import { Store } from "../../../domain/ports/store.ts"
import { type Mail, type OwnStore, type Sms, StoreUnavailable, sallyport } from "../../../index.ts"
import { configured, cookieOf, password } from "./configured.ts"

const ada = { email: "ada@example.com", password }

it("a mailer with effects delivers", async () => {
  const attempts: Array<Mail> = []
  const send = (mail: Mail) => Effect.sync(() => void attempts.push(mail))
  const auth = await sallyport({ ...configured().configuration, mail: { send } })
  await auth.call.signUpEmail({ input: ada })
  await auth.call.sendVerificationEmail({ input: { email: ada.email } })
  await vi.waitUntil(() => attempts.length > 0, 5000)
  expect(attempts[0]).toMatchObject({ to: ada.email })
  await auth.close()
})

it("a sender of short messages delivers codes", async () => {
  const messages: Array<Sms> = []
  class Gateway {
    readonly prefix = "sent: "
    async send(sms: Sms) {
      messages.push({ ...sms, text: this.prefix + sms.text })
    }
  }
  const auth = await sallyport({ ...configured().configuration, sms: new Gateway(), modules: { phone: {} } })
  const { error } = await auth.call.phoneSendOtp({ input: { phone: "+14155550100" } })
  expect(error).toBeNull()
  await vi.waitUntil(() => messages.length > 0, 5000)
  expect(messages[0]?.text).toMatch(/^sent: /)
  await auth.close()
})

it("an HTTP client answers the check for breached passwords", async () => {
  const urls: Array<string> = []
  const fetch = async (request: Request) => {
    urls.push(`${request.redirect} ${new URL(request.url).host}`)
    // The rest of the SHA-1 of "password".
    return new Response("1E4C9B93F3F0682250B6CF8331B7EE68FD8:3\r\n")
  }
  const { configuration } = configured()
  const email_password = { ...configuration.email_password, breached: { enabled: true } }
  const auth = await sallyport({ ...configuration, email_password, http: { fetch } })
  const { error } = await auth.call.signUpEmail({ input: { ...ada, password: "password" } })
  expect(urls).toEqual(["manual api.pwnedpasswords.com"])
  expect(error).toMatchObject({ status: 400 })
  await auth.close()
})

it("a clock ends sessions", async () => {
  let now = Date.parse("2031-05-05T10:00:00Z")
  const auth = await sallyport({ ...configured().configuration, clock: { now: () => new Date(now) } })
  const { headers, data } = await auth.call.signUpEmail({ input: ada })
  expect(data?.user.created_at).toBe("2031-05-05T10:00:00.000Z")
  const cookie = cookieOf(headers)
  expect((await auth.call.getSession({ headers: { cookie } })).data?.user?.email).toBe(ada.email)
  now += 40 * 86_400_000
  expect((await auth.call.getSession({ headers: { cookie } })).data).toEqual({ session: null, user: null })
  await auth.close()
})

/** The memory store behind promises, as one written without Effect. */
const promised = () => {
  const scope = Scope.makeUnsafe()
  const events: Array<string> = []
  let isDown = false
  let inner: Store["Service"] | undefined
  const ask = <A, E>(verb: (store: Store["Service"]) => Effect.Effect<A, E>): Promise<A> => {
    if (isDown || inner === undefined) return Promise.reject(new StoreUnavailable({ cause: "down" }))
    return Effect.runPromise(verb(inner))
  }
  const store: OwnStore = {
    open: async (tables) => {
      events.push("open")
      inner = Context.get(await Effect.runPromise(Layer.buildWithScope(StoreMemory.layer(tables), scope)), Store)
    },
    read: (table, where) => ask((inner) => inner.read(table, where)),
    readWithReferenced: (table, where, field) => ask((inner) => inner.readWithReferenced(table, where, field as never)),
    readWithReferencing: (table, where, other, field, rest) =>
      ask((inner) => inner.readWithReferencing(table, where, other, field as never, rest as never)),
    list: (table, where, options) => ask((inner) => inner.list(table, where, options)),
    listForEach: (table, field, values, options) => ask((inner) => inner.listForEach(table, field as never, values, options as never)),
    take: (table, where) => ask((inner) => inner.take(table, where)),
    commit: (writes) => ask((inner) => inner.commit(writes)),
    sweep: (at, limit) => ask((inner) => inner.sweep(at, limit)),
    ping: () => ask((inner) => inner.ping),
    close: async () => {
      events.push("close")
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
  const turnOff = () => {
    isDown = true
  }
  return { store, events, turnOff }
}

testStore("of an application, with promises", () => promised().store)

it("a store with promises stores users, and distinguishes taken values from outages", async () => {
  const { store, events, turnOff } = promised()
  const auth = await sallyport({ ...configured().configuration, store })
  expect((await auth.call.signUpEmail({ input: ada })).error).toBeNull()
  expect((await auth.call.signUpEmail({ input: ada })).error).toMatchObject({ code: "user_already_exists", status: 422 })
  expect((await auth.fetch(new Request("http://localhost:3000/readyz"))).status).toBe(200)
  turnOff()
  expect((await auth.call.signInEmail({ input: ada })).error).toMatchObject({ code: "unavailable", status: 503 })
  expect((await auth.fetch(new Request("http://localhost:3000/readyz"))).status).toBe(503)
  await auth.close()
  expect(events).toEqual(["open", "close"])
})
