import { connect, type Socket } from "node:net"
import type { CertificateHost } from "../certificate-expiry.ts"

/** Reads the URL as the driver does. */
const addressOf = (text: string) => {
  const url = new URL(text)
  const parameters = url.searchParams
  const host = parameters.get("host") ?? (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost")
  return { host, port: Number(parameters.get("port") ?? (url.port || 5432)) }
}

/** Opens sockets to the URL's server. Our own sockets can be destroyed when the server hangs. */
export const socketFactory = (text: string): (() => Socket) => {
  const { host, port } = addressOf(text)
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

/** The servers of a URL that show certificates. PostgreSQL begins with TLS when the client asks (protocol, "SSL Session Encryption"). */
export const certificatesOf = (text: string): ReadonlyArray<CertificateHost> => {
  const mode = URL.parse(urlsOf(text)[0] ?? "")?.searchParams.get("sslmode") ?? ""
  if (!["prefer", "require", "verify-ca", "verify-full"].includes(mode)) return []
  return urlsOf(text)
    .map((url) => ({ ...addressOf(url), ask: askForTls }))
    .filter(({ host }) => !host.startsWith("/"))
}

const askForTls = { request: Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47), answer: "S" }
