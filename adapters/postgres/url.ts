import { connect, type Socket } from "node:net"

/** Opens sockets to the URL's server. Reads the URL as the driver does; our own sockets can be destroyed when the server hangs. */
export const socketFactory = (text: string): (() => Socket) => {
  const url = new URL(text)
  const parameters = url.searchParams
  const host = parameters.get("host") ?? (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost")
  const port = Number(parameters.get("port") ?? (url.port || 5432))
  if (host.startsWith("/")) return () => connect({ path: `${host}/.s.PGSQL.${port}` })
  return () => connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 })
}

/** The parts of a URL: what precedes the hosts, the hosts, and what follows them. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s

/** The URL of each server in a URL with several hosts (libpq, "Specifying Multiple Hosts"); a URL with one host as it is. */
export const urlsOf = (text: string): ReadonlyArray<string> => {
  const [, start = "", hosts = "", end = ""] = parts.exec(text) ?? []
  if (!hosts.includes(",")) return [text]
  const url = (host: string) => {
    const server = URL.parse(`${start}${host}${end}`)
    server?.searchParams.delete("target_session_attrs")
    return server?.href ?? ""
  }
  return hosts.split(",").map(url)
}

/** The role in a URL; empty if the URL names none. */
export const roleOf = (text: string): string => decodeURIComponent(URL.parse(urlsOf(text)[0] ?? "")?.username ?? "")
