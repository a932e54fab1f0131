/** An IP address in one form, in which IPv6 has brackets; null for another text. An IPv6 address can be written in several ways. */
export const canonicalIp = (text: string): string | null => {
  if (/^[\da-f:.]{2,45}$/i.test(text) && text.includes(":")) return URL.parse(`https://[${text}]`)?.hostname ?? null
  const address = /^\d{1,3}(\.\d{1,3}){3}$/.test(text) ? URL.parse(`https://${text}`)?.hostname : undefined
  return address === text ? address : null
}
