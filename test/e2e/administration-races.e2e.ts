import { beforeAll, expect, it } from "vitest"
import { freshStore } from "./database.ts"
import type { Answer } from "./http.ts"
import { install, type Program } from "./program.ts"

// Administrators and keys on two processes with one database. ROUNDS=200 is for a machine with time.

const rounds = Array.from({ length: Number(process.env["ROUNDS"] ?? 20) }, (_, round) => round)
const password = "correct horse battery staple"

let both: readonly [Program, Program]
let first: Administrator
let second: Administrator

interface Administrator {
  readonly id: string
  readonly cookie: string | undefined
}

const signedUp = async (email: string): Promise<Administrator> => {
  const { body, cookie } = await both[0].call("/sign-up/email", { email, password })
  return { id: body.user?.id ?? "", cookie }
}

beforeAll(async () => {
  const roles = { recruiter: ["users:read", "users:roles"], helper: ["users:read", "users:impersonate"] }
  const admin = { roles, jobs: true, erasures: true, merges: true }
  // An erasure reads and removes rows of every table, again after each sign-in of its user: on a busy machine, longer than 5 seconds.
  const config = { store: await freshStore(), request_timeout: 60, modules: { admin, api_key: {}, impersonation: {}, organization: {} } }
  both = [await install(config), await install(config)]
  for (const program of both) program.begin()
  await Promise.all(both.map((program) => program.ready()))
  first = await signedUp("first@example.com")
  second = await signedUp("second@example.com")
  await both[0].command("user", "make-admin", "first@example.com")
  const raised = await both[0].call("/admin/set-role", { user_id: second.id, role: "admin" }, first)
  expect(raised.status).toBe(200)
})

const codeOf = ({ status, body }: Answer) => (status === 200 ? "ok" : body.error?.code)
const isAdmin = async ({ cookie }: Administrator) => (await both[1].call("/admin/me", undefined, { cookie })).status === 200

it("of two owners who demote each other, one stays", async () => {
  for (const _ of rounds) {
    const [one, other] = await Promise.all([
      both[0].call("/admin/set-role", { user_id: second.id, role: "user" }, first),
      both[1].call("/admin/set-role", { user_id: first.id, role: "user" }, second),
    ])
    expect([codeOf(one), codeOf(other)].filter((code) => code === "ok")).toHaveLength(1)
    const [winner, loser] = one.status === 200 ? [first, second] : [second, first]
    expect([await isAdmin(winner), await isAdmin(loser)]).toEqual([true, false])
    expect((await both[0].call("/admin/set-role", { user_id: loser.id, role: "admin" }, winner)).status).toBe(200)
  }
}, 240_000)

