/** Whether a URL's host is this machine, by its name or address; names below `localhost` are (RFC 6761 section 6.3). */
export const isLocal = ({ hostname }: Pick<URL, "hostname">): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** Whether what is sent to this URL stays private: over https, or within this machine. */
export const isPrivateUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLocal(url))
}

/**
 * Whether a text is an absolute http or https URL without credentials. Blanks and control characters are refused as well: the WHATWG
 * parser drops some of them, so that the stored text and the URL that was judged would differ.
 */
export const isWebUrl = (text: string): boolean => {
  if (!/^https?:\/\//i.test(text) || /[\s\p{Cc}]/u.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.username === "" && url.password === ""
}
