// Where codes go: whoever can choose that has the account.

/** Whether codes may be sent here at all: https, or http to this machine; as browsers read it and as it is written are one. */
export const isRedirectUri = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\/[\x21-\x7e]+$/.test(text) || /[#\\*@]/.test(text)) return false
  // Narrower than `isLocal`: RFC 8252 section 7.3 names these two addresses alone, and native apps use no others.
  return url.protocol === "https:" || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
}

/** Whether a client that registered the one means the other: to the letter, but for the port that a native app gets when it listens. */
export const isSameRedirectUri = (registered: string, given: string): boolean => {
  if (registered === given) return true
  const portless = withoutPort(registered)
  return portless !== undefined && portless === withoutPort(given) && URL.canParse(given)
}

/** RFC 8252 section 7.3: addresses alone, since `localhost` may be resolved to another machine. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/
const withoutPort = (uri: string): string | undefined => {
  const [, host, rest] = loopback.exec(uri) ?? []
  return host === undefined ? undefined : `${host}${rest}`
}

/** The redirect URI with what the client is told there; a query of its own stays as it is. */
export const redirection = (uri: string, told: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(told).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const joint = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&"
  return `${uri}${joint}${new URLSearchParams(given)}`
}
