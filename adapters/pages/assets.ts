import { createHash } from "node:crypto"
import { html } from "@remix-run/html-template"
import { files } from "./assets.generated.ts"
import { type Branding, coloursOf, themeStyles } from "./theme.ts"

/** A file that pages load, under an address that changes with its content. */
export interface Asset {
  readonly body: string | Uint8Array
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
}
const typeOf = (name: string) => types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream"

/** All files of the pages: by the path below `/assets/`, and the path of each by its name. */
export const makeAssets = (branding: Branding, images: Readonly<Record<string, Asset>>) => {
  const named: Readonly<Record<string, Asset>> = {
    ...Object.fromEntries(Object.entries(files).map(([name, body]) => [name, { body, type: typeOf(name) }])),
    ...(branding.favicon === null ? { [defaultIcon]: { body: iconOf(branding), type: "image/svg+xml" } } : {}),
    ...images,
    "theme.css": { body: iconStyles + themeStyles(branding), type: typeOf("theme.css") },
  }
  const paths = Object.fromEntries(Object.entries(named).map(([name, { body }]) => [name, hashedName(name, body)]))
  const byPath = new Map(Object.entries(named).map(([name, asset]) => [paths[name] ?? name, asset]))
  return { byPath, pathOf: (name: string) => paths[name] ?? name }
}

const hashedName = (name: string, body: Asset["body"]) => {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 12)
  return name.replace(/(\.\w+)$/, `.${hash}$1`)
}

/** The style rules of the icons. The files of `styles/` cannot have them, because they do not contain the hashes. */
const iconStyles = Object.entries(files)
  .filter(([name]) => name.endsWith(".svg"))
  .map(([name, body]) => `.icon-${name.replace(".svg", "")}{mask-image:url("${hashedName(name, body)}")}`)
  .join("")

/** The icon of services without a `favicon`: the first letter of their name. Without an icon, browsers request `/favicon.ico`. */
export const defaultIcon = "favicon.svg"

const iconOf = (branding: Branding) => {
  const [letter = ""] = branding.name
  const [background, foreground] = [coloursOf(branding.colors, "brand"), coloursOf(branding.colors, "on_brand")]
  return String(
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${background.light}"/><text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-size="20" font-weight="700" fill="${foreground.light}">${letter}</text></svg>`,
  )
}
