import { assert, describe, it } from "@effect/vitest"
import { colours, contrastFaults, themeStyles } from "../../../adapters/pages/theme.ts"

describe("the colours of the branding", () => {
  it("can be read by default, on light and on dark pages", () => {
    assert.deepStrictEqual(contrastFaults({}), [])
  })

  it("are refused below 4.5:1, with the pair, the side and the contrast", () => {
    // #767676 on white has 4.54:1, #777777 has 4.478:1 (WCAG 2.2, technique G18).
    const surface = { light: "#ffffff", dark: colours.surface.dark }
    const page = { light: "#ffffff", dark: colours.page.dark }
    const muted = (light: string) => contrastFaults({ surface, page, muted: { light, dark: colours.muted.dark } })
    assert.deepStrictEqual(muted("#767676"), [])
    assert.deepStrictEqual(muted("#777777"), [
      "muted on page (light) has a contrast of 4.47:1, and needs 4.5:1",
      "muted on surface (light) has a contrast of 4.47:1, and needs 4.5:1",
    ])
  })

  it("of borders and of the focus need 3:1", () => {
    const surface = { light: "#ffffff", dark: colours.surface.dark }
    const border = (light: string) => contrastFaults({ surface, border: { light, dark: colours.border.dark } })
    assert.deepStrictEqual(border("#949494"), [])
    assert.deepStrictEqual(border("#959595"), ["border on surface (light) has a contrast of 2.99:1, and needs 3:1"])
  })

  it("one colour counts for both sides", () => {
    const faults = contrastFaults({ brand: "#3451b2" })
    assert.isNotEmpty(faults)
    for (const fault of faults) assert.match(fault, /\(dark\)/)
  })

  it("are values of the style sheet, before the rules of the operator", () => {
    const branding = {
      name: "x",
      logo: null,
      logo_dark: null,
      favicon: null,
      links: {},
      radius: "0",
      font: "serif",
      css: "body{margin:1px}",
    }
    const styles = themeStyles({ ...branding, colors: { brand: "#0b5d3b" } })
    assert.match(styles, /--sp-brand:light-dark\(#0b5d3b,#0b5d3b\);.*--sp-radius:0;--sp-font:serif;}body{margin:1px}$/)
  })
})
