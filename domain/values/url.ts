/** Whether a URL's host is this machine, by name or address. Includes names below `localhost` (RFC 6761 section 6.3). */
export const isLocal = ({ hostname }: Pick<URL, "hostname">): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** Whether requests to this URL are private: over https, or to this machine. URLs with credentials are not. */
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
