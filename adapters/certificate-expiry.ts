import { once } from "node:events"
import * as Net from "node:net"
import * as Tls from "node:tls"
import { Effect } from "effect"

/** A host that shows a certificate. */
export interface CertificateHost {
  readonly host: string
  readonly port: number
  /** Asks the server to begin with TLS, and what it answers then; undefined if the connection begins with it. */
  readonly ask?: { readonly request: Uint8Array; readonly answer: string }
}

/** Milliseconds. */
const timeout = 5000

/** The end of a server's certificate, in milliseconds since 1970; also of one that is not trusted. Fails with the reason. */
export const certificateExpiry = ({ host, port, ask }: CertificateHost): Effect.Effect<number, string> =>
  Effect.tryPromise({
    try: async () => {
      const socket = Net.connect({ host, port, timeout })
      const refuse = (fault: Error) => socket.destroy(fault)
      socket.once("timeout", () => refuse(new Error(`no answer within ${timeout} ms`)))
      try {
        const broken = new Promise<never>((_, reject) => {
          socket.once("error", reject)
          socket.once("close", () => reject(new Error("the connection was closed")))
        })
        broken.catch(() => {})
        if (ask !== undefined) await Promise.race([begunBy(ask, socket), broken])
        const secure = Tls.connect({ socket, ...(Net.isIP(host) ? {} : { servername: host }), rejectUnauthorized: false })
        const begun = new Promise<void>((resolve, reject) => {
          secure.once("secureConnect", resolve)
          secure.once("error", reject)
        })
        await Promise.race([begun, broken])
        return Date.parse(secure.getPeerCertificate().valid_to)
      } finally {
        socket.destroy()
      }
    },
    catch: (fault) => (fault as Error).message,
  })

const begunBy = async ({ request, answer }: NonNullable<CertificateHost["ask"]>, socket: Net.Socket) => {
  socket.write(request)
  const [answered] = await once(socket, "data")
  if (String(answered) !== answer) throw new Error("the server does not speak TLS")
}
