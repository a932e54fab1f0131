import { createServer } from "node:net"
import { afterEach, describe, expect, it, vi } from "vitest"
import { ConfigurationFault, type SallyportConfiguration, sallyport } from "../../../index.ts"
import { configured, cookieOf, password, request } from "./configured.ts"
import { promisedStore } from "./promised-store.ts"

const ada = { email: "ada@example.com", password }
const closers: Array<() => Promise<void>> = []
const started = <C extends SallyportConfiguration>(configuration: C) => {
  const auth = sallyport(configuration)
  closers.push(auth.close)
  return auth
}
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closers.splice(0)) await close()
})

const invalid = { secret: "short" } as const
const health = () => new Request("http://localhost:3000/readyz")

describe("a handle", () => {
  it("does nothing until it is used, and is not a promise", () => {
    const auth = sallyport(invalid)
    expect("then" in auth).toBe(false)
    expect((auth.call as { then?: unknown }).then).toBeUndefined()
  })

  it("opens once for 200 requests, calls and readers at the same time", async () => {
    const { store, events } = promisedStore()
    const auth = started({ ...configured().configuration, store })
    const uses = Array.from({ length: 50 }, () => [
      auth.fetch(health()).then(({ status }) => status),
      auth.call.getSession().then(({ error }) => error),
      auth.getSession({ headers: {} }).then(({ status }) => status),
      auth.ready(),
    ])
    const [[status, error, session] = []] = await Promise.all(uses.map((each) => Promise.all(each)))
    expect([status, error, session]).toEqual([200, null, "anonymous"])
    expect(events).toEqual(["open"])
  })

  it("rejects the call of an operation that no enabled module has", async () => {
    const auth = started(configured().configuration)
    const call = auth.call as unknown as { nosuch: () => Promise<unknown> }
    await expect(call.nosuch()).rejects.toThrow("No enabled module has the operation nosuch.")
  })
})

describe("without its store", () => {
  const withoutStore = (changes: Partial<SallyportConfiguration> = {}) => {
    const { store, events, turn } = promisedStore()
    turn("off")
    return { auth: started({ ...configured().configuration, ...changes, store }), events, turn }
  }

  it("answers unavailable with Retry-After, and tries again after a second, then every two", async () => {
    const { auth, events, turn } = withoutStore()
    const refused = await auth.fetch(health())
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"])
    expect(await refused.json()).toMatchObject({ error: { code: "unavailable" } })
    expect(await auth.call.signUpEmail({ input: ada })).toMatchObject({ data: null, error: { code: "unavailable", status: 503 } })
    expect(await auth.getSession({ headers: {} })).toMatchObject({ status: "unavailable" })
    expect(events).toEqual(["open"])

    const now = vi.spyOn(performance, "now")
    const begun = performance.now()
    const opensAt = async (time: number) => {
      now.mockReturnValue(begun + time)
      await Promise.all([auth.fetch(health()), auth.fetch(health())])
      return events.filter((event) => event === "open").length
    }
    expect([await opensAt(900), await opensAt(1100), await opensAt(2900), await opensAt(3200)]).toEqual([1, 2, 2, 3])
    turn("on")
    now.mockReturnValue(begun + 10_000)
    expect((await auth.fetch(health())).status).toBe(200)
    now.mockRestore()
  })

  it("ready waits for a store that heals", async () => {
    const { auth, events, turn } = withoutStore()
    const ready = auth.ready()
    await vi.waitUntil(() => events.length > 0)
    turn("on")
    await ready
    expect((await auth.fetch(health())).status).toBe(200)
  })

  it("does not show the reason where the environment has a public URL", async () => {
    vi.stubEnv("SALLYPORT_PUBLIC_URL", "https://accounts.example.com")
    const { auth } = withoutStore()
    expect(await (await auth.fetch(health())).text()).not.toContain("cannot be reached (")
  })

  it.each([
    ["shows", "development", "http://localhost:3000", true],
    ["does not show", "production", "http://localhost:3000", false],
    ["does not show", "development", "https://accounts.example.com", false],
  ])("%s the reason in %s at %s", async (_, environment, public_url, isShown) => {
    vi.stubEnv("NODE_ENV", environment)
    const { auth } = withoutStore({ public_url })
    const { error } = (await (await auth.fetch(health())).json()) as { error: { message: string } }
    expect(error.message.startsWith("The store cannot be reached")).toBe(isShown)
  })

  it("names the server, and never the user or password", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await vi.waitUntil(() => server.listening)
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const url = `postgres://app:hunter2@127.0.0.1:${port}/app`
    const auth = started({ ...configured().configuration, store: { kind: "postgres", url } })
    const text = await (await auth.fetch(health())).text()
    expect(text).toMatch(/The store cannot be reached .*ECONNREFUSED/)
    expect(text).not.toMatch(/hunter2|app:/)
  })
})

