import { assert, describe, it } from "@effect/vitest"
import { invitationLetter } from "../../../../application/modules/organization/letters.ts"

const link = "https://app.example.com/join?id=1&x='2'"
const lifetime = 604_800
const letter = (organization: string) => invitationLetter({ link, organization, lifetime, service: "Acme & Co" })

describe("the letter of an invitation", () => {
  it("names the service, the organization, the link and how long it is good for", () => {
    const { subject, text, html } = letter("Söhne & Töchter (Nord), Haus 7")
    assert.strictEqual(subject, "You are invited to an organization at Acme & Co")
    for (const part of ["join Söhne & Töchter (Nord), Haus 7 at Acme & Co", link, "open for 7 days"]) assert.include(text, part)
    assert.include(html, "join Söhne &amp; Töchter (Nord), Haus 7 at Acme &amp; Co")
    assert.notInclude(html, "'")
  })

  it("repeats no more than a name, since whoever founds an organization can have us write to strangers", () => {
    const words = [
      "Win a prize at evil.example",
      "https://evil.example",
      "evil@example.com",
      "Call 0800 123 456",
      "Call ０８００１",
      "<b>Acme</b>",
      "Acme\r\nBcc: x@example.com",
      "Acme\u2028Inc",
      "Acme\u202eInc",
      "x".repeat(51),
      " Ödland",
      "¡!",
    ]
    for (const organization of words) {
      const { subject, text, html } = letter(organization)
      assert.include(text, "join an organization at Acme & Co")
      for (const part of [subject, text, html]) assert.notInclude(part, organization)
    }
  })

  it("says how long in words", () => {
    const spanOf = (seconds: number) => /open for (.*)\./.exec(invitationLetter({ link, organization: "A", lifetime: seconds }).text)?.[1]
    assert.deepStrictEqual([86_400, 172_800, 3600, 60, 59].map(spanOf), ["1 day", "2 days", "60 minutes", "1 minute", "59 seconds"])
  })
})
