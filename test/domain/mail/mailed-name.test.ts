import { describe, expect, it } from "vitest"
import { isMailedAddress, isMailedName } from "../../../domain/mail/mailed-name.ts"

describe("a name in a mail to an arbitrary address", () => {
  it.each([
    "Acme",
    "Acme Inc.",
    "J. R. Smith",
    "Söhne & Töchter (Nord), Haus 7",
    "O’Brien-Łukasz",
    "名前",
    "हिन्दी",
    "Studio 1984",
    "x".repeat(64),
    "\u{20000}".repeat(64),
  ])("may be %s", (name) => {
    expect(isMailedName(name)).toBe(true)
  })
  it.each([
    ["links to a site", "Win a prize at evil.example"],
    ["links to a site", "www.evil"],
    ["links to a site", "https://evil"],
    ["links to a site by a dot of another script", "evil。com"],
    ["links to an address", "evil@example"],
    ["links to a telephone", "Call 0800 123"],
    ["links to a telephone in wide digits", "Call ０８００１"],
    ["holds markup", "<b>Acme</b>"],
    ["adds a header", "Acme\r\nBcc: x"],
    ["adds a paragraph", "Acme\u2028Inc"],
    ["adds a line", "Acme\n"],
    ["ends in a tab", "Acme.\tInc"],
    ["reorders the text", "Acme\u202eInc"],
    ["isolates the text", "Acme\u2066Inc"],
    ["hides characters", "Acme\u200bInc"],
    ["is invisible", "\u3164"],
    ["hides marks", "Acme\u034f"],
    ["is too long", "x".repeat(65)],
    ["begins with a blank", " Acme"],
    ["has no letter", "¡!"],
    ["is empty", ""],
  ])("is left out when it %s", (_, name) => {
    expect(isMailedName(name)).toBe(false)
  })
})

describe("a user's address in a mail to an arbitrary address", () => {
  it.each(["ada@example.com", "ada.lovelace+news@example.com", "o'brien_1-2@example.com", "zoë@xn--bcher-kva.example"])(
    "may be %s",
    (email) => {
      expect(isMailedAddress(email)).toBe(true)
    },
  )
  it.each(["www.evil.com@example.com", "evil.com/prize@example.com", "a?b=c@example.com", "+4915112345678@phone.service", "idp:42"])(
    "is left out when it is %s",
    (email) => {
      expect(isMailedAddress(email)).toBe(false)
    },
  )
})
