import { expect, it } from "vitest"
import { inParts, leftToRight } from "../../../../adapters/pages/components/direction.ts"

const shown = (text: string) => String(leftToRight(text))

it("leaves a short address in one piece", () => expect(shown("ada@example.com")).toBe('<bdi dir="ltr">ada@example.com</bdi>'))

it("breaks a long address after its dots and before the @, but not before its last label", () =>
  expect(shown("ada.king.countess@engines.example.com")).toBe(
    '<bdi dir="ltr">ada.<wbr>king.<wbr>countess<wbr>@engines.<wbr>example.com</bdi>',
  ))

it("breaks a long IP address in its middle, and a URL before the parts of its path", () => {
  expect(shown("2001:db8:85a3:8d3:1319:8a2e:370:7348")).toBe('<bdi dir="ltr">2001:db8:85a3:8d3:<wbr>1319:8a2e:370:7348</bdi>')
  expect(shown("https://api.example.com/reports/all")).toBe('<bdi dir="ltr">https://api.<wbr>example.com<wbr>/reports<wbr>/all</bdi>')
})

it("breaks a long word of the service between its parts only", () => {
  expect(String(inParts("sign_in.succeeded"))).toBe("sign_in.succeeded")
  expect(String(inParts("organization.member_added"))).toBe("organization.<wbr>member_added")
  expect(String(inParts("https://api.example.com/read"))).toBe("https://api.<wbr>example.com/read")
})

it("changes no character of a word", () => {
  for (const word of ["", "...", `${":".repeat(30)}a`, `a${"_".repeat(30)}`, "a.b:c_d/e".repeat(9), "x".repeat(40)])
    expect(String(inParts(word)).replaceAll("<wbr>", "")).toBe(word)
})

it("escapes every part", () => expect(shown("<b>.ada.king.countess@example.com")).toContain("&lt;b&gt;.<wbr>ada."))
