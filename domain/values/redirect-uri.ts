import { isLocal } from "./url.ts"

// Codes are sent to redirect URIs: an attacker who can choose one takes over the account.

/**
 * Whether a client may register this URI: https, http to this machine, or a private-use scheme of an app, in characters that all parsers
 * read the same way.
 */
export const isRedirectUri = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^[a-z][a-z\d+.-]*:[\x21-\x7e]+$/.test(text) || /[#\\*@]/.test(text)) return false
  if (isPrivateUse(text)) return true
  if (!/^https?:\/\//.test(text)) return false
  // Narrower than `isLocal`: RFC 8252 section 7.3 names these two addresses alone, and native apps use no others.
  return url.protocol === "https:" || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
}

/** Whether the scheme is an app's own: a reversed domain name, so that it contains a dot (RFC 8252 section 7.1). */
export const isPrivateUse = (text: string): boolean => /^[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:\//.test(text)

/** Whether any app on the user's device may receive the response: the URI has a scheme of an app, or its host is this machine. */
export const isOfDevice = (text: string): boolean => isPrivateUse(text) || isLocal(new URL(text))

/** What a user is shown of it: the host of a website, or the scheme of an app, whose URIs have no host that could be checked. */
export const destinationOf = (text: string): string => {
  const { protocol, host } = new URL(text)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}

/** Whether a requested URI matches a registered one: exactly, except for the port of a native app's loopback listener. */
export const isSameRedirectUri = (registered: string, requested: string): boolean => {
  if (registered === requested) return true
  const portless = withoutPort(registered)
  return portless !== undefined && portless === withoutPort(requested) && URL.canParse(requested)
}

/**
 * The same for agents, whose programs listen on any port of `localhost` too. The names of this machine stay distinct: RFC 8252 section 7.3 does
 * not name `localhost`, which can resolve to another machine, so the page that asks for consent says where the answer goes.
 */
export const isSameUriOfAgent = (registered: string, requested: string): boolean =>
  isSameRedirectUri(registered, requested) || (URL.canParse(requested) && withoutLocalPort(registered) === withoutLocalPort(requested))

/** RFC 8252 section 7.3: IP addresses only, since `localhost` can resolve to another machine. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/
const withoutPort = (uri: string): string | undefined => {
  const [, host, rest] = loopback.exec(uri) ?? []
  return host === undefined ? undefined : `${host}${rest}`
}

/** A redirect URI of this machine without its port; any other one unchanged. */
export const withoutLocalPort = (uri: string): string =>
  uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, "$1")

/** The redirect URI with the response parameters. Keeps the URI's own query unchanged. */
export const redirection = (uri: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const defined = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (defined.length === 0) return uri
  const separator = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&"
  return `${uri}${separator}${new URLSearchParams(defined)}`
}
