import { Option } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { read } from "../../../adapters/phone-numbers/numbering.ts"

const e164Of = (typed: string, country?: string) => Option.getOrNull(Option.map(read(typed, country), ({ e164 }) => e164))
const countryOf = (typed: string) => Option.getOrNull(Option.map(read(typed), ({ country }) => country))

/** Numbers in the form of E.164, also ones that are not assigned, and the country that each counts for. */
const numbers: ReadonlyArray<readonly [e164: string, country: string]> = [
  ["+4930901820", "DE"],
  ["+491711234567", "DE"],
  ["+442079460018", "GB"],
  ["+447700900123", "GB"],
  ["+447781123456", "GG"],
  ["+79161234567", "RU"],
  ["+77012345678", "KZ"],
  ["+12125550100", "US"],
  ["+14165550100", "CA"],
  ["+18765551234", "JM"],
  ["+15551234567", "US"],
  ["+10000000001", "US"],
  ["+15550100", "US"],
  ["+1555", "US"],
  ["+882346712345", "+882"],
  ["+80012345678", "+800"],
  ["+999123456789", "unknown"],
  ["+1", "unknown"],
]
const any = fc.constantFrom(...numbers.map(([e164]) => e164))

/** What people write between digits, and characters that are not visible. */
const separator = fc.constantFrom(" ", "-", ".", "(", ")", "/", "\u00a0", "\u2011", "\u2013", "\u200b", "\u3164", "\ufe0f", "\t")

describe("the reading of a telephone number", () => {
  it.each(numbers)("keeps %s, and counts it for %s", (e164, country) => {
    expect([e164Of(e164), countryOf(e164)]).toEqual([e164, country])
  })

  it.each([
    ["030 901820", "+49 30 901820"],
    ["+442079460018", "+44 20 7946 0018"],
    ["+999123456789", "+999123456789"],
  ])("groups the digits of %s for people: %s", (typed, grouped) => {
    expect(Option.getOrNull(read(typed, "DE"))?.grouped.replaceAll("\u00a0", " ")).toBe(grouped)
  })

  it("is the same with separators anywhere", () => {
    fc.assert(
      fc.property(any, fc.array(fc.tuple(fc.nat(20), separator), { maxLength: 12 }), (e164, added) => {
        const typed = added.reduce((text, [at, mark]) => `${text.slice(0, at)}${mark}${text.slice(at)}`, e164)
        expect(e164Of(typed)).toBe(e164)
      }),
    )
  })

  it("is the same in digits of other scripts", () => {
    for (const typed of ["＋４９３０９０１８２０", "+٤٩٣٠٩٠١٨٢٠", "+۴۹۳۰۹۰۱۸۲۰"]) expect(e164Of(typed), typed).toBe("+4930901820")
  })

  it("is the same with the trunk prefix that people write after the calling code", () => {
    for (const typed of ["+49 (0)30 901820", "+49030901820"]) expect(e164Of(typed), typed).toBe("+4930901820")
  })

  it("is the same with more digits than a number has", () => {
    const longest = "+491234567890123"
    for (const more of ["", "4", "45", "456789"]) expect(e164Of(`${longest}${more}`), more).toBe(longest)
  })

  const suffixes = [
    ";ext=1",
    ";1",
    ",1",
    ",,1",
    "x2",
    " ext. 3",
    " extension 4",
    "#5",
    "*6",
    "p7",
    "w8",
    "~9",
    ":1",
    "+1",
    "@gateway",
    "%00",
    "&to=+1",
  ]
  it.each(suffixes)("refuses the suffix %s", (suffix) => {
    for (const [e164] of numbers) expect(e164Of(`${e164}${suffix}`), e164).toBeNull()
  })

  it("refuses every suffix and prefix that is not made of digits and separators", () => {
    const mark = fc
      .string({ unit: "binary", minLength: 1, maxLength: 3 })
      .filter((text) => /[\p{L}\p{P}\p{S}]/u.test(text.normalize("NFKC")))
    const visible = mark.filter((text) => /[^\s()./\p{Pd}\u2212\p{Nd}\p{Default_Ignorable_Code_Point}]/u.test(text.normalize("NFKC")))
    fc.assert(
      fc.property(any, visible, (e164, text) => {
        expect(e164Of(`${e164}${text}`)).toBeNull()
        expect(e164Of(`${text}1${e164}`)).toBeNull()
      }),
    )
  })

  it("refuses other prefixes of the same number, and what is no number", () => {
    for (const typed of [
      "tel:+4930901820",
      "whatsapp:+4930901820",
      "004930901820",
      "+004930901820",
      "01149 30 901820",
      "+",
      "++49",
      "",
      "-",
    ])
      expect(e164Of(typed), typed).toBeNull()
  })

  it("refuses national numbers without a country", () => {
    for (const typed of ["030 901820", "4930901820", "15551234567", "(555) 123-4567"]) expect(e164Of(typed), typed).toBeNull()
  })

  it("reads national numbers as they are dialled in the country", () => {
    expect(e164Of("030 901820", "DE")).toBe("+4930901820")
    expect(e164Of("0049 30 901820", "DE")).toBe("+4930901820")
    expect(e164Of("(212) 555-0100", "US")).toBe("+12125550100")
    expect(e164Of("011 49 30 901820", "US")).toBe("+4930901820")
    expect(e164Of("+44 20 7946 0018", "DE")).toBe("+442079460018")
  })

  it("refuses short codes, extensions and unknown countries for national numbers", () => {
    expect(e164Of("911", "US")).toBeNull()
    expect(e164Of("0", "DE")).toBeNull()
    expect(e164Of("030 901820 ext. 5", "DE")).toBeNull()
    expect(e164Of("030 901820", "AQ")).toBeNull()
  })
})
