import { describe, expect, it } from "vitest"
import { isLocal, isPrivateUrl, isWebUrl } from "../../../domain/values/url.ts"

describe("a URL to which requests stay private", () => {
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
    "http://[::ffff:127.0.0.1]/",
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

describe("a URL of this machine", () => {
  it.each(["smtp://LOCALHOST", "smtp://mail.localhost:25", "smtp://127.255.255.255", "smtp://[::1]"])("%s", (url) => {
    expect(isLocal(new URL(url))).toBe(true)
  })
  it.each(["smtp://127.0.0.999", "smtp://127.1", "smtp://127.0.0.1.example.com", "smtp://localhost.example.com", "smtp://0.0.0.0"])(
    "not %s, which another machine may answer",
    (url) => {
      expect(isLocal(new URL(url))).toBe(false)
    },
  )
})

describe("a URL that pages may load", () => {
  it.each(["https://example.com/a.png", "http://example.com:8080/a?b#c", "HTTPS://EXAMPLE.com", "https://bücher.example/ä.png"])(
    "%s",
    (url) => {
      expect(isWebUrl(url)).toBe(true)
    },
  )
  it.each([
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:image/svg+xml,<svg/>",
    "blob:https://example.com/1",
    "https:example.com",
    "https:\\\\example.com",
    "//example.com/a.png",
    "/a.png",
    "https://",
    "https://ada@example.com/",
    "https://:secret@example.com/",
    " https://example.com",
    "https://example.com/\n",
    "https://exa\tmple.com/",
    "https://example.com/\u0085",
    "",
  ])("not %j", (url) => {
    expect(isWebUrl(url)).toBe(false)
  })
})
