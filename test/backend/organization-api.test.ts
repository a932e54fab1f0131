import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createClient } from "../../client/index.ts"
import { standard } from "../../domain/organizations/access-control.ts"
import { nodeHandler, sallyport } from "../../index.ts"
import { configured, cookieOf } from "../adapters/assembly/configured.ts"
import { until } from "../e2e/waiting.ts"
import { freePort } from "../free-port.ts"

// The example examples/organization-api.ts, as a page of another origin uses it.

const [servicePort, apiPort] = [await freePort(), await freePort()]
const [page, serviceUrl, apiUrl] = ["http://localhost:5173", `http://localhost:${servicePort}`, `http://localhost:${apiPort}`]
const roles = { ...standard.roles, admin: { ...standard.roles["admin"], project: ["create"] } }
const auth = sallyport({
  ...configured().configuration,
  public_url: serviceUrl,
  trusted_origins: [page],
  trusted_proxies: ["127.0.0.0/8", "::1/128"],
  modules: { organization: { access_control: { ...standard, roles } } },
})
const server = createServer(nodeHandler(auth))
const api = spawn(process.execPath, [join(import.meta.dirname, "../../examples/organization-api.ts")], {
  env: { ...process.env, AUTH_URL: serviceUrl, PAGE_URL: page, PORT: String(apiPort) },
})

const ask = (fields: Readonly<Record<string, string>>, method = "POST") => fetch(`${apiUrl}/projects`, { method, headers: fields })

beforeAll(async () => {
  await once(server.listen(servicePort), "listening")
  await until("the API", async () => (await ask({}).catch(() => undefined)) && true, 60)
})
afterAll(async () => {
  api.kill()
  server.close()
  server.closeAllConnections()
  await auth.close()
})

const client = createClient({ baseUrl: serviceUrl })

/** The header fields with which a page of this user calls. */
const signedUp = async (email: string) => {
  const { response } = await client.signUp.email({ email, password: "correct horse battery staple" })
  return { cookie: cookieOf(response?.headers ?? new Headers()), origin: page }
}

it("lets members through whose role in the active organization has the permission", async () => {
  const owner = await signedUp("owner@example.com")
  const admin = await signedUp("admin@example.com")
  expect((await ask({ origin: page })).status).toBe(401)
  const { data } = await client.organization.create({ name: "Acme", slug: "acme" }, { headers: owner })
  const organization_id = data?.organization.id ?? ""
  const invited = await client.organization.invite({ organization_id, email: "admin@example.com", role: "admin" }, { headers: owner })
  await client.organization.acceptInvitation({ invitation_id: invited.data?.invitation.id ?? "" }, { headers: admin })

  const before = await ask(admin)
  expect([before.status, await before.text()]).toEqual([403, "No organization is active."])
  for (const headers of [owner, admin]) await client.organization.setActive({ organization_id }, { headers })
  const answer = await ask(admin)
  expect([answer.status, await answer.json()]).toEqual([201, { organization: organization_id, by: "admin@example.com" }])
  expect((await ask(owner)).status).toBe(403)

  const again = await client.signIn.email({ email: "admin@example.com", password: "correct horse battery staple" })
  expect((await ask({ origin: page, cookie: cookieOf(again.response?.headers ?? new Headers()) })).status).toBe(201)
  await client.organization.leave({ organization_id }, { headers: admin })
  expect((await ask(admin)).status).toBe(403)
})

it("answers pages of its one origin, with their cookies, and refuses those of others", async () => {
  const fields = await signedUp("page@example.com")
  const preflight = await ask({ origin: page, "access-control-request-method": "POST" }, "OPTIONS")
  expect(preflight.status).toBe(204)
  for (const { headers } of [preflight, await ask(fields)])
    expect([headers.get("access-control-allow-origin"), headers.get("access-control-allow-credentials")]).toEqual([page, "true"])
  const foreign = await ask({ ...fields, origin: "https://elsewhere.example" })
  expect([foreign.status, foreign.headers.get("access-control-allow-origin")]).toEqual([403, null])
})
