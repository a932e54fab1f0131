import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makePlaceOf } from "../../../adapters/pages/places.ts"
import { modules } from "../../everything.ts"
import { served } from "../http/served.ts"
import { browse, signUp } from "./browse.ts"

describe("the place of an address", () => {
  const placeOf = makePlaceOf({
    "10.0.0.0/8": "Company",
    "10.1.2.0/24": "Office",
    "10.1.0.0/16": "Campus",
    "10.1.2.3/32": "Printer",
    "2001:db8::/32": "Network",
    "2001:db8:1::/48": "House",
  })

  it.each([
    ["10.1.2.3", "Printer"],
    ["10.1.2.4", "Office"],
    ["10.1.2.255", "Office"],
    ["10.1.3.0", "Campus"],
    ["10.2.0.0", "Company"],
    ["10.255.255.255", "Company"],
    ["11.0.0.0", null],
    ["9.255.255.255", null],
    ["2001:db8:1:ffff:ffff:ffff:ffff:ffff", "House"],
    ["2001:db8:2::", "Network"],
    ["2001:db9::", null],
    ["::1", null],
    [null, null],
  ] as const)("%s: %s", (address, place) => assert.strictEqual(placeOf(address), place))

  it("is unknown without ranges, and of all addresses of one family with a range of length 0", () => {
    assert.isNull(makePlaceOf({})("10.1.2.3"))
    const everywhere = makePlaceOf({ "0.0.0.0/0": "Everywhere" })
    assert.deepStrictEqual([everywhere("192.0.2.1"), everywhere("2001:db8::1")], ["Everywhere", null])
  })
})

describe("the list of devices", () => {
  layer(served({ modules, pages: { places: { "127.0.0.0/8": "Workshop <1>" } } }))((it) => {
    it.effect("names the place of an address in a range", () =>
      Effect.gen(function* () {
        const ada = browse()
        yield* signUp(ada)
        const page = yield* ada.open("/account/sessions")
        assert.include(page.text, "Place: Workshop <1>")
        assert.include(page.html, "<bdi>Workshop &lt;1&gt;</bdi>")
      }),
    )
  })
  layer(served({ modules, pages: { places: { "10.0.0.0/8": "Office" } } }))((it) => {
    it.effect("names no place of another address", () =>
      Effect.gen(function* () {
        const ada = browse()
        yield* signUp(ada)
        assert.notInclude((yield* ada.open("/account/sessions")).text, "Place:")
      }),
    )
  })
})
