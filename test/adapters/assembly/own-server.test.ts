import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest"
import { assertNode } from "../../../adapters/assembly/node-version.ts"
import { named } from "../../../application/modules/index.ts"
import { ConfigurationFault, type Mail, sallyport } from "../../../index.ts"
import { configured, cookieOf, password, request } from "./configured.ts"

const ada = { email: "ada@example.com", password }
const closers: Array<() => Promise<void>> = []
const start = async () => {
  const { mails, configuration } = configured()
  const auth = sallyport(configuration)
  closers.push(auth.close)
  return { mails, auth }
}
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

describe("fetch", () => {
  it("serves REST, GraphQL and the health checks", async () => {
    const { auth } = await start()
    const signUp = await auth.fetch(request("/sign-up/email", { body: ada }))
    expect(signUp.status).toBe(200)
    const session = await auth.fetch(request("/get-session", { cookie: cookieOf(signUp.headers) }))
    expect(await session.json()).toMatchObject({ user: { email: ada.email } })

    const body = JSON.stringify({ query: "{ __typename }" })
    const headers = { "content-type": "application/json" }
    const graph = await auth.fetch(new Request("http://localhost:3000/graphql", { method: "POST", headers, body }))
    expect(await graph.json()).toEqual({ data: { __typename: "Query" } })
    expect((await auth.fetch(new Request("http://localhost:3000/readyz"))).status).toBe(200)
    expect((await auth.fetch(request("/no-such-path"))).status).toBe(404)
    expect((await auth.fetch(request("/get-session/"))).status).toBe(404)
  })

  it("streams the events of a subscription, and ends the stream when it is closed", async () => {
    const { configuration } = configured()
    const auth = sallyport({ ...configuration, modules: { ...configuration.modules, audit: {} } })
    closers.push(auth.close)
    const cookie = cookieOf((await auth.call.signUpEmail({ input: ada })).headers)
    const headers = { accept: "text/event-stream", "content-type": "application/json", cookie }
    const body = JSON.stringify({ query: "subscription { sessionEvents { type } }" })
    const response = await auth.fetch(new Request("http://localhost:3000/graphql", { method: "POST", headers, body }))
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe(":\n\n")
    await auth.call.signInEmail({ input: ada })
    expect((await reader.read()).value).toContain("SESSION_OPENED")
    const closed = auth.close()
    expect((await reader.read()).value).toMatch(/^retry: \d+\n\n$/)
    expect((await reader.read()).done).toBe(true)
    await closed
  })

  it("gives waitUntil the delivery of the mails of a request, and nothing for a read", async () => {
    const { mails, configuration } = configured()
    const mail = {
      send: async (mail: Mail) => {
        await new Promise((resolve) => setTimeout(resolve, 200))
        mails.push(mail)
      },
    }
    const auth = sallyport({ ...configuration, mail })
    closers.push(auth.close)
    const work: Array<Promise<unknown>> = []
    const waitUntil = (each: Promise<unknown>) => void work.push(each)
    await auth.fetch(request("/get-session"), { waitUntil })
    expect(work).toEqual([])

    await auth.fetch(request("/sign-up/email", { body: ada }))
    await auth.fetch(request("/request-password-reset", { body: { email: ada.email } }), { waitUntil })
    expect([mails.length, work.length]).toEqual([0, 1])
    await Promise.all(work)
    expect(mails.map(({ to }) => to)).toEqual([ada.email])
    await auth.call.requestPasswordReset({ input: { email: ada.email }, waitUntil })
    await work[1]
    expect([mails.length, work.length]).toEqual([2, 2])
  })

  it("refuses other origins and bodies that are too long", async () => {
    const { auth } = await start()
    const foreign = request("/sign-up/email", { body: ada })
    foreign.headers.set("origin", "https://evil.example")
    expect((await auth.fetch(foreign)).status).toBe(403)
    const long = request("/sign-up/email", { body: { ...ada, name: "a".repeat(2_000_000) } })
    expect((await auth.fetch(long)).status).toBe(413)
  })

  it("counts requests by the address in the options", async () => {
    const { configuration } = configured()
    const auth = sallyport({ ...configuration, rate_limit: { requests: { limit: 2, window: 60 } } })
    closers.push(auth.close)
    const statusFor = async (address: string) => (await auth.fetch(request("/sign-up/email", { body: {} }), { address })).status
    expect([await statusFor("192.0.2.1"), await statusFor("192.0.2.1"), await statusFor("192.0.2.1")]).toEqual([400, 400, 429])
    expect(await statusFor("192.0.2.2")).toBe(400)
  })
})

