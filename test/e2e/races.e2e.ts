import { generateSync } from "otplib"
import { beforeAll, expect, it } from "vitest"
import { freshStore } from "./database.ts"
import type { Answer } from "./http.ts"
import type { Mailbox } from "./mailbox.ts"
import { startMailbox, tokenIn } from "./mailbox.ts"
import type { Program } from "./program.ts"
import { install } from "./program.ts"
import { pause, until } from "./waiting.ts"

/** Two processes that share one database. */
let both: readonly [Program, Program]
let mailbox: Mailbox

const root = "root@example.com"
const password = "correct horse battery staple"

const modules = { admin: { admin_emails: [root] }, organization: {}, two_factor: { remember_browser: {} } }

beforeAll(async () => {
  mailbox = await startMailbox()
  const config = { store: await freshStore(), mail: mailbox.mail, modules }
  both = [await install(config), await install(config)]
  // Concurrently, on a database without tables.
  for (const program of both) program.begin()
  await Promise.all(both.map((program) => program.ready()))
})

/** Starts calls at the same time, alternately at the two processes. */
const atOnce = (count: number, call: (program: Program, index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(both[index % 2]!, index)))

const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status).sort()
const times = (count: number, value: number) => Array<number>(count).fill(value)

/** A user with a mailed reset token. */
const forgetful = async (email: string) => {
  await both[0].call("/sign-up/email", { email, password })
  await both[1].call("/request-password-reset", { email })
  return tokenIn(await mailbox.messageTo(email, /Reset/))
}

it("both start on an empty database and have the same users", async () => {
  const user = { email: "both@example.com", password }
  expect((await both[0].call("/sign-up/email", user)).status).toBe(200)
  expect((await both[1].call("/sign-in/email", user)).status).toBe(200)
})

it("ten concurrent sign-ups of one address make one user, twenty times", async () => {
  for (let round = 0; round < 20; round++) {
    const email = `racer${round}@example.com`
    const answers = await atOnce(10, ({ call }, index) => call("/sign-up/email", { email, password: `password of ${index}` }))
    expect(statuses(answers)).toEqual([200, ...times(9, 422)])

    const winner = answers.findIndex(({ status }) => status === 200)
    const signIns = await atOnce(10, ({ call }, index) => call("/sign-in/email", { email, password: `password of ${index}` }))
    expect(signIns.flatMap(({ status }, index) => (status === 200 ? [index] : []))).toEqual([winner])
  }
})

it("twenty concurrent sign-ups by one invitation make one user and one member", async () => {
  const email = "invited@example.com"
  const { cookie } = await both[0].call("/sign-up/email", { email: "owner@example.com", password })
  const owner = { cookie }
  const { body } = await both[0].call("/organization/create", { name: "Looms", slug: "looms" }, owner)
  const organization_id = body.organization?.id
  expect(await both[0].call("/organization/invite", { organization_id, email }, owner)).toMatchObject({ status: 200 })
  const { text = "" } = await mailbox.messageTo(email, /Looms|organization/)
  const [, invitation_id, token] = /invitation_id=([\w-]+)&token=([\w-]+)/.exec(text) ?? []
  const path = "/organization/accept-invitation/sign-up"
  const answers = await atOnce(20, ({ call }, index) => call(path, { invitation_id, token, password: `password of ${index}` }))
  const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error?.code)
  expect(codes).toHaveLength(19)
  expect(["invalid_invitation", "user_already_exists"]).toEqual(expect.arrayContaining([...new Set(codes)]))
  const { members } = (await both[1].call(`/organization/list-members?organization_id=${organization_id}`, undefined, owner)).body
  expect(members).toHaveLength(2)
})

it("twenty concurrent uses of one reset token set one password", async () => {
  const email = "forgetful@example.com"
  const token = await forgetful(email)
  const answers = await atOnce(20, ({ call }, index) => call("/reset-password", { token, new_password: `new password ${index}` }))
  expect(statuses(answers)).toEqual([200, ...times(19, 400)])
  expect(answers.every(({ status, body }) => status === 200 || body.error?.code === "invalid_token")).toBe(true)

  const winner = answers.findIndex(({ status }) => status === 200)
  const signIns = await atOnce(20, ({ call }, index) => call("/sign-in/email", { email, password: `new password ${index}` }))
  expect(signIns.flatMap(({ status }, index) => (status === 200 ? [index] : []))).toEqual([winner])
  expect((await both[0].call("/sign-in/email", { email, password })).status).toBe(401)
})

