import { describe, expect, it } from "vitest"
import { isPrivateUrl } from "../../domain/Url.ts"

describe("a URL to which what is sent stays private", () => {
  it.each([
    "https://example.com/token",
    "HTTPS://example.com",
    "http://localhost:3000/token",
    "http://id.localhost/",
    "http://127.0.0.1/",
    "http://127.1.2.3:80",
    "http://127.10.200.3/",
    "http://[::1]:8080/",
  ])("%s", (url) => {
    expect(isPrivateUrl(url)).toBe(true)
  })
  it.each([
    "http://example.com/token",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "http://notlocalhost/",
    "http://10.0.0.1/",
    "http://[::2]/",
    "https://user@example.com/",
    "https://:password@example.com/",
    "ftp://localhost/",
    "javascript:alert(1)",
    "//example.com/",
    "/token",
    "",
  ])("not %s", (url) => {
    expect(isPrivateUrl(url)).toBe(false)
  })
})
