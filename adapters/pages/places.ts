import { isIP } from "node:net"
import { Schema } from "effect"
import { familyOf, networksOf } from "../http/client-address.ts"

/** Whether a text is a range of addresses such as `10.0.0.0/8` or `2001:db8::/32` (RFC 4632, RFC 4291 section 2.3). */
const isRange = (text: string) => {
  const [, address = "", bits = ""] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? []
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return bits !== "" && Number(bits) <= longest
}

/** A range of addresses. */
export const Network = Schema.String.check(
  Schema.makeFilter(isRange, { expected: "a range of addresses such as 10.0.0.0/8 or 2001:db8::/32" }),
)

const expected = "names of at most 64 characters, by ranges of addresses such as 10.0.0.0/8 or 2001:db8::/32"
const Name = Schema.String.check(
  Schema.makeFilter((text: string) => text.trim() !== "" && [...text].length <= 64, { expected: "1 to 64 characters" }),
)

/** Names of places, by the ranges of addresses that are there. */
export const Places = Schema.Record(Schema.String, Name).check(
  Schema.makeFilter((places: Readonly<Record<string, string>>) => Object.keys(places).every(isRange), { expected }),
)
export type Places = typeof Places.Type

/** Finds the name of the place of an address: that of the longest range with it; null without one. */
export const makePlaceOf = (places: Places): ((address: string | null) => string | null) => {
  const lengthOf = (range: string) => Number(range.split("/")[1])
  const ranges = Object.entries(places)
    .toSorted(([one], [other]) => lengthOf(other) - lengthOf(one))
    .map(([range, name]) => ({ name, network: networksOf([range]) }))
  return (address) => (address === null ? null : (ranges.find(({ network }) => network.check(address, familyOf(address)))?.name ?? null))
}
