import { assert, describe, it } from "vitest"
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
