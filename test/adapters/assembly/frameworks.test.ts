import { describe, expect, it } from "vitest"
import { sallyport } from "../../../index.ts"
import { configured, cookieOf, password, request } from "./configured.ts"
import { mounts } from "./mounts.ts"

describe.each(Object.entries(mounts))("in %s", (_, mount) => {
  it("signs up, reads the session, counts by the socket's address and signs out", async () => {
    const { configuration } = configured()
    const auth = sallyport({ ...configuration, rate_limit: { requests: { limit: 3, window: 60 } } })
    const { url: base, stop } = await mount(auth)
    const signUp = await fetch(request("/sign-up/email", { base, body: { email: "ada@example.com", password } }))
    expect([signUp.status, await signUp.json()]).toMatchObject([200, { user: { email: "ada@example.com" } }])
    const cookie = cookieOf(signUp.headers)
    const session = await fetch(request("/get-session", { base, cookie }))
    expect(await session.json()).toMatchObject({ user: { email: "ada@example.com" } })
    const { data } = await auth.call.listSessions({ headers: { cookie } })
    expect(data?.sessions).toMatchObject([{ ip_address: "127.0.0.1" }])
    const signOut = await fetch(request("/sign-out", { base, cookie, body: {} }))
    expect(signOut.headers.getSetCookie()[0]).toMatch(/Max-Age=0/i)

    const statuses = [
      await fetch(request("/sign-in/email", { base, body: {} })),
      await fetch(request("/sign-in/email", { base, body: {} })),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([400, 400])
    expect((await fetch(request("/sign-in/email", { base, body: {} }))).status).toBe(429)
    await stop()
    await auth.close()
  })
})
