import type { Socket } from "node:net"
import { connect } from "node:net"

/** Opens sockets to the URL's server. Reads the URL as the driver does; our own sockets can be destroyed when the server hangs. */
export const socketFactory = (text: string): (() => Socket) => {
  const url = new URL(text)
  const parameters = url.searchParams
  const host = parameters.get("host") ?? (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost")
  const port = Number(parameters.get("port") ?? (url.port || 5432))
  if (host.startsWith("/")) return () => connect({ path: `${host}/.s.PGSQL.${port}` })
  return () => connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 })
}