it("of the last two owners of an organization whom two administrators remove, one stays; equal creates make one organization", async () => {
  const owners = [await signedUp("founder@example.com"), await signedUp("partner@example.com")] as const
  for (const round of rounds) {
    const input = { name: "Acme", slug: `acme-${round}`, user_id: owners[0].id, idempotency_key: `${round}` }
    const created = await Promise.all(
      Array.from({ length: 6 }, (_, index) => both[index % 2]!.call("/admin/organizations/create", input, first)),
    )
    expect(new Set(created.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const organization_id = created[0]?.body.organization?.id ?? ""
    const one = (index: 0 | 1) => ({ organization_id, user_id: owners[index].id })
    const added = await both[0].call("/admin/organizations/add-member", { ...one(1), role: "owner" }, first)
    expect(added.status).toBe(200)
    const removed = await Promise.all([
      both[0].call("/admin/organizations/remove-member", one(0), first),
      both[1].call("/admin/organizations/remove-member", one(1), second),
    ])
    expect(removed.map(codeOf).toSorted()).toEqual(["ok", "sole_owner"])
    const { body } = await both[1].call(`/admin/organizations/members?organization_id=${organization_id}`, undefined, first)
    expect(body.members?.map(({ role }) => role)).toEqual(["owner"])
    expect((await both[0].call("/admin/organizations/delete", { organization_id }, second)).status).toBe(200)
  }
}, 240_000)

it("a role that is withdrawn gives no further role, whatever was given at the same time", async () => {
  const giver = await signedUp("giver@example.com")
  const taker = await signedUp("taker@example.com")
  const role = "recruiter"
  const mayRead = () => both[0].call("/admin/me", undefined, taker)
  for (const round of rounds) {
    await both[round % 2]?.call("/admin/roles/assign", { user_id: giver.id, role }, first)
    const [withdrawn, given] = await Promise.all([
      both[0].call("/admin/roles/withdraw", { user_id: giver.id, role }, first),
      both[1].call("/admin/roles/assign", { user_id: taker.id, role }, giver),
    ])
    expect(withdrawn.status).toBe(200)
    expect(["ok", "forbidden"]).toContain(codeOf(given))
    expect((await mayRead()).status).toBe(given.status)
    expect(codeOf(await both[1].call("/admin/roles/assign", { user_id: taker.id, role }, giver))).toBe("forbidden")
    if (given.status === 200) await both[0].call("/admin/roles/withdraw", { user_id: taker.id, role }, first)
  }
}, 240_000)

it("a key that is revoked during rotations and verifications is valid nowhere afterwards, nor is the key that replaced it", async () => {
  const keyOf = (text: string) => text.match(/spk_s_\w+/)?.[0] ?? expect.fail(text)
  const verifier = keyOf(await both[0].command("api-key", "create", "Verifier", "--permission", "api_keys:verify"))
  const { cookie } = await both[0].call("/sign-in/email", { email: "first@example.com", password })
  const verify = (key: string, index: number) => both[index % 2]!.call("/api-key/verify", { key }, { apiKey: verifier })
  for (const round of rounds) {
    const made = await both[0].call("/api-key/create", { name: `Key ${round}`, permissions: ["users:read"] }, { cookie })
    const [key, key_id] = [made.body.key ?? "", made.body.api_key?.id]
    const verdicts = Promise.all(Array.from({ length: 6 }, (_, index) => verify(key, index)))
    const rotation = both[round % 2]!.call("/api-key/rotate", { key_id }, { cookie })
    const revocation = both[(round + 1) % 2]!.call("/api-key/revoke", { key_id }, { cookie })
    expect((await revocation).status).toBe(200)
    const rotated = await rotation
    for (const text of [key, ...(rotated.body.key === undefined ? [] : [rotated.body.key])])
      for (const index of [0, 1]) expect((await verify(text, index)).body.valid).toBe(false)
    for (const { status } of await verdicts) expect(status).toBe(200)
  }
}, 240_000)

const versionOf = async (id: string) => (await both[0].call(`/admin/users/show?user_id=${id}`, undefined, first)).body.version
/** Sign-ins of a user at both processes, while something happens to the user; their cookies. */
const signInsDuring = async (email: string, happening: Promise<Answer>) => {
  const signIns = Promise.all(Array.from({ length: 6 }, (_, index) => both[index % 2]!.call("/sign-in/email", { email, password })))
  return { happened: await happening, cookies: (await signIns).map(({ cookie }) => cookie).filter((cookie) => cookie !== undefined) }
}
const isSignedIn = async (cookie: string | undefined, program: Program) =>
  (await program.call("/get-session", undefined, { cookie })).body.user !== null

it("a user who is merged or erased while signing in has no session afterwards, and comes in no more", async () => {
  for (const round of rounds) {
    const email = `former${round}@example.com`
    const [from, into] = [await signedUp(email), await signedUp(`heir${round}@example.com`)]
    const input = { from: from.id, into: into.id, from_version: await versionOf(from.id), into_version: await versionOf(into.id) }
    const merging = await signInsDuring(email, both[round % 2]!.call("/admin/users/merge", input, first))
    expect(codeOf(merging.happened)).toBe("ok")
    const heir = `heir${round}@example.com`
    const erasing = await signInsDuring(heir, both[round % 2]!.call("/admin/users/erase", { user_id: into.id, confirm: into.id }, first))
    expect(codeOf(erasing.happened)).toBe("ok")
    for (const cookie of [from.cookie, into.cookie, ...merging.cookies, ...erasing.cookies])
      for (const program of both) expect(await isSignedIn(cookie, program)).toBe(false)
    const again = await Promise.all([email, heir].map((name) => both[0].call("/sign-in/email", { email: name, password })))
    expect(again.map(codeOf)).toEqual(["banned", "invalid_credentials"])
  }
}, 240_000)

it("an impersonation that is left while its administrator is banned and signs out is over at both processes", async () => {
  const helper = await signedUp("helper@example.com")
  const { id: user_id } = await signedUp("visited@example.com")
  await both[0].call("/admin/roles/assign", { user_id: helper.id, role: "helper" }, first)
  for (const round of rounds) {
    const { cookie } = await both[0].call("/sign-in/email", { email: "helper@example.com", password })
    const inside = await both[1].call("/admin/impersonate/start", { user_id, reason: "a support request" }, { cookie })
    expect(await isSignedIn(inside.cookie, both[0])).toBe(true)
    const [one, other] = round % 2 === 0 ? both : [both[1], both[0]]
    const ends = await Promise.all([
      one.call("/impersonation/stop", {}, { cookie: inside.cookie }),
      other.call("/admin/ban-user", { user_id: helper.id }, first),
      one.call("/sign-out", {}, { cookie }),
    ])
    for (const end of ends) expect(["ok", "unauthorized"]).toContain(codeOf(end))
    for (const left of [cookie, inside.cookie]) for (const program of both) expect(await isSignedIn(left, program)).toBe(false)
    expect((await both[0].call("/admin/unban-user", { user_id: helper.id }, first)).status).toBe(200)
  }
}, 240_000)
