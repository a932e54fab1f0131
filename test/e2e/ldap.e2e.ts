import { afterAll, describe, expect, it } from "vitest"
import { ldapSignIn } from "../../examples/ldap-sign-in.ts"
import { sallyport } from "../../index.ts"
import { base_dn, bind_dn, bind_password, startSlapd } from "./slapd.ts"

// examples/ldap-sign-in.ts against a real directory, as an application runs it.

const ada = { uid: "ada", name: "Ada Lovelace", mail: "Ada@example.org", password: "the analytical engine" }
const bob = { uid: "bob", name: "Bob", mail: "bob@example.org", password: "another (password)*" }
const eve = { uid: "eve", name: "Eve", mail: "eve@example.org", password: "the password of Eve" }
const directory = await startSlapd([ada, bob, eve])
const origin = "http://localhost:3000"

const auth = sallyport({
  secret: "a secret for these tests only, 32+ bytes",
  public_url: origin,
  store: { kind: "memory" },
  mail: { kind: "none" },
  email_password: { enabled: true, hash: { memory_kib: 1024, passes: 1, lanes: 1 } },
  cookie: { secure: false, host_prefix: false },
  rate_limit: { sign_in: { limit: 3, window: 300 } },
  modules: { ldap_sign_in: { url: directory.url, bind_dn, bind_password, base_dn } },
  extensions: [ldapSignIn],
  pages: {},
  log: { level: "error" },
})
afterAll(() => auth.close())

/** Each request comes from another network. */
let clients = 0
const post = async (path: string, body: unknown, address = `10.${++clients}.0.1`, headers = {}) => {
  const request = new Request(`${origin}${path}`, {
    method: "POST",
    headers: { origin, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
  const response = await auth.fetch(request, { address })
  return {
    status: response.status,
    cookies: response.headers.getSetCookie(),
    body: (await response.json().catch(() => ({}))) as any,
    response,
  }
}
const signIn = (name: string, password: string, address?: string) => post("/api/auth/sign-in/ldap", { name, password }, address)

describe("sign-in by a directory", () => {
  it("signs up at the first sign-in, with the verified address and the name of the entry, and finds the user again", async () => {
    const first = await signIn("ada", ada.password)
    expect(first.body).toMatchObject({ user: { email: "ada@example.org", email_verified: true, name: "Ada Lovelace" } })
    expect(first.cookies.join()).toContain("session=")
    const second = await signIn("ADA", ada.password)
    expect(second.body.user.id).toBe(first.body.user.id)
  })

  it("refuses a wrong password, an unknown name and an empty password alike", async () => {
    const answers = [await signIn("bob", "wrong"), await signIn("nobody", bob.password), await signIn("bob", "")]
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(Array(3).fill([401, "invalid_credentials"]))
  })

  it.each(["*", "a*", "ada)(uid=*", "*)(objectClass=*", "\\2a", "ada\u0000", "uid=ada", ""])("the name %j is no filter", async (name) => {
    expect((await signIn(name, ada.password)).body.error?.code).toBe("invalid_credentials")
  })

  it("counts wrong guesses, for known and unknown names", async () => {
    for (const name of ["bob", "nobody"]) {
      const address = `198.51.100.${name.length}`
      const guesses = []
      for (let guess = 0; guess < 4; guess++) guesses.push((await signIn(name, `guess ${guess}`, address)).status)
      expect(guesses).toEqual([401, 401, 401, 429])
      expect((await signIn(name, bob.password, address)).status).toBe(429)
    }
    expect((await signIn("bob", bob.password)).status).toBe(200)
  })

  it("opens one user for many first sign-ins at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn("eve", eve.password)))
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(Array(10).fill([200, undefined]))
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  })

  it("has a page with a link on the sign-in page, and shows refusals there", async () => {
    const address = "203.0.113.7"
    const jar = new Map<string, string>()
    const open = async (path: string, fields?: Record<string, string>) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
      const form = fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }
      const response = await auth.fetch(new Request(`${origin}${path}`, { headers: { origin, accept: "text/html", cookie }, ...form }), {
        address,
      })
      for (const set of response.headers.getSetCookie()) jar.set(set.split("=")[0] ?? "", /=([^;]*)/.exec(set)?.[1] ?? "")
      return { status: response.status, location: response.headers.get("location"), html: await response.text() }
    }
    expect((await open("/sign-in")).html).toContain(
      '<a class="button secondary" href="/sign-in/ldap">Sign in with your company account</a>',
    )
    const shown = await open("/sign-in/ldap")
    const form_token = /name="form_token" value="([^"]+)"/.exec(shown.html)?.[1] ?? ""
    const fields = { form_token, action: "sign_in", name: "ada" }
    const refused = await open("/sign-in/ldap", { ...fields, password: "wrong" })
    expect([refused.status, refused.html.includes(ada.password)]).toEqual([401, false])
    expect(refused.html).toContain('role="alert"')
    const done = await open("/sign-in/ldap", { ...fields, password: ada.password })
    expect([done.status, done.location]).toEqual([303, "/account"])
    expect((await open("/account")).html).toContain("Ada Lovelace")
    expect((await open("/sign-in?another=yes")).html).toMatch(/<a [^>]*href="\/sign-in\/ldap" aria-describedby="mark">/)
  })

  it("says when the directory does not answer, and works again with it", async () => {
    await directory.stop()
    const refused = await signIn("ada", ada.password)
    expect([refused.status, refused.body.error?.code]).toEqual([503, "directory_unavailable"])
    expect(JSON.stringify(refused.body)).not.toContain("127.0.0.1")
    await directory.start()
    expect((await signIn("ada", ada.password)).status).toBe(200)
  })
})
