import { afterAll, expect, it } from "vitest"
import { permissions } from "../../../domain/administration/permissions.ts"
import { sallyport } from "../../../index.ts"
import { configured, cookieOf } from "./configured.ts"

// Calls of operations of administrators by the application itself.

const auth = sallyport({
  ...configured().configuration,
  modules: { admin: { jobs: true }, audit: {}, api_key: {} },
})
afterAll(() => auth.close())

const { call } = auth
const actor = "billing"
const signedUp = async (email: string) => {
  const { headers, data } = await call.signUpEmail({ input: { email, password: "correct horse battery staple" } })
  return { headers: { cookie: cookieOf(headers) }, id: data?.user.id ?? "" }
}

it("have all permissions, without a user", async () => {
  await signedUp("ada@example.com")
  expect((await call.adminListUsers({})).error?.code).toBe("unauthorized")
  expect((await call.adminListUsers({ actor })).data?.users.map(({ email }) => email)).toEqual(["ada@example.com"])
  const { data } = await call.adminMe({ actor })
  expect([data?.kind, data?.id, data?.permissions]).toEqual(["application", actor, permissions])
})

it("are recorded as those of the application, also in a job", async () => {
  const eve = await signedUp("eve@example.com")
  expect((await call.adminBanUser({ input: { user_id: eve.id }, actor })).error).toBeNull()
  await call.adminJobsCreate({ input: { operation: "unban", user_ids: [eve.id] }, actor })
  const records = async () => (await call.adminAuditList({ input: { subject_id: eve.id }, actor })).data?.entries ?? []
  await expect.poll(async () => (await records()).map(({ type }) => type), { timeout: 20_000 }).toContain("user.unbanned")
  const changes = (await records()).filter(({ type }) => /banned$/.test(type)).map((record) => [record.type, record.actor])
  const application = { kind: "application", id: actor }
  expect(changes.toSorted()).toEqual([
    ["user.banned", application],
    ["user.unbanned", application],
  ])
})

it("take no rights from the header fields of a user, and give none to operations of users", async () => {
  const bob = await signedUp("bob@example.com")
  expect((await call.adminMe({ headers: bob.headers, actor })).data?.kind).toBe("application")
  expect((await call.adminMe({ headers: bob.headers })).error?.code).toBe("forbidden")
  expect((await call.listSessions({ headers: bob.headers, actor })).error?.code).toBe("unauthorized")
  expect((await call.getSession({ headers: bob.headers, actor })).error?.code).toBe("unauthorized")
})

it("name the application by a short text", async () => {
  for (const name of ["", "Billing", "a b", "x".repeat(65)])
    expect((await call.adminListUsers({ actor: name })).error?.code).toBe("invalid_request")
  expect((await call.adminListUsers({ actor: "nightly.sync:1" })).error).toBeNull()
})

it("are not possible over HTTP", async () => {
  for (const headers of [{ actor }, { "x-actor": actor }]) {
    const response = await auth.fetch(new Request("http://localhost:3000/api/auth/admin/list-users?actor=billing", { headers }))
    expect(response.status).toBe(401)
  }
})
