import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { atEnd } from "./endings.ts"
import { startMailbox } from "./mailbox.ts"
import { type Program, start } from "./program.ts"
import { until } from "./waiting.ts"

const count = 300

it("three instances send each mail once, while the SMS gateway hangs", async () => {
  const mailbox = await startMailbox()
  const gateway = createServer(() => {})
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve))
  atEnd(() => void gateway.close())
  const sms = { kind: "webhook", url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/` }
  const modules = { phone: {}, magic_link: {} }
  const config = { store: await freshStore(), mail: mailbox.mail, sms, modules }
  const programs = [await start(config), await start(config), await start(config)] as const
  const at = (index: number): Program => programs[index % 3] ?? programs[0]

  const spread = async (send: (index: number) => Promise<unknown>) => {
    const indexes = Array.from({ length: count }).keys()
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (const index of indexes) await send(index)
      }),
    )
  }
  const phone = (index: number) => `+1415200${String(1000 + index)}`
  const statuses = new Set<number>()
  await spread(async (index) => statuses.add((await at(index).call("/phone/send-otp", { phone: phone(index) })).status))
  await spread(async (index) => statuses.add((await at(index).call("/magic-link/send", { email: `${index}@example.com` })).status))
  expect([...statuses]).toEqual([200])
  await until("all mails", () => (mailbox.emails.length >= count ? true : undefined), 90)
  const recipients = mailbox.emails.map(({ to }) => to?.[0]?.address)
  expect(new Set(recipients).size).toBe(count)
  expect(recipients).toHaveLength(count)
  await until("the outbox without mails", async () => {
    const listed = await programs[0].command("outbox", "list", "--limit", "1000", "--json")
    const receivers = listed.match(/"receiver":"\w+"/g) ?? []
    expect(receivers.filter((receiver) => receiver === '"receiver":"sms"')).toHaveLength(count)
    return receivers.length === count ? true : undefined
  })
})
