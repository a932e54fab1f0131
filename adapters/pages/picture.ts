import { html } from "@remix-run/html-template"
import type { Site } from "./site.ts"

/** A picture that a page may load. */
export interface Picture {
  /** Its address; relative on the origin of the service. */
  readonly src: string
  /** The trusted origin to load it from, for the Content-Security-Policy; null for the origin of the service. */
  readonly origin: string | null
}

const origin = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/

/**
 * The picture of an address, if the service's own or a trusted origin has it. Users and providers choose these URLs. Any other origin would
 * get the client address and the time when the page is opened.
 */
export const pictureOf = ({ returnTarget }: Pick<Site, "returnTarget">, address: string | null): Picture | null => {
  const src = returnTarget(address?.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent) ?? null)
  if (src === null) return null
  if (src.startsWith("/")) return { src, origin: null }
  const { origin: from } = new URL(src)
  return origin.test(from) ? { src, origin: from } : null
}

/** A round picture, or the first letter of the name without one. Both are decoration: the name is next to them. */
export const avatar = (name: string, picture: Picture | null) => {
  if (picture !== null) return html`<img class="avatar" src="${picture.src}" alt="" width="64" height="64">`
  const [letter = ""] = name
  return html`<span class="avatar" aria-hidden="true">${letter.toUpperCase()}</span>`
}