it("signing in with the old password while it is being reset leaves no valid session", async () => {
  let signedIn = 0
  for (let round = 0; round < 10; round++) {
    const email = `attacked${round}@example.com`
    const token = await forgetful(email)
    const signIns: Array<Answer> = []
    let over = false
    const intruders = Array.from({ length: 6 }, async (_, index) => {
      while (!over) signIns.push(await both[index % 2]!.call("/sign-in/email", { email, password }))
    })
    await until("a user to be signed in", () => signIns.length > 0 || undefined)
    await pause(Math.random() * 20)
    const reset = await both[round % 2]!.call("/reset-password", { token, new_password: "another password" })
    await pause(20)
    over = true
    await Promise.all(intruders)

    expect(reset.status).toBe(200)
    const cookies = signIns.flatMap(({ cookie }) => (cookie === undefined ? [] : [cookie]))
    signedIn += cookies.length
    const sessions = await Promise.all(cookies.map((cookie, index) => both[index % 2]!.call("/get-session", undefined, { cookie })))
    expect(sessions.filter(({ status, body }) => status !== 200 || body.session !== null)).toEqual([])
  }
  expect(signedIn).toBeGreaterThan(0)
})

/** The cookies of a browser in which this user needs no second factor, without a session. */
const rememberedBrowser = async (email: string) => {
  const [{ call }] = both
  const { cookie } = await call("/sign-up/email", { email, password })
  await call("/send-verification-email", { email })
  await call("/verify-email", { token: tokenIn(await mailbox.messageTo(email, /Verify|Confirm/)) })
  const { secret = "" } = (await call("/2fa/totp/enable", { password }, { cookie })).body
  const code = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps })
  expect((await call("/2fa/totp/confirm", { code: code(0) }, { cookie })).status).toBe(200)
  const { challenge_token } = (await call("/sign-in/email", { email, password })).body
  const signedIn = await call("/2fa/totp/challenge", { challenge_token, code: code(1), remember_browser: true })
  const cookies = [signedIn.headers["set-cookie"] ?? []].flat().map((each) => each.split(";")[0] ?? "")
  return { session: signedIn.cookie, browser: cookies.find((each) => each.includes("remembered_browser")) }
}

it("signing in from a remembered browser while all sessions end leaves no valid session without the second factor", async () => {
  let admitted = 0
  for (let round = 0; round < 5; round++) {
    const email = `remembered${round}@example.com`
    const { session, browser } = await rememberedBrowser(email)
    const signIns: Array<Answer> = []
    let over = false
    const thieves = Array.from({ length: 6 }, async (_, index) => {
      while (!over) signIns.push(await both[index % 2]!.call("/sign-in/email", { email, password }, { cookie: browser }))
    })
    await until("a user to be signed in", () => signIns.some(({ body }) => body.user !== undefined) || undefined)
    await pause(Math.random() * 20)
    const ended = await both[round % 2]!.call("/revoke-sessions", {}, { cookie: session })
    await pause(20)
    over = true
    await Promise.all(thieves)

    expect(ended.status).toBe(200)
    const after = await both[0].call("/sign-in/email", { email, password }, { cookie: browser })
    expect(after.body).toMatchObject({ two_factor_required: true })
    const opened = signIns.filter(({ body }) => body.user !== undefined)
    admitted += opened.length
    const sessions = await Promise.all(opened.map(({ cookie }, index) => both[index % 2]!.call("/get-session", undefined, { cookie })))
    expect(sessions.filter(({ status, body }) => status !== 200 || body.session !== null)).toEqual([])
  }
  expect(admitted).toBeGreaterThan(0)
})

it("twenty concurrent creations with one idempotency key make one user and answer alike, twenty times", async () => {
  const { cookie } = await both[0].call("/sign-up/email", { email: root, password })
  for (let round = 0; round < 20; round++) {
    const input = { email: null, name: `Kiosk ${round}.`, idempotency_key: `round ${round}` }
    const answers = await atOnce(20, ({ call }) => call("/admin/users/create", input, { cookie }))
    expect(statuses(answers)).toEqual(times(20, 200))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1)
    const { body } = await both[1].call(`/admin/users/list?name_prefix=kiosk%20${round}.&total=true`, undefined, { cookie })
    expect(body).toMatchObject({ users: [{ id: answers[0]?.body.user?.id }], total: { count: 1 } })
  }
})