describe("without an address", () => {
  const limited = {
    rate_limit: { requests: { limit: 2, window: 60 }, mail: { limit: 1, window: 60 }, messages: { limit: 100, window: 60 } },
  }
  const unaddressed = () => {
    const { configuration } = configured()
    const auth = sallyport({ ...configuration, ...limited })
    closers.push(auth.close)
    return auth
  }
  const forged = { "x-forwarded-for": "198.51.100.9", "x-real-ip": "198.51.100.9", forwarded: "for=198.51.100.9" }
  const post = async (auth: ReturnType<typeof unaddressed>, path: string, body: unknown) => {
    const sent = request(path, { body })
    for (const [name, value] of Object.entries(forged)) sent.headers.set(name, value)
    return (await auth.fetch(sent)).status
  }

  it("one visitor does not lock out the others: reads and sign-ins have no shared budget", async () => {
    const auth = unaddressed()
    await auth.fetch(request("/sign-up/email", { body: ada }))
    for (let each = 0; each < 1000; each++) {
      const { status } = await auth.fetch(request("/get-session"))
      if (status !== 200) expect.fail(`${status}`)
    }
    expect(await post(auth, "/sign-in/email", ada)).toBe(200)
  })

  it("sign-ups and messages share ten times the budget", async () => {
    const auth = unaddressed()
    const signUps = []
    for (let each = 0; each < 21; each++) signUps.push(await post(auth, "/sign-up/email", { ...ada, email: `${each}@example.com` }))
    expect(signUps).toEqual([...Array(20).fill(200), 429])
    const mails = []
    for (let each = 0; each < 11; each++) mails.push(await post(auth, "/request-password-reset", { email: `${each}@example.com` }))
    expect(mails).toEqual([...Array(10).fill(200), 429])
    expect(await post(auth, "/sign-in/email", { ...ada, email: "0@example.com" })).toBe(200)
  })

  it("wrong passwords count for the account", async () => {
    const { configuration } = configured()
    const auth = sallyport({ ...configuration, rate_limit: { sign_in: { limit: 2, window: 60 }, sign_in_total: { limit: 4, window: 60 } } })
    closers.push(auth.close)
    await auth.fetch(request("/sign-up/email", { body: ada }))
    const guesses = []
    for (let each = 0; each < 5; each++) guesses.push(await post(auth, "/sign-in/email", { ...ada, password: "a wrong password" }))
    expect(guesses).toEqual([401, 401, 401, 401, 429])
  })
})

describe("getSession", () => {
  it("reads the session of a request of fetch or of node:http", async () => {
    const { auth } = await start()
    const cookie = cookieOf((await auth.call.signUpEmail({ input: ada })).headers)
    for (const headers of [new Headers({ cookie }), { cookie, "set-cookie": ["ignored"], origin: undefined }]) {
      expect(await auth.getSession({ headers })).toMatchObject({ status: "authenticated", user: { email: ada.email } })
    }
    expect(await auth.getSession({ headers: {} })).toMatchObject({ status: "anonymous" })
    const ended = await auth.getSession({ headers: { cookie: `${cookie.split("=")[0]}=unknown` } })
    expect([ended.status, "headers" in ended && [...ended.headers]]).toEqual(["anonymous", []])
  })

  it("answers unavailable once the service is closed", async () => {
    const { auth } = await start()
    await auth.close()
    expect(await auth.getSession({ headers: {} })).toEqual({ status: "unavailable", reason: "The service is closed." })
  })
})

describe("the version of Node", () => {
  it.each([
    { node: "22.18.0", isAccepted: false },
    { node: "20.20.2", isAccepted: false },
    { node: "22.19.0", isAccepted: true },
    { node: "24.0.0", isAccepted: true },
    { node: "20.1.0", bun: "1.3.0", isAccepted: true },
  ])("$node, Bun $bun: accepted is $isAccepted", ({ isAccepted, ...versions }) => {
    const assert = () => assertNode(versions)
    if (isAccepted) expect(assert).not.toThrow()
    else expect(assert).toThrow(`Sallyport needs Node 22.19 or newer; this is Node ${versions.node}.`)
  })
})

