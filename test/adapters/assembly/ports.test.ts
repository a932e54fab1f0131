import { Effect } from "effect"
import { testStore } from "sallyport/testing"
import { expect, it, vi } from "vitest"
import { type Answer, type Mail, type Sms, sallyport } from "../../../index.ts"
import { configured, cookieOf, password } from "./configured.ts"
import { promisedStore } from "./promised-store.ts"

const ada = { email: "ada@example.com", password }

it("an answer is a promise or an effect of its value, and nothing else", () => {
  const right: ReadonlyArray<Answer<number>> = [Promise.resolve(1), Effect.succeed(1), Effect.fail("refused"), Effect.die("broken")]
  const wrong: ReadonlyArray<Answer<number>> = [
    // @ts-expect-error
    1,
    // @ts-expect-error
    Effect.succeed("1"),
    // @ts-expect-error
    Promise.resolve("1"),
    // @ts-expect-error
    [1],
  ]
  expect(right.length + wrong.length).toBe(8)
})

it("a mailer with effects delivers", async () => {
  const attempts: Array<Mail> = []
  const send = (mail: Mail) => Effect.sync(() => void attempts.push(mail))
  const auth = sallyport({ ...configured().configuration, mail: { send } })
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
  const auth = sallyport({ ...configured().configuration, sms: new Gateway(), modules: { phone: {} } })
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
  const auth = sallyport({ ...configuration, email_password, http: { fetch } })
  const { error } = await auth.call.signUpEmail({ input: { ...ada, password: "password" } })
  expect(urls).toEqual(["manual api.pwnedpasswords.com"])
  expect(error).toMatchObject({ status: 400 })
  await auth.close()
})

it("a clock ends sessions", async () => {
  let now = Date.parse("2031-05-05T10:00:00Z")
  const auth = sallyport({ ...configured().configuration, clock: { now: () => new Date(now) } })
  const { headers, data } = await auth.call.signUpEmail({ input: ada })
  expect(data?.user.created_at).toBe("2031-05-05T10:00:00.000Z")
  const cookie = cookieOf(headers)
  expect((await auth.call.getSession({ headers: { cookie } })).data?.user?.email).toBe(ada.email)
  now += 40 * 86_400_000
  expect((await auth.call.getSession({ headers: { cookie } })).data).toEqual({ session: null, user: null })
  await auth.close()
})

testStore("of an application, with promises", () => promisedStore().store)

it("a store with promises stores users, and distinguishes taken values from outages", async () => {
  const { store, events, turn } = promisedStore()
  const auth = sallyport({ ...configured().configuration, store })
  expect((await auth.call.signUpEmail({ input: ada })).error).toBeNull()
  expect((await auth.call.signUpEmail({ input: ada })).error).toMatchObject({ code: "user_already_exists", status: 422 })
  expect((await auth.fetch(new Request("http://localhost:3000/readyz"))).status).toBe(200)
  turn("off")
  expect((await auth.call.signInEmail({ input: ada })).error).toMatchObject({ code: "unavailable", status: 503 })
  expect((await auth.fetch(new Request("http://localhost:3000/readyz"))).status).toBe(503)
  await auth.close()
  expect(events).toEqual(["open", "close"])
})
