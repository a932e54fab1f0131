import { readdirSync } from "node:fs"
import { join } from "node:path"
import { Agent, fetch, type RequestInit } from "undici"
import { beforeAll, describe, expect, it } from "vitest"
import { frameworks as frameworkGuides } from "../../site/generate/frameworks.ts"
import { atEnd } from "../e2e/endings.ts"
import { until } from "../e2e/waiting.ts"
import { pack } from "../package/tarball.ts"
import { copyExamples, freeOrigin, installExample, runIn, serve } from "./example.ts"

const folders = readdirSync(join(import.meta.dirname, "../../examples/mounted"), { withFileTypes: true })
/** The frameworks of examples/mounted, whether each tells the service the address of its peer, and whether its guide says that it refuses forms of other origins. */
const frameworks = folders
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({
    name,
    knowsAddress: name !== "react-router",
    checksForms: frameworkGuides.some(({ slug, checksForms }) => slug === name && checksForms === true),
  }))

const forgedFields = ["x-forwarded-for", "x-real-ip", "cf-connecting-ip", "fly-client-ip", "true-client-ip"]
const forged = (address: string) => ({
  ...Object.fromEntries(forgedFields.map((field) => [field, address])),
  forwarded: `for=${address}`,
})

/** A client on another address of this machine, which it uses for all of its requests. */
const clientAt = (localAddress: string, url: string) => {
  const dispatcher = new Agent({ localAddress })
  atEnd(() => dispatcher.close())
  return (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: "manual", ...init, dispatcher })
}
type Client = ReturnType<typeof clientAt>

const post = (client: Client, path: string, body: object, headers: Readonly<Record<string, string>>) =>
  client(`/api/auth${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) })

/** What a visitor who follows a link of another site sees, and the target of the page's form. */
const pageOf = async (client: Client, headers: Readonly<Record<string, string>> = {}) => {
  const page = await client("/", { headers: { "sec-fetch-site": "cross-site", ...headers } })
  const text = await page.text()
  return { status: page.status, text, form: /<form[^>]* action="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") }
}

/** The statuses of 1,000 requests without a session, each with another forged address. */
const flood = async (client: Client): Promise<ReadonlySet<number>> => {
  const statuses = new Set<number>()
  for (let group = 0; group < 50; group++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client("/api/auth/get-session", { headers: forged(`203.0.${group}.${index}`) })),
    )
    await Promise.all(answers.map((answer) => answer.text()))
    for (const { status } of answers) statuses.add(status)
  }
  return statuses
}

let examples: string
let tarball: string
beforeAll(() => {
  examples = copyExamples()
  tarball = pack()
}, 300_000)

describe.each(frameworks)("in $name", ({ name, knowsAddress, checksForms }) => {
  it("the built application signs up and out and has pages, accepts no forged address, and no client locks others out", async () => {
    const folder = join(examples, "mounted", name)
    installExample(folder, tarball)
    // With the NODE_ENV of vitest, React would be built for development and not run in production.
    await runIn(folder, ["npm", "run", "build"], { NODE_ENV: "production" })
    const { port, url } = await freeOrigin()
    const variables = { SALLYPORT_SECRET: "a secret for these tests only, 32+ bytes", SALLYPORT_PUBLIC_URL: url, NODE_ENV: "production" }
    // The adapter of SvelteKit assumes https unless this field says otherwise.
    const overHttp = { "x-forwarded-proto": "http" }
    const at = `http://127.0.0.1:${port}`
    await serve(folder, ["npm", "start"], at, { ...variables, PROTOCOL_HEADER: "x-forwarded-proto", HOST: "127.0.0.1", PORT: port })

    const [client, other] = [clientAt("127.0.0.1", at), clientAt("127.0.0.2", at)]
    // The first request opens the embedded database, which can take longer than a request waits.
    await until("the service to open", async () => ((await client("/api/auth/get-session")).status === 503 ? undefined : true), 120)
    const ada = { email: "ada@example.com", password: "correct horse battery staple" }
    const headers = { origin: url, ...forged("203.0.113.9") }
    const signedUp = await post(client, "/sign-up/email", ada, headers)
    expect([signedUp.status, await signedUp.json()]).toMatchObject([200, { user: { email: ada.email } }])
    const [cookie = ""] = signedUp.headers.getSetCookie().map((line) => line.split(";")[0] ?? "")
    const listed = await client("/api/auth/list-sessions", { headers: { cookie, ...forged("203.0.113.9") } })
    expect(await listed.json()).toMatchObject({ sessions: [{ ip_address: knowsAddress ? "127.0.0.1" : null }] })

    expect(await pageOf(client)).toMatchObject({ status: 200, text: expect.stringContaining('href="/auth/sign-in'), form: undefined })
    expect((await client("/auth/sign-in")).status).toBe(200)
    expect((await client("/me")).status).toBe(401)
    expect(await (await client("/me", { headers: { cookie } })).json()).toMatchObject({ email: ada.email })

    // Without an address, requests that cost nothing are not counted.
    expect(await flood(client)).toEqual(new Set(knowsAddress ? [200, 429] : [200]))
    const signedIn = await post(other, "/sign-in/email", ada, { origin: url })
    expect(signedIn.status).toBe(200)
    const second = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const page = await pageOf(other, { cookie: second })
    expect(page).toMatchObject({ status: 200, form: expect.any(String) })
    const submit = (origin: string) => {
      const headers = { ...overHttp, accept: "text/html", cookie: second, origin, "content-type": "application/x-www-form-urlencoded" }
      return other(page.form ?? "", { method: "POST", headers, body: "" })
    }
    if (checksForms) expect((await submit("https://elsewhere.example")).ok).toBe(false)
    const left = await submit(at)
    expect([left.status, left.headers.get("location")]).toEqual([303, "/"])
    expect((await other("/me", { headers: { cookie: second } })).status).toBe(401)

    const signedOut = await post(other, "/sign-out", {}, { origin: url, cookie })
    expect([signedOut.status, signedOut.headers.getSetCookie()[0]]).toEqual([200, expect.stringMatching(/Max-Age=0/i)])
    const after = await other("/api/auth/get-session", { headers: { cookie } })
    expect(await after.json()).toMatchObject({ session: null })
    // The framework leaves preflights to the service, which does not trust this origin.
    const preflight = await other("/api/auth/get-session", { method: "OPTIONS", headers: { origin: "https://page.example.com" } })
    expect(await preflight.json()).toMatchObject({ error: { code: "untrusted_origin" } })
  })
})