describe("call", () => {
  it("answers with the session of the headers", async () => {
    const { auth } = await start()
    const signedUp = await auth.call.signUpEmail({ input: ada })
    expect(signedUp).toMatchObject({ data: { user: { email: ada.email } }, error: null, challenge: null })
    const { data } = await auth.call.getSession({ headers: { cookie: cookieOf(signedUp.headers) } })
    expect(data?.user?.email).toBe(ada.email)
    expect(typeof data?.user?.created_at).toBe("string")
    expect((await auth.call.getSession()).data).toEqual({ session: null, user: null })
  })

  it("treats members that are undefined as absent, in queries and in bodies", async () => {
    const { auth } = await start()
    const input = { ...ada, name: undefined }
    const signedUp = await auth.call.signUpEmail({ input: input as never })
    expect(signedUp.error).toBeNull()
    const changed = { token: "unknown", new_password: password, remove_other_credentials: undefined }
    expect((await auth.call.resetPassword({ input: changed as never })).error?.code).toBe("invalid_token")
    const options = { headers: { cookie: cookieOf(signedUp.headers) }, input: { username: "ada", cursor: undefined } as never }
    expect((await auth.call.usernameAvailable(options)).data).toEqual({ available: true })
  })

  it("answers with an error for an input that JSON cannot express", async () => {
    const { auth } = await start()
    const { error } = await auth.call.signUpEmail({ input: { ...ada, name: 1n } as never })
    expect(error).toMatchObject({ code: "internal_error", status: 500 })
  })

  it("has Session-Changed for operations that change the session", async () => {
    const { auth } = await start()
    const { headers: given } = await auth.call.signUpEmail({ input: ada })
    const headers = { cookie: cookieOf(given) }
    const answers = [
      await auth.call.updateUser({ headers, input: { name: "Ada" } }),
      await auth.call.getSession({ headers }),
      await auth.call.updateUser({ input: { name: "Ada" } }),
      await auth.call.signOut({ headers }),
    ]
    const changes = [given, ...answers.map((answer) => answer.headers)].map((each) => each.get("session-changed"))
    expect(changes).toEqual(["?1", "?1", null, null, "?1"])
  })

  it("answers with the error and its header fields in place of rejecting", async () => {
    const { auth } = await start()
    expect(await auth.call.listSessions()).toMatchObject({ data: null, error: { code: "unauthorized", status: 401 } })
    const invalid = await auth.call.signUpEmail({ input: { email: "ada", password } })
    expect(invalid.error).toMatchObject({ code: "invalid_request", status: 400 })
  })

  it("answers a sign-in that needs a second factor with its challenge", async () => {
    const { mails, configuration } = configured()
    const auth = sallyport({ ...configuration, modules: { two_factor: { required: "everyone" } } })
    closers.push(auth.close)
    await auth.call.signUpEmail({ input: ada })
    await auth.call.sendVerificationEmail({ input: { email: ada.email } })
    const token = await vi.waitUntil(() => mails.flatMap(({ text }) => /[?&]token=([\w-]+)/.exec(text)?.[1] ?? [])[0])
    await auth.call.verifyEmail({ input: { token } })
    const signedIn = await auth.call.signInEmail({ input: ada })
    expect(signedIn).toMatchObject({ data: null, error: null })
    expect(signedIn.challenge).not.toBeNull()
  })

  it("has only the operations of the enabled modules, also in its type", async () => {
    const { auth } = await start()
    expect((await auth.call.usernameAvailable({ input: { username: "ada" } })).data).toEqual({ available: true })
    expectTypeOf(auth.call).not.toHaveProperty("passkeyList")
    expect(Object.keys(auth.call)).not.toContain("passkeyList")
    expectTypeOf(auth.call.getSession).parameter(0).not.toBeAny()
  })

  it("names every module by its key", () => {
    expect(Object.entries(named).map(([key, { name }]) => [key, name])).toEqual(Object.keys(named).map((key) => [key, key]))
  })
})

describe("close", () => {
  it("delivers the mail that is due, then refuses requests and calls", async () => {
    const { auth, mails } = await start()
    await auth.call.signUpEmail({ input: ada })
    await auth.call.sendVerificationEmail({ input: { email: ada.email } })
    await Promise.all([auth.close(), auth.close()])
    expect(mails.filter(({ to }) => to === ada.email).length).toBeGreaterThan(0)
    expect((await auth.fetch(request("/get-session"))).status).toBe(503)
    expect(await auth.call.getSession()).toMatchObject({ data: null, error: { code: "unavailable", status: 503 } })
  })
})

describe("a configuration with faults", () => {
  it("rejects with all faults", async () => {
    const { configuration } = configured()
    const start = sallyport({ ...configuration, secret: "short", mail: { kind: "smoke" } as never }).ready()
    await expect(start).rejects.toBeInstanceOf(ConfigurationFault)
    await expect(start).rejects.toMatchObject({ faults: [expect.stringMatching(/^secret: /), expect.stringMatching(/^mail\.kind: /)] })
  })

  it.each([
    [{ http: {} }, "http: found an object, wanted an object with the method fetch"],
    [{ clock: 7 }, "clock: found 7, wanted an object with the method now"],
    [{ store: { read: () => undefined } }, 'store.kind: found nothing, wanted "embedded", "postgres", "mongo" or "memory"'],
  ])("a port without its methods: %j", async (changes, fault) => {
    const { configuration } = configured()
    await expect(sallyport({ ...configuration, ...(changes as object) }).ready()).rejects.toMatchObject({ faults: [fault] })
  })
})
