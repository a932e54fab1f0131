import type { Language } from "../ports/texts.ts"
import type { SettingsValue } from "../settings.ts"
import { escaped } from "../values/html.ts"
import type { Written } from "./message.ts"

type Branding = SettingsValue["branding"]

interface Page {
  readonly language: Language
  readonly branding: Branding
  /** The name of the service. */
  readonly service: string
  readonly subject: string
  readonly preheader: string
  readonly parts: ReadonlyArray<Written>
  /** When the mail was caused, and by which browser. */
  readonly details: ReadonlyArray<string>
  readonly help: ReadonlyArray<{ readonly label: string; readonly link: string }>
  /** Introduces the address below a button. */
  readonly copy: string
}

/** The colours for light and dark windows. The brand is of medium lightness: clients that invert colours keep it readable. */
const colours = {
  page: ["#f4f5f7", "#15171c"],
  card: ["#ffffff", "#1f222a"],
  text: ["#1b1e25", "#eceef4"],
  muted: ["#5b6270", "#a9b0be"],
  line: ["#d9dce3", "#3a3f4b"],
  brand: ["#3451b2", "#93a8ff"],
  on_brand: ["#ffffff", "#10142b"],
} as const
type ColourName = keyof typeof colours

const coloursOf = ({ colors }: Branding): Readonly<Record<ColourName, readonly [light: string, dark: string]>> => ({
  ...colours,
  ...configured("brand", colors.brand),
  ...configured("on_brand", colors.on_brand),
})

const configured = (name: ColourName, colour: Branding["colors"]["brand"]) => {
  if (colour === undefined) return {}
  return { [name]: typeof colour === "string" ? [colour, colour] : [colour.light, colour.dark] }
}

/** The HTML of a mail: one column of tables with inline styles, which load nothing. */
export const page = ({ language, branding, service, subject, preheader, parts, details, help, copy }: Page): string => {
  const palette = coloursOf(branding)
  const light = (name: ColourName) => palette[name][0]
  const { tag, dir } = language
  const font = `font-family:${branding.font}`
  const small = `font-size:14px;line-height:20px;color:${light("muted")}`
  const rule = `border-top:1px solid ${light("line")}`

  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`
  const anchor = ({ label, link }: { readonly label: string; readonly link: string }) =>
    `<a class="muted" href="${escaped(link)}" style="color:${light("muted")}">${escaped(label)}</a>`
  const code = (text: string) =>
    `<p class="code" dir="ltr" style="margin:0 0 16px;padding:12px 0;border:1px solid ${light("line")};border-radius:${branding.radius};text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:30px;line-height:40px;font-weight:700">${escaped(text)}</p>`
  const button = (
    label: string,
    link: string,
  ) => `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px">
<tr><td class="button" style="background-color:${light("brand")};border:2px solid ${light("brand")};border-radius:${branding.radius}"><a class="label" href="${escaped(link)}" style="display:inline-block;padding:11px 22px;font-weight:600;text-decoration:none;color:${light("on_brand")}">${escaped(label)}</a></td></tr>
</table>
<p class="muted" style="margin:0 0 16px;${small}">${escaped(copy)}<br><span dir="ltr" style="word-break:break-all;overflow-wrap:anywhere">${escaped(link)}</span></p>`
  const inHtml = (part: Written) => {
    if (typeof part === "string") return paragraph(part)
    return "code" in part ? code(part.code) : button(part.label, part.link)
  }

  return `<!DOCTYPE html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${darkStyles(palette)}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${light("page")}">
<div lang="${tag}" dir="${dir}" class="page text" style="background-color:${light("page")};${escaped(font)};font-size:16px;line-height:24px;color:${light("text")}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px">${escaped(preheader)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td class="card text" align="${dir === "rtl" ? "right" : "left"}" style="padding:28px 24px;background-color:${light("card")};border:1px solid ${light("line")};border-radius:${branding.radius};color:${light("text")}">
<p class="muted" style="margin:0 0 20px;font-weight:600;color:${light("muted")}">${escaped(service)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px">${escaped(subject)}</h1>
${parts.map(inHtml).join("\n")}
<p class="muted rule" style="margin:24px 0 0;padding:16px 0 0;${rule};${small}">${[...details.map(escaped), ...help.map(anchor)].join("<br>")}</p>
</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`
}

/** The colours of a dark window, for clients that support the media query. The inline styles have the light colours. */
const darkStyles = (palette: ReturnType<typeof coloursOf>) => {
  const dark = (name: ColourName) => `${palette[name][1]}!important`
  return `@media (prefers-color-scheme:dark){${[
    `.page{background-color:${dark("page")}}`,
    `.card{background-color:${dark("card")};border-color:${dark("line")}}`,
    `.text{color:${dark("text")}}`,
    `.muted{color:${dark("muted")}}`,
    `.rule,.code{border-color:${dark("line")}}`,
    `.button{background-color:${dark("brand")};border-color:${dark("brand")}}`,
    `.label{color:${dark("on_brand")}}`,
  ].join("")}}`
}
