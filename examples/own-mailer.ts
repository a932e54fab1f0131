import { DeliveryRefused, type OwnMailer } from "sallyport"

/** Sends mails by the HTTP interface of a mail service. */
export const ownMailer = (url: string, key: string): OwnMailer => ({
  send: async ({ to, subject, text, html, language = "en", messageId }, signal) => {
    const headers = { "Auto-Submitted": "auto-generated", "Content-Language": language }
    const mail = { from: "Example <no-reply@example.com>", to, subject, text, html, headers }
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": messageId },
      body: JSON.stringify(mail),
      signal,
    })
    // The service refuses this mail for good, for example because of its recipient.
    if (!response.ok) throw new DeliveryRefused({ reason: `status ${response.status}`, permanent: response.status === 422 })
  },
})
