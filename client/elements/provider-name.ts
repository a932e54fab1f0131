/** The name of a provider by its id: `my_company` becomes `My company`. */
export const providerName = (id: string) =>
  (Object.hasOwn(names, id) ? names[id] : undefined) ?? id.charAt(0).toUpperCase() + id.slice(1).replaceAll(/[_-]+/g, " ")
const names: Readonly<Record<string, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  line: "LINE",
  linkedin: "LinkedIn",
  paypal: "PayPal",
  tiktok: "TikTok",
  wechat: "WeChat",
}
