import { afterEach, expect, it } from "vitest"
import { manifest } from "../../../adapters/manifest.ts"
import { type SallyportConfiguration, sallyport } from "../../../index.ts"
import { configured, cookieOf, password } from "./configured.ts"

const root = "root@example.com"
const canary = "canary-0123456789-canary-0123456789"
const closers: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const start = async (operations = true) => {
  const { configuration } = configured()
  const initial = {
    ...configuration,
    secret: canary,
    modules: {
      admin: { admin_emails: [root], operations },
      audit: {},
      events: { webhooks: [{ id: "siem", url: `https://siem.example.com/${canary}`, secrets: [`whsec_${"A".repeat(32)}`] }] },
    },
  } satisfies SallyportConfiguration
  const service = sallyport(initial)
  closers.push(service.close)
  const cookie = cookieOf((await service.call.signUpEmail({ input: { email: root, password } })).headers)
  return { initial, service, headers: { cookie } }
}

it("GET /admin/health shows this process, the store, what waits, and findings without addresses", async () => {
  const { service, headers } = await start()
  const { data } = await service.call.adminHealth({ headers })
  expect(data?.processes).toEqual([{ version: manifest.version, started_at: expect.any(String), draining: false }])
  expect(data?.store.ms).toBeGreaterThanOrEqual(0)
  expect(data?.queues.map(({ receiver }) => receiver)).toContain("webhook")
  expect(data?.seal_age_s).toBeGreaterThanOrEqual(0)
  expect(data?.findings).toContainEqual(
    expect.objectContaining({ module: "admin", severity: "note", text: expect.stringContaining("is an administrator") }),
  )
  expect(JSON.stringify(data)).not.toMatch(/root@|example\.com|canary/)
})

it("GET /admin/settings shows the settings that apply, also after a reload, and no secret, address or list", async () => {
  const { initial, service, headers } = await start()
  const entries = async () => {
    const { data } = await service.call.adminSettings({ headers })
    expect(JSON.stringify(data)).not.toMatch(/canary|root@|whsec_|siem/)
    return new Map(data?.entries.map((entry) => [entry.path, entry]))
  }
  const before = await entries()
  expect(before.get("secret")).toEqual({ path: "secret", value: "set", secret: true, source: "file", default: null })
  expect(before.get("modules.admin.operations")).toMatchObject({ value: "true", source: "file" })
  expect(before.get("modules.admin.admin_emails")).toMatchObject({ value: null, source: "file" })
  expect(before.get("store.kind")).toMatchObject({ value: '"memory"', source: "file", default: '"embedded"' })
  expect(before.get("session.expires_in")).toMatchObject({ source: "default" })
  expect(before.get("session.expires_in")?.value).toBe(before.get("session.expires_in")?.default)
  expect([...before.keys()].some((path) => path.startsWith("modules.passkey") || path.includes("[]"))).toBe(false)
  expect(before.get("log.level")?.value).toBe('"none"')
  await service.reload({ ...initial, log: { level: "error" } })
  expect((await entries()).get("log.level")?.value).toBe('"error"')
})

it("without the switch neither exists", async () => {
  const { service, headers } = await start(false)
  for (const path of ["health", "settings"]) {
    const response = await service.fetch(new Request(`http://localhost:3000/api/auth/admin/${path}`, { headers }))
    expect(response.status).toBe(404)
  }
})
