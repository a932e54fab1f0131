import { assert, describe, it } from "@effect/vitest"
import { invitationMessage } from "../../../../application/modules/organization/emails.ts"
import { composed } from "../../../composed.ts"

const link = "https://app.example.com/join?id=1&x='2'"
const lifetime = 604_800
const ada = { name: "Ada Lovelace", email: "ada@example.com", email_verified: true }
const message = (organization: string, inviter: Partial<typeof ada> | { readonly name: null } = {}) =>
  composed(invitationMessage({ link, organization, inviter: { ...ada, ...inviter }, lifetime }), { service: "Acme & Co" })

describe("the mail of an invitation", () => {
  it("names the service, the organization, the link and its lifetime", () => {
    const { subject, text, html } = message("Söhne & Töchter (Nord), Haus 7")
    assert.strictEqual(subject, "Invitation to Söhne & Töchter (Nord), Haus 7 at Acme & Co")
    for (const part of ["join Söhne & Töchter (Nord), Haus 7 at Acme & Co", link, "open for 7 days"]) assert.include(text, part)
    assert.include(html, "join Söhne &amp; Töchter (Nord), Haus 7 at Acme &amp; Co")
    assert.notInclude(html, "'")
  })

  it("contains no link or text that an attacker put into a name", () => {
    for (const name of ["evil.example", "Win at www.evil.example", "<b>Acme</b>", "Acme\r\nBcc: x@example.com", "x".repeat(65)]) {
      const { subject, text, html } = message(name, { name })
      assert.strictEqual(subject, "You are invited to an organization at Acme & Co")
      assert.include(text, "join an organization at Acme & Co")
      assert.include(text, "sent by a user (ada@example.com).")
      for (const part of [subject, text, html]) assert.notInclude(part, name)
    }
  })

  it("states the sender's address, and that it is not verified", () => {
    const senderOf = (inviter: Parameters<typeof message>[1]) => /sent by (.*?)\. It/.exec(message("Acme", inviter).text)?.[1]
    assert.strictEqual(senderOf({}), "Ada Lovelace (ada@example.com)")
    assert.include(message("Acme").html, "sent by Ada Lovelace (ada@example.com).")
    assert.strictEqual(senderOf({ email_verified: false }), "Ada Lovelace (ada@example.com, not verified)")
    assert.strictEqual(senderOf({ name: null }), "a user (ada@example.com)")
    for (const email of ["+4915112345678@phone.service", "www.evil.example/prize@example.com"])
      assert.strictEqual(senderOf({ email }), "Ada Lovelace whose email address cannot be shown here")
  })

  it("states the lifetime in words", () => {
    const spanOf = (seconds: number) =>
      /open for (.*)\./.exec(composed(invitationMessage({ link, organization: "A", inviter: ada, lifetime: seconds })).text)?.[1]
    assert.deepStrictEqual([86_400, 172_800, 5400, 3600, 60, 59].map(spanOf), [
      "1 day",
      "2 days",
      "90 minutes",
      "1 hour",
      "1 minute",
      "59 seconds",
    ])
  })
})
