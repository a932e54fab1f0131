import { assert, describe, it, vi } from "vitest"
import type { Result } from "../../client/http.ts"
import { makeSessionStore } from "../../client/session-store.ts"
import { stubPage } from "./page.ts"

interface Session {
  readonly session: { readonly id: string }
  readonly user: { readonly id: string }
}
type Read = Result<Session | { readonly session: null; readonly user: null }, string>

const response = new Response()
const signedIn = (id: string): Read => ({ data: { session: { id }, user: { id: "u" } }, error: null, response })
const signedOut: Read = { data: { session: null, user: null }, error: null, response }
const failed = (status: number): Read => ({ data: null, error: { code: "network_error", message: "", status }, response: null })

/** A service whose answers the test gives one by one. */
const service = () => {
  const waiting: Array<(read: Read) => void> = []
  return {
    read: () => new Promise<Read>((resolve) => waiting.push(resolve)),
    requests: () => waiting.length,
    answer: async (read: Read) => {
      waiting.shift()?.(read)
      await settled()
    },
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))
const ignore = () => {}

describe("the session store of a page", () => {
  const page = stubPage()

  it("is pending until the first listener reads the session, then calls every listener", async () => {
    const { read, answer, requests } = service()
    const store = makeSessionStore("a", read)
    const listener = vi.fn()
    assert.deepStrictEqual([store.get().status, requests()], ["pending", 0])
    store.subscribe(listener)
    store.subscribe(ignore)
    assert.strictEqual(requests(), 1)
    await answer(signedIn("1"))
    assert.deepStrictEqual(store.get(), { status: "authenticated", session: { id: "1" }, user: { id: "u" } })
    assert.strictEqual(listener.mock.calls.length, 1)
  })

  it("has one request in flight, and drops an answer from before a change", async () => {
    const { read, answer, requests } = service()
    const store = makeSessionStore("a", read)
    store.subscribe(ignore)
    store.changed()
    store.changed()
    assert.strictEqual(requests(), 1)
    await answer(signedIn("old"))
    assert.strictEqual(store.get().status, "pending")
    assert.strictEqual(requests(), 1)
    await answer(signedOut)
    assert.strictEqual(store.get().status, "anonymous")
    assert.strictEqual(requests(), 0)
  })

  it("ends with 401 and with a null session, but not with a fault of the network or the service", async () => {
    for (const [read, status] of [
      [failed(0), "authenticated"],
      [failed(503), "authenticated"],
      [failed(401), "anonymous"],
      [signedOut, "anonymous"],
    ] as const) {
      const { read: reading, answer } = service()
      const store = makeSessionStore("a", reading)
      store.subscribe(ignore)
      await answer(signedIn("1"))
      store.changed()
      await answer(read)
      assert.strictEqual(store.get().status, status)
    }
  })

  it("calls no listener when nothing changed", async () => {
    const { read, answer } = service()
    const store = makeSessionStore("a", read)
    const listener = vi.fn()
    store.subscribe(listener)
    await answer(signedIn("1"))
    store.changed()
    await answer(signedIn("1"))
    assert.strictEqual(listener.mock.calls.length, 1)
  })

  it("reads again after a change in another tab, and sends that tab no data", async () => {
    const [one, other] = [service(), service()]
    const store = makeSessionStore("a", one.read)
    const second = makeSessionStore("a", other.read)
    const elsewhere = makeSessionStore("b", other.read)
    store.subscribe(ignore)
    await one.answer(signedOut)
    second.changed()
    assert.strictEqual(one.requests(), 1)
    await one.answer(signedIn("1"))
    elsewhere.changed()
    assert.strictEqual(one.requests(), 0)
  })

  it("reads again when the page becomes visible after 5 s, comes online, returns from the back-forward cache, or shows another address", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { read, answer, requests } = service()
    const store = makeSessionStore("a", read)
    const stop = store.subscribe(ignore)
    await answer(signedOut)
    const shows = () => page.document.dispatchEvent(new Event("visibilitychange"))
    vi.advanceTimersByTime(4999)
    shows()
    assert.strictEqual(requests(), 0)
    vi.advanceTimersByTime(1)
    page.document.visibilityState = "hidden"
    shows()
    assert.strictEqual(requests(), 0)
    page.document.visibilityState = "visible"
    shows()
    assert.strictEqual(requests(), 1)
    await answer(signedOut)
    page.window.dispatchEvent(new Event("online"))
    assert.strictEqual(requests(), 1)
    await answer(signedOut)
    page.window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }))
    assert.strictEqual(requests(), 0)
    page.window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }))
    assert.strictEqual(requests(), 1)
    await answer(signedOut)
    page.navigation.dispatchEvent(new Event("navigatesuccess"))
    assert.strictEqual(requests(), 1)
    await answer(signedOut)
    stop()
    await settled()
    page.window.dispatchEvent(new Event("online"))
    page.navigation.dispatchEvent(new Event("navigatesuccess"))
    assert.strictEqual(requests(), 0)
    vi.useRealTimers()
  })

  it("reads again when listening starts again, since it did not receive the changes of other tabs", async () => {
    const { read, answer, requests } = service()
    const store = makeSessionStore("a", read)
    const stop = store.subscribe(ignore)
    await answer(signedIn("1"))
    stop()
    await settled()
    makeSessionStore("a", service().read).changed()
    assert.strictEqual(requests(), 0)
    store.subscribe(ignore)
    await answer(signedOut)
    assert.strictEqual(store.get().status, "anonymous")
  })

  it("continues listening when a page replaces its only listener, and reads nothing", async () => {
    const { read, answer, requests } = service()
    const store = makeSessionStore("a", read)
    const stop = store.subscribe(ignore)
    await answer(signedIn("1"))
    stop()
    store.subscribe(ignore)
    await settled()
    assert.strictEqual(requests(), 0)
    page.window.dispatchEvent(new Event("online"))
    assert.strictEqual(requests(), 1)
  })

  it("reads again after a listener threw", async () => {
    const { read, answer, requests } = service()
    const store = makeSessionStore("a", read)
    const thrown = store.refresh().catch((error: Error) => error.message)
    store.subscribe(() => {
      throw new Error("a listener")
    })
    await answer(signedIn("1"))
    await answer(signedIn("1"))
    assert.strictEqual(await thrown, "a listener")
    store.changed()
    assert.strictEqual(requests(), 1)
    await answer(signedIn("1"))
  })

  it("starts with the session that the server rendered, and does not read it again", () => {
    const { read, requests } = service()
    const store = makeSessionStore<Session>("a", read)
    store.hydrate({ status: "authenticated", session: { id: "1" }, user: { id: "u" } })
    store.subscribe(ignore)
    assert.deepStrictEqual([store.get().status, requests()], ["authenticated", 0])
  })

  it("reads the session where the server rendered none", () => {
    const { read, requests } = service()
    const store = makeSessionStore<Session>("a", read)
    store.hydrate({ status: "pending" })
    store.subscribe(ignore)
    assert.strictEqual(requests(), 1)
  })

  it("reads a rendered session when listening starts again", async () => {
    const { read, requests } = service()
    const store = makeSessionStore<Session>("a", read)
    store.hydrate({ status: "anonymous" })
    store.subscribe(ignore)()
    await settled()
    store.subscribe(ignore)
    assert.strictEqual(requests(), 1)
  })
})

describe("the session store on a server", () => {
  it("stays pending: all visitors share it", async () => {
    const { read, requests } = service()
    const store = makeSessionStore<Session>("a", read)
    store.hydrate({ status: "authenticated", session: { id: "1" }, user: { id: "u" } })
    store.subscribe(ignore)
    store.changed()
    await settled()
    assert.deepStrictEqual([store.get().status, requests()], ["pending", 0])
  })
})

describe("the session store of an app", () => {
  it("is that of a page, without its events", async () => {
    const { read, answer, requests } = service()
    const store = makeSessionStore<Session>("a", read, true)
    const stop = store.subscribe(ignore)
    assert.strictEqual(requests(), 1)
    await answer(signedIn("1"))
    store.changed()
    assert.strictEqual(requests(), 1)
    await answer(signedOut)
    store.hydrate({ status: "authenticated", session: { id: "2" }, user: { id: "u" } })
    assert.strictEqual(store.get().status, "authenticated")
    stop()
    await settled()
    store.subscribe(ignore)
    assert.strictEqual(requests(), 1)
  })
})