describe("with faults in its configuration", () => {
  it("answers internal_error without another attempt; ready rejects with all faults", async () => {
    vi.stubEnv("SALLYPORT_SECRET", "")
    const auth = sallyport({ ...invalid, log: { level: "none" } })
    const refused = await auth.fetch(health())
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([500, null])
    expect(await refused.json()).toMatchObject({ error: { code: "internal_error", message: expect.stringMatching(/^secret: /) } })
    await expect(auth.ready()).rejects.toBeInstanceOf(ConfigurationFault)
    expect(await auth.getSession({ headers: {} })).toMatchObject({ status: "unavailable", reason: expect.stringMatching(/^secret: /) })
    vi.stubEnv("NODE_ENV", "production")
    expect((await auth.call.getSession()).error?.message).not.toContain("secret")
  })
})

describe("while Next.js prerenders", () => {
  it("throws at every use, and ready resolves without opening", async () => {
    vi.stubEnv("NEXT_PHASE", "phase-production-build")
    const { store, events } = promisedStore()
    const auth = started({ ...configured().configuration, store })
    await auth.ready()
    for (const use of [auth.fetch(health()), auth.call.getSession(), auth.getSession({ headers: {} })])
      await expect(use).rejects.toThrow("while Next.js prerendered a page")
    expect(events).toEqual([])
  })
})

describe("the environment", () => {
  it("adds the secret, the address and the database where they are missing, and overrides nothing", async () => {
    const { secret, store, ...rest } = configured().configuration
    vi.stubEnv("SALLYPORT_SECRET", secret)
    vi.stubEnv("SALLYPORT_PUBLIC_URL", "http://localhost:4000")
    vi.stubEnv("DATABASE_URL", "postgres://application@127.0.0.1:1/app")
    const auth = started({ ...rest, store })
    const foreign = request("/sign-up/email", { body: ada, base: "http://localhost:4000" })
    foreign.headers.set("origin", "http://localhost:4000")
    expect((await auth.fetch(foreign)).status).toBe(200)
    await expect(auth.reload({ ...rest, store, log: { level: "error" } })).resolves.toMatchObject({ needsRestart: [] })

    vi.stubEnv("SALLYPORT_DATABASE_URL", "mysql://app@db")
    await expect(started(rest).ready()).rejects.toThrow("SALLYPORT_DATABASE_URL")
    vi.stubEnv("SALLYPORT_SECRET", "short")
    await expect(started({ ...rest, secret, store, public_url: "http://localhost:3000" }).ready()).resolves.toBeUndefined()
  })
})

describe("several handles in one process", () => {
  const user = async (auth: Pick<ReturnType<typeof sallyport>, "fetch">) =>
    (await auth.fetch(request("/sign-up/email", { body: ada }))).status

  it("never share a memory store outside of development", async () => {
    const { mail: _, ...configuration } = configured().configuration
    expect([await user(started(configuration)), await user(started(configuration))]).toEqual([200, 200])
  })

  it("share one service in development, and a newer configuration replaces an older one", async () => {
    vi.stubEnv("NODE_ENV", "development")
    const { configuration } = configured()
    const [first, same] = [started(configuration), started({ ...configuration })]
    expect([await user(first), await user(same)]).toEqual([200, 422])

    const edited = started({ ...configuration, mail: { send: async () => {} } })
    expect(await user(edited)).toBe(200)
    // The older handles forward to the newer service.
    expect([await user(first), await user(same)]).toEqual([422, 422])
    const cookie = cookieOf((await first.fetch(request("/sign-in/email", { body: ada }))).headers)
    expect(await edited.getSession({ headers: { cookie } })).toMatchObject({ status: "authenticated" })

    await edited.close()
    expect((await first.fetch(health())).status).toBe(503)
    expect(await user(started(configuration))).toBe(200)
  })

  it("an older handle that is first used after a newer one gets the newer service", async () => {
    vi.stubEnv("NODE_ENV", "development")
    const { configuration } = configured()
    const older = started(configuration)
    const newer = started({ ...configuration, mail: { send: async () => {} } })
    expect([await user(newer), await user(older)]).toEqual([200, 422])
  })
})
