import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { send } from "../../client/http.ts"

/** A connection that keeps a token; the test gives the answers of its service one by one. */
const connected = (first: string | null) => {
  let held = first
  const waiting: Array<(response: Response) => void> = []
  const connection = {
    url: "http://auth.example.com/api/auth",
    fetch: () => new Promise<Response>((resolve) => waiting.push(resolve)),
    token: {
      get: () => held,
      set: (next: string | null) => {
        held = next
      },
    },
    onChange: () => {},
  }
  /** Sends a request; the function answers it, with this field `set-auth-token`. */
  const begin = async (path: string) => {
    const sent = send(connection, ["POST", path], undefined)
    await new Promise((resolve) => setImmediate(resolve))
    const resolve = waiting.shift()
    return async (token?: string) => {
      resolve?.(Response.json({}, { headers: token === undefined ? {} : { "set-auth-token": token } }))
      await sent
    }
  }
  return { begin, held: () => held }
}

describe("the token of a client", () => {
  it("is the one of the last response that has one, and none after an end of the session", async () => {
    const { begin, held } = connected(null)
    await (await begin("/sign-in/email"))("one")
    assert.strictEqual(held(), "one")
    await (await begin("/update-user"))()
    assert.strictEqual(held(), "one")
    await (await begin("/sign-out"))("")
    assert.isNull(held())
  })

  it("is not replaced by late responses to calls with an earlier token", async () => {
    for (const late of [undefined, "one", ""]) {
      const { begin, held } = connected("one")
      const answerLate = await begin("/update-user")
      await (await begin("/sign-in/email"))("two")
      await answerLate(late)
      assert.strictEqual(held(), "two")
    }
  })

  it("is not restored by a late extension after a sign-out, but is set by a late sign-in", async () => {
    const { begin, held } = connected("one")
    const [extend, signIn] = [await begin("/update-user"), await begin("/sign-in/email")]
    await (await begin("/sign-out"))("")
    await extend("one")
    assert.isNull(held())
    await signIn("two")
    assert.strictEqual(held(), "two")
  })
})

describe("a call with retries", () => {
  const answers = (...all: ReadonlyArray<readonly [status: number, retryAfter?: string]>) => {
    let sent = 0
    const fetch = async (_: unknown, { signal }: RequestInit = {}) => {
      signal?.throwIfAborted()
      const [status, after] = all[sent++]!
      return Response.json(status < 400 ? {} : { error: { code: "rate_limited", message: "" } }, {
        status,
        headers: after === undefined ? {} : { "retry-after": after },
      })
    }
    const connection = { url: "http://auth.example.com", fetch, token: undefined, onChange: () => {} }
    const call = (retries?: number, signal?: AbortSignal) =>
      send(connection, ["POST", "/x"], {}, { ...(retries === undefined ? {} : { retries }), ...(signal ? { signal } : {}) })
    return { call, sent: () => sent }
  }

  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("waits as long as the service says, also when it is overloaded", async () => {
    const { call, sent } = answers([429, "30"], [503, "2"], [200])
    const result = call(5)
    await vi.advanceTimersByTimeAsync(29_999)
    assert.strictEqual(sent(), 1)
    await vi.advanceTimersByTimeAsync(1)
    assert.strictEqual(sent(), 2)
    await vi.advanceTimersByTimeAsync(2000)
    assert.isNull((await result).error)
    assert.strictEqual(sent(), 3)
  })

  it("ends with the refusal after the last retry; without retries, and without a time to wait, at once", async () => {
    const bounded = answers([429, "1"], [429, "1"], [200])
    const result = bounded.call(1)
    await vi.advanceTimersByTimeAsync(1000)
    assert.deepInclude((await result).error, { code: "rate_limited", retryAfter: 1 })
    assert.strictEqual((await answers([429, "1"]).call()).error?.status, 429)
    assert.strictEqual((await answers([503]).call(3)).error?.status, 503)
  })

  it("ends when it is cancelled", async () => {
    const cancel = new AbortController()
    const { call, sent } = answers([429, "30"], [200])
    const result = call(5, cancel.signal)
    await vi.advanceTimersByTimeAsync(1000)
    cancel.abort()
    assert.strictEqual((await result).error?.code, "aborted")
    assert.strictEqual(sent(), 1)
  })
})
