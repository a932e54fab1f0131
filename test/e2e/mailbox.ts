import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { freePort } from "../free-port.ts"
import { atEnd } from "./endings.ts"
import { until } from "./waiting.ts"

/** How the mail server treats mails: accepts them, answers 451, or hangs until it has recovered. */
export type Mood = "well" | "refusing" | "hanging"

/** A mail server with one mailbox for all recipients. */
export interface Mailbox {
  /** The program's `mail` setting. */
  readonly mail: { readonly kind: "smtp"; readonly url: string; readonly from: string }
  readonly emails: ReadonlyArray<Email>
  /** Mails that were refused, and those whose sender waits for an answer. */
  readonly refused: () => number
  readonly held: () => number
  readonly become: (mood: Mood) => void
  /** Takes the server off the network, and puts it back. */
  readonly close: () => Promise<void>
  readonly open: () => Promise<void>
  /** Waits for the first mail to an address with the given subject. */
  readonly messageTo: (address: string, subject: RegExp, seconds?: number) => Promise<Email>
}

export const startMailbox = async (): Promise<Mailbox> => {
  const port = await freePort()
  const emails: Array<Email> = []
  const held = new Set<() => void>()
  let mood: Mood = "well"
  let refused = 0
  const pass = (callback: () => void) => (mood === "hanging" ? held.add(callback) : callback())

  const options: SMTPServerOptions = {
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    closeTimeout: 50,
    onConnect: (_session, callback) => pass(callback),
    onRcptTo: (_address, _session, callback) => {
      if (mood === "refusing") {
        refused += 1
        return callback(Object.assign(new Error("come back later"), { responseCode: 451 }))
      }
      pass(callback)
    },
    onData: async (stream, _session, callback) => {
      emails.push(await PostalMime.parse(Buffer.concat(await stream.toArray())))
      callback()
    },
  }

  let server: SMTPServer | undefined
  const open = async () => {
    const opened = new SMTPServer(options)
    server = opened
    // A client that disconnects is not a fault of this server.
    opened.on("error", () => {})
    await new Promise<void>((resolve) => opened.listen(port, "127.0.0.1", resolve))
  }
  const close = async () => {
    const closed = server
    server = undefined
    held.clear()
    if (closed !== undefined) await new Promise<void>((resolve) => closed.close(resolve))
  }
  await open()
  atEnd(close)

  const find = (address: string, subject: RegExp) =>
    emails.find((message) => subject.test(message.subject ?? "") && message.to?.some((to) => to.address === address))
  return {
    mail: { kind: "smtp", url: `smtp://127.0.0.1:${port}`, from: "Sallyport <no-reply@example.com>" },
    emails,
    refused: () => refused,
    held: () => held.size,
    become: (next) => {
      mood = next
      if (next === "hanging") return
      for (const callback of held) callback()
      held.clear()
    },
    close,
    open,
    messageTo: (address, subject, seconds) => until(`a mail to ${address}`, () => find(address, subject), seconds),
  }
}

/** The token in a mail's link, the same in its text and its HTML. */
export const tokenIn = ({ text = "", html = "" }: Email): string => {
  const [token, ...others] = new Set(
    [...`${text}\n${html}`.matchAll(/[?&]token=([^&\s"<]+)/g)].map(([, found = ""]) => decodeURIComponent(found)),
  )
  if (token === undefined || others.length > 0) throw new Error(`one token was expected in:\n${text}`)
  return token
}
