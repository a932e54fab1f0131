import { Data, Effect, Redacted } from "effect"
import parseAddresses from "nodemailer/lib/addressparser"
import { isLocal } from "../../domain/values/url.ts"

/** The mail server and the sender. */
export interface Settings {
  /**
   * `smtp://user:password@host:587` or `smtps://user:password@host:465`. `smtp://` requires STARTTLS unless the host is this machine;
   * the query `?tls=off` turns it off, `?tls=required` requires it on this machine too.
   */
  readonly url: Redacted.Redacted<string>
  /** `no-reply@example.com`, or `Example <no-reply@example.com>`. */
  readonly from: string
}

/** An invalid setting. The message does not repeat its value. */
export class MailSettingsInvalid extends Data.TaggedError("MailSettingsInvalid")<{
  readonly key: "url" | "from"
  readonly message: string
}> {}

const invalid = (key: "url" | "from") => (message: string) => new MailSettingsInvalid({ key, message })

/** The connection options of nodemailer for a URL. */
export const server = Effect.fnUntraced(function* smtpServer(secretUrl: Redacted.Redacted<string>) {
  const fault = invalid("url")
  const url = URL.parse(Redacted.value(secretUrl))
  const secure = url?.protocol === "smtps:"
  if (url === null || !(secure || url.protocol === "smtp:")) return yield* fault("a URL that begins with smtp:// or smtps://")

  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  if (host === "" || !/^\/?$/.test(url.pathname) || url.hash !== "") return yield* fault("a host, without a path or fragment")

  const { tls, ...unknown } = Object.fromEntries(url.searchParams)
  if (Object.keys(unknown).length > 0) return yield* fault("`tls` is the only query parameter")
  if (tls !== undefined && tls !== "required" && (tls !== "off" || secure)) {
    return yield* fault("`tls` is `required`, or `off` with smtp://")
  }

  const encrypted = tls === "required" || (tls !== "off" && !isLocal(url))
  const login = yield* Effect.try({
    try: () => ({ user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }),
    catch: () => fault("a user and a password in percent-encoding"),
  })
  return {
    host,
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && encrypted,
    ignoreTLS: !secure && !encrypted,
    ...(login.user === "" ? {} : { auth: login }),
  }
})

/** The sender of all mail: exactly one address. */
export const sender = Effect.fnUntraced(function* mailSender(from: string) {
  const [first, ...rest] = parseAddresses(from)
  if (first === undefined || rest.length > 0 || "group" in first || !isAddress(first.address) || /\p{Cc}/u.test(from)) {
    return yield* invalid("from")("one address, such as Example <no-reply@example.com>")
  }
  return { name: first.name, address: first.address, domain: first.address.slice(first.address.lastIndexOf("@") + 1) }
})

/** Whether a text is one address that no mail server parses as anything else. */
export const isAddress = (text: string | undefined): text is string =>
  text !== undefined && /^[^\s\p{Cc}<>,;]+@[^\s\p{Cc}<>,;@]+$/u.test(text)
