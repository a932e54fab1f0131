import type { Socket } from "node:net"
import { connect } from "node:net"

/** How to open a socket to the server that a URL names: the driver's own reading of the URL, with the socket in our hands. */
export const dialer = (text: string): (() => Socket) => {
  const url = new URL(text)
  const given = url.searchParams
  const host = given.get("host") ?? (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost")
  const port = Number(given.get("port") ?? (url.port || 5432))
  if (host.startsWith("/")) return () => connect({ path: `${host}/.s.PGSQL.${port}` })
  return () => connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 })
}
