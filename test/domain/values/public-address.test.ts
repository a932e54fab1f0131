import { describe, expect, it } from "vitest"
import { isPublicAddress, isPublicUrl } from "../../../domain/values/public-address.ts"
import { hostileUrls, privateAddresses, publicAddresses } from "../../hostile-urls.ts"

describe("an address", () => {
  it.each(publicAddresses)("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([...privateAddresses, "", "a name", "1.2.3", "01.2.3.4", "1.2.3.256", "[2606:4700::1111]", "2606:4700::1111%eth0", "fe80::1%lo"])(
    "%s is not",
    (address) => {
      expect(isPublicAddress(address)).toBe(false)
    },
  )
})

describe("a URL", () => {
  it.each([
    ...["https://example.com/", "https://example.com:8443/a?b=c#d", "https://mylocalhost/", "https://localhost.example.com/"],
    ...publicAddresses.map((address) => `https://${address.includes(":") ? `[${address}]` : address}/`),
  ])("%s is public", (url) => {
    expect(isPublicUrl(url)).toBe(true)
  })

  it("is not public with another scheme, a private address in any notation, a name of this machine, or credentials", () => {
    const urls = hostileUrls(443)
    expect(urls.length).toBeGreaterThan(800)
    expect(urls.filter(isPublicUrl)).toEqual([])
  })
})
