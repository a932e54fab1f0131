import { beforeAll, describe, expect, it } from "vitest"
import { freshDatabase } from "./database.ts"
import type { Mailbox } from "./mailbox.ts"
import { startMailbox, tokenIn } from "./mailbox.ts"
import type { Program } from "./program.ts"
import { cheapHash, install, start } from "./program.ts"
import { durations, median, pause, until } from "./waiting.ts"

const password = "correct horse battery staple"
const verifying = { enabled: true, hash: cheapHash, require_email_verification: true }

/** A mail server, and the configuration of a program that sends mail through it. */
const post = async () => {
  const mailbox = await startMailbox()
  const store = { kind: "postgres", url: await freshDatabase() }
  return { mailbox, config: { store, mail: mailbox.mail, email_password: verifying } }
}

const served = async () => {
  const { mailbox, config } = await post()
  return { mailbox, program: await start(config) }
}

/** Signs a user up; the program then sends a mail to verify the address. */
const signUp = ({ call }: Program, email: string) => call("/sign-up/email", { email, password })

describe("the link of a mail", () => {
  it("verifies the address it was sent to, once", async () => {
    const { mailbox, program } = await served()
    const email = "ada@example.com"
    await signUp(program, email)
    expect((await program.call("/sign-in/email", { email, password })).body.error?.code).toBe("email_not_verified")

    const message = await mailbox.messageTo(email, /Verify/)
    expect(message.from?.address).toBe("no-reply@example.com")
    const token = tokenIn(message)
    expect((await program.call("/verify-email", { token })).status).toBe(200)
    expect((await program.call("/verify-email", { token })).body.error?.code).toBe("invalid_token")
    expect((await program.call("/sign-in/email", { email, password })).body.user?.email_verified).toBe(true)
  })

  it("resets the password once, and the owner gets a notice", async () => {
    const { mailbox, program } = await served()
    const email = "grace@example.com"
    await signUp(program, email)
    await program.call("/request-password-reset", { email })

    const token = tokenIn(await mailbox.messageTo(email, /Reset/))
    const reset = () => program.call("/reset-password", { token, new_password: "another password" })
    expect((await reset()).status).toBe(200)
    expect((await reset()).body.error?.code).toBe("invalid_token")
    expect((await program.call("/sign-in/email", { email, password })).status).toBe(401)
    expect((await program.call("/sign-in/email", { email, password: "another password" })).status).toBe(200)
    await mailbox.messageTo(email, /password .* was changed/)
  })
})

const receivers = Array.from({ length: 5 }, (_, index) => `receiver${index}@example.com`)

/** The mailbox of a program that was killed while it delivered mails, and restarted. The lease of these mails must expire first. */
let orphaned: Mailbox

beforeAll(async () => {
  const { mailbox, program } = await served()
  mailbox.become("hanging")
  for (const email of receivers) expect((await signUp(program, email)).status).toBe(200)
  await until("mails in delivery", () => mailbox.held() > 0 || undefined)
  await program.kill()
  mailbox.become("well")
  program.begin()
  orphaned = mailbox
})

it("a mail that was waiting for its next attempt at a SIGKILL arrives after the restart", async () => {
  const { mailbox, program } = await served()
  await mailbox.close()
  for (const email of receivers) expect((await signUp(program, email)).status).toBe(200)
  const failures = () => program.logs().match(/could not be delivered yet/g)?.length ?? 0
  await until("a first attempt for every mail", () => failures() >= receivers.length || undefined)
  await pause(500)
  await program.kill()

  await mailbox.open()
  program.begin()
  for (const email of receivers) await mailbox.messageTo(email, /Verify/, 60)
  expect(mailbox.emails.length).toBe(receivers.length)
})

describe("a mail server in trouble", () => {
  const troubles: Readonly<
    Record<string, { readonly begin: (mailbox: Mailbox) => unknown; readonly met: (mailbox: Mailbox, program: Program) => boolean }>
  > = {
    "is down": {
      begin: (mailbox) => mailbox.close(),
      met: (_, program) => program.logs().includes("could not be delivered yet"),
    },
    "answers 451": {
      begin: (mailbox) => mailbox.become("refusing"),
      met: (mailbox) => mailbox.refused() > 0,
    },
    "says nothing": {
      begin: (mailbox) => mailbox.become("hanging"),
      met: (mailbox) => mailbox.held() > 0,
    },
  }

  it.each(Object.keys(troubles))("that %s delays no request, and gets its mails once it has recovered", async (name) => {
    const trouble = troubles[name]!
    const { mailbox, program } = await served()
    const ask = async (label: string) => {
      const signUps = await durations(15, async (index) => expect((await signUp(program, `${label}${index}@example.com`)).status).toBe(200))
      const resets = await durations(15, async (index) => {
        expect((await program.call("/request-password-reset", { email: `${label}${index}@example.com` })).status).toBe(200)
      })
      return { signUps: median(signUps), resets: median(resets) }
    }

    await ask("warm")
    const good = await ask("good")
    await trouble.begin(mailbox)
    await signUp(program, "first@example.com")
    await until("the trouble to be met", () => trouble.met(mailbox, program) || undefined)
    const bad = await ask("late")
    console.log(`mail server ${name}: medians without ${JSON.stringify(good)}, with ${JSON.stringify(bad)} ms`)
    expect(mailbox.emails.filter(({ to }) => to?.[0]?.address?.startsWith("late"))).toEqual([])
    expect(bad.signUps).toBeLessThan(10 * good.signUps)
    expect(bad.resets).toBeLessThan(10 * good.resets)

    mailbox.become("well")
    if (name === "is down") await mailbox.open()
    for (let index = 0; index < 15; index++) await mailbox.messageTo(`late${index}@example.com`, /Reset/, 60)
  })
})

it("two processes deliver each of a hundred mails once", async () => {
  const { mailbox, config } = await post()
  const both = [await install(config), await install(config)]
  for (const program of both) program.begin()
  await Promise.all(both.map((program) => program.ready()))

  const addresses = Array.from({ length: 100 }, (_, index) => `crowd${index}@example.com`)
  // A process that is busy answers 503 to some of them, which are sent again.
  const accepted = (program: Program, email: string) =>
    until(`${email} to be signed up`, async () => ((await signUp(program, email)).status === 200 ? true : undefined))
  await Promise.all(addresses.map((email, index) => accepted(both[index % 2]!, email)))
  await until("all mails", () => mailbox.emails.length >= addresses.length || undefined, 60)
  // Longer than the time between two polls of the outbox.
  await pause(6000)
  expect(mailbox.emails.map(({ to }) => to?.[0]?.address).sort()).toEqual(addresses.sort())
})

it("a mail that was in delivery when its process died arrives after the restart", async () => {
  for (const email of receivers) await orphaned.messageTo(email, /Verify/, 120)
  expect(orphaned.emails.length).toBe(receivers.length)
})
