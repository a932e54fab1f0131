import { expect, it } from "vitest"
import { leftToRight } from "../../../../adapters/pages/components/direction.ts"

const shown = (text: string) => String(leftToRight(text))

it("leaves a short address in one piece", () => expect(shown("ada@example.com")).toBe('<bdi dir="ltr">ada@example.com</bdi>'))

it("breaks a long address after its dots and before the @, but not before its last label", () =>
  expect(shown("ada.king.countess@engines.example.com")).toBe(
    '<bdi dir="ltr">ada.<wbr>king.<wbr>countess<wbr>@engines.<wbr>example.com</bdi>',
  ))

it("escapes every part", () => expect(shown("<b>.ada.king.countess@example.com")).toContain("&lt;b&gt;.<wbr>ada."))
