/**
 * `localhost` and the names below it (RFC 6761 section 6.3), 127.0.0.0/8 and ::1. The URL parser normalises a host only for schemes such as
 * https: other URLs can have any case and any octets.
 */
const localHost = /^(localhost|.+\.localhost|127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])$/i

/** Whether a URL's host is this machine. Redirect URIs of OAuth have a narrower rule (RFC 8252 section 7.3). */
export const isLocal = ({ hostname }: Pick<URL, "hostname">): boolean => localHost.test(hostname)

/** Whether requests to this URL stay private: it has https, or the host is this machine, and it has no credentials. */
export const isPrivateUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLocal(url))
}

/**
 * Whether a text is an absolute http or https URL without credentials. Rejects blanks and control characters: the WHATWG parser drops
 * some of them, so the stored text could differ from the URL that was checked.
 */
export const isWebUrl = (text: string): boolean => {
  if (!/^https?:\/\//i.test(text) || /[\s\p{Cc}]/u.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.username === "" && url.password === ""
}

/**
 * Whether a text is a path, with or without a query. Rejects blanks, control characters and what browsers read as another host: `//` and
 * backslashes.
 */
export const isOwnPath = (text: string): boolean => /^\/(?!\/)/.test(text) && !/[\s\p{Cc}\\]/u.test(text)
