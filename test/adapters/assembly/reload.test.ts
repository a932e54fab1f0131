import { afterEach, expect, it, vi } from "vitest"
import { ConfigurationFault, type Mail, type SallyportConfiguration, sallyport } from "../../../index.ts"
import { configured, cookieOf, password, request } from "./configured.ts"

const ada = { email: "ada@example.com", password }
const [oldSecret, newSecret] = ["a secret for these tests only, 32+ bytes", "another secret for these tests, 32+ bytes"]
const closers: Array<() => Promise<void>> = []
const start = async (changes: Partial<SallyportConfiguration> = {}) => {
  const { mails, configuration } = configured()
  const initial: SallyportConfiguration = { ...configuration, secret: oldSecret, ...changes }
  const service = sallyport(initial)
  closers.push(service.close)
  const signUp = async () => cookieOf((await service.call.signUpEmail({ input: ada })).headers)
  const isSignedIn = async (cookie: string) => (await service.call.getSession({ headers: { cookie } })).data?.user?.email === ada.email
  return { mails, initial, service, signUp, isSignedIn }
}
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

it("replaces the secrets: sessions of listed secrets stay, those of others end", async () => {
  const { initial, service, signUp, isSignedIn } = await start()
  const cookie = await signUp()
  expect(await service.reload({ ...initial, secret: [newSecret, oldSecret] })).toEqual({ changed: ["secret"], needsRestart: [] })
  expect(await isSignedIn(cookie)).toBe(true)
  const later = cookieOf((await service.call.signInEmail({ input: ada })).headers)
  await service.reload({ ...initial, secret: newSecret })
  expect([await isSignedIn(cookie), await isSignedIn(later)]).toEqual([false, true])
})

it("refuses secrets that do not decrypt what is stored, and changes nothing then", async () => {
  const { initial, mails, service, signUp, isSignedIn } = await start()
  const cookie = await signUp()
  await service.call.sendVerificationEmail({ input: { email: ada.email } })
  await vi.waitUntil(() => mails.length > 0, 5_000)
  await service.call.verifyEmail({ input: { token: /token=([\w.-]+)/.exec(mails[0]?.text ?? "")?.[1] ?? "" } })
  expect((await service.fetch(request("/2fa/totp/enable", { body: { password }, cookie }))).status).toBe(200)
  const others: Array<Mail> = []
  const next = { ...initial, secret: newSecret, mail: { send: async (mail: Mail) => void others.push(mail) } }
  await expect(service.reload(next)).rejects.toThrow("none of the listed secrets can decrypt 1 value of two_factor")
  expect(await isSignedIn(cookie)).toBe(true)
  await service.call.requestPasswordReset({ input: { email: ada.email } })
  await vi.waitUntil(() => mails.length > 1, 5_000)
  expect(others).toEqual([])
})

it("names all faults of an invalid configuration at once, and changes nothing", async () => {
  const { initial, service, signUp, isSignedIn } = await start()
  const cookie = await signUp()
  const fault = await service.reload({ ...initial, secret: "short", log: { level: "loud" as "info" } }).catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(ConfigurationFault)
  expect((fault as ConfigurationFault).faults.map((line) => line.split(":")[0])).toEqual(["secret", "log.level"])
  expect(await isSignedIn(cookie)).toBe(true)
})

it("checks the settings that it replaces together with those that stay", async () => {
  const { initial, service } = await start({ sms: { kind: "console" }, modules: { phone: {} } })
  // Without the phone module, this configuration would be valid after a restart.
  await expect(service.reload({ ...initial, sms: { kind: "none" }, modules: {} })).rejects.toThrow("sms")
})

it("replaces the mailer; messages that wait go to the new one", async () => {
  const mails: Array<Mail> = []
  const failing = { send: () => Promise.reject(new Error("the server is down")) }
  const { initial, service, signUp } = await start({ mail: failing })
  await signUp()
  await service.call.sendVerificationEmail({ input: { email: ada.email } })
  await service.reload({ ...initial, mail: { send: async (mail) => void mails.push(mail) } })
  await vi.waitUntil(() => mails.length > 0, 30_000)
  expect(mails[0]?.to).toBe(ada.email)
}, 40_000)

it("keeps a mailer until its last message is sent", async () => {
  const [began, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [first, second]: [Array<Mail>, Array<Mail>] = [[], []]
  const slow = async (mail: Mail) => {
    began.resolve()
    await sent.promise
    first.push(mail)
  }
  const { initial, service, signUp } = await start({ mail: { send: slow } })
  await signUp()
  await service.call.sendVerificationEmail({ input: { email: ada.email } })
  await began.promise
  await service.reload({ ...initial, mail: { send: async (mail) => void second.push(mail) } })
  await service.call.requestPasswordReset({ input: { email: ada.email } })
  await vi.waitUntil(() => second.length > 0, 5_000)
  sent.resolve()
  await vi.waitUntil(() => first.length > 0, 5_000)
  expect([first.length, second.length]).toEqual([1, 1])
})

it("replaces the webhooks of the configuration", async () => {
  const webhook = (id: string) => ({ id, url: `https://${id}.example.com/`, secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] as const })
  const modulesWith = (...ids: ReadonlyArray<string>) => ({
    admin: { admin_emails: [ada.email] },
    events: { webhooks: ids.map(webhook) },
  })
  const { initial, service, signUp } = await start({ modules: modulesWith("one") })
  const cookie = await signUp()
  const ids = async () => {
    const response = await service.fetch(request("/admin/webhooks/list", { cookie }))
    expect(response.status).toBe(200)
    const { webhooks }: { readonly webhooks: ReadonlyArray<{ readonly id: string }> } = await response.json()
    return webhooks.map(({ id }) => id)
  }
  expect(await ids()).toEqual(["one"])
  expect((await service.reload({ ...initial, modules: modulesWith("one", "two") })).changed).toEqual(["modules.events.webhooks"])
  expect(await ids()).toEqual(["one", "two"])
  // A module that was off stays off, and one that was on stays on.
  const reloaded = await service.reload({ ...initial, modules: { username: {} } })
  expect(reloaded).toEqual({ changed: [], needsRestart: expect.arrayContaining(["modules.events", "modules.admin", "modules.username"]) })
  expect(await ids()).toEqual(["one", "two"])
})

it("changes the level of the log, and names what needs a restart", async () => {
  const lines: Array<string> = []
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)))
  const { initial, service } = await start({ log: { level: "warn", format: "json" } })
  const read = () => service.fetch(request("/get-session"))
  await read()
  const next = {
    ...initial,
    log: { level: "debug", format: "json" },
    public_url: "http://localhost:3001",
    session: { expires_in: 600 },
  } as const
  const { changed, needsRestart } = await service.reload(next)
  await read()
  spy.mockRestore()
  expect([changed, needsRestart]).toEqual([["log.level"], ["public_url", "session"]])
  const messages = lines.map((line) => JSON.parse(line).message)
  expect(messages).toEqual(["the configuration was reloaded", "changed settings need a restart", "request"])
  expect(lines.join("\n")).not.toContain(oldSecret)
})

it("rejects after the service is closed", async () => {
  const { initial, service } = await start()
  await service.close()
  await expect(service.reload(initial)).rejects.toThrow("The service is closed.")
})
