import { assert, describe, it } from "@effect/vitest"
import * as Emails from "../../../domain/mail/emails.ts"
import { phrase } from "../../../domain/ports/texts.ts"
import { composed } from "../../composed.ts"

const link = "https://example.com/verify?token=a-b_c&email=ada%40example.com"
const withLink = {
  "verify email": Emails.verifyEmail(link),
  "reset password": Emails.resetPassword({ link }),
  "confirm email change": Emails.confirmEmailChange(link),
}
const email = "ada@example.com"
const newEmail = "lovelace@example.org"

describe.each(Object.entries(withLink))("%s", (_name, message) => {
  const { subject, text, html } = composed(message, { service: "Analytical" })

  it("has its link in both parts", () => {
    assert.include(text, `\n${link}\n`)
    assert.include(html, `href="${link.replace("&", "&amp;")}"`)
  })

  it("says how long the link is valid, and who writes", () => {
    for (const part of [text, html]) assert.include(part, "1 hour")
    for (const part of [subject, text, html]) assert.include(part, "Analytical")
  })
})

describe("a notice", () => {
  it("of a changed email address contains the old one and abbreviates the new one", () => {
    const message = composed(Emails.emailChanged({ email, newEmail }))
    for (const part of [message.text, message.html]) {
      assert.include(part, email)
      assert.include(part, "l…@example.org")
      assert.notInclude(part, newEmail)
    }
  })

  it("of a new password contains the address of the account", () => {
    const { subject, text, html } = composed(Emails.passwordChanged({ email }))
    assert.strictEqual(subject, "The password of your Sallyport account was changed")
    for (const part of [text, html]) assert.include(part, email)
  })

  it("of a change that a stranger may have made leads to the account, where there is a page for it", () => {
    const security = "https://id.example.com/account/security"
    const { text, html } = composed(Emails.passwordChanged({ email }), { links: { security } })
    assert.include(text, `Check your account:\n${security}\n`)
    assert.include(html, `href="${security}"`)
    assert.notInclude(composed(Emails.passwordChanged({ email })).text, "Check your account")
    assert.notInclude(composed(Emails.verifyEmail(link), { links: { security } }).text, security)
  })
})

describe("a mail that asks to verify an address", () => {
  it("asks a recipient who did not sign up not to follow the link", () => {
    assert.include(composed(Emails.verifyEmail(link)).text, "If you did not sign up at Sallyport, do not follow the link")
  })
})

describe("a mail that lists credentials", () => {
  it("says whether choosing a new password removes them", () => {
    const others = [phrase("mail.credential.counted", { credential: phrase("mail.credential.passkey"), count: 2 })]
    assert.include(composed(Emails.resetPassword({ link, others })).text, "passkey (2). If you do not recognise one of them")
    assert.include(
      composed(Emails.resetPassword({ link, others, removesOthers: true })).text,
      "passkey (2). This address was never verified",
    )
    assert.notInclude(composed(Emails.resetPassword({ link })).text, "other ways to sign in")
  })

  it("says whether the returned account has a password", () => {
    const told = { email, removed: ["password"], kept: ["Kept."] }
    assert.include(composed(Emails.accountReclaimed({ ...told, hasNewPassword: true })).text, "the new password that you chose")
    const { text } = composed(Emails.accountReclaimed({ ...told, hasNewPassword: false }))
    for (const part of ["Removed from the account: password.", "has no password now", "Kept."]) assert.include(text, part)
  })
})

describe("every mail", () => {
  const service = "Evil\r\nBcc: x@example.com\u2028\u0085\0</title><script>alert('1')</script> & Söhne \"🚪\""
  const emails = [
    ...Object.values(withLink),
    Emails.emailChanged({ email: `"<b>\r\n"@example.com`, newEmail: "<i>\r\n@example.org" }),
    Emails.passwordChanged({ email: "<b>\r\n@example.com" }),
    Emails.resetPassword({ link, others: ["<b>"] }),
    Emails.accountReclaimed({ email: "<b>@example.com", removed: ["<b>"], kept: ["<i>"], hasNewPassword: false }),
    Emails.credentialsRemoved({ email: "<b>@example.com", removed: ["<b>"] }),
  ].map((message) => composed(message, { service }))

  it("has a subject of one line without control characters", () => {
    for (const { subject } of emails) {
      assert.match(subject, /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u)
      assert.include(subject, "Söhne")
    }
  })

  it("has no line break in a paragraph", () => {
    const { text } = composed(Emails.passwordChanged({ email: "ada@example.com\r\n\nCall +1555" }))
    assert.include(text, "ada@example.com Call +1555 was changed.\n")
  })

  it("escapes all values", () => {
    for (const { html } of emails) {
      assert.notMatch(html, /<script|<b>|<i>/)
      assert.include(html, "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; Söhne &quot;🚪&quot;")
    }
  })

  it("loads nothing", () => {
    for (const { html } of emails) assert.notMatch(html, /src=|url\(|<link|<img|@import/)
  })
})
