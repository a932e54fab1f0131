/** Whether what is sent to this URL stays private: over https, or within this machine. */
export const isPrivateUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  const isLocal = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  return url.protocol === "https:" || (url.protocol === "http:" && isLocal)
}
