import { html } from "@remix-run/html-template"
import { generate } from "lean-qr"

/** Modules around the code, as ISO/IEC 18004 requires. */
const quiet = 4

/** A QR code as inline SVG, without styles and scripts. The light modules are painted too, so that it can be read on dark pages. */
export const qrCode = (text: string, label: string) => {
  const { size, get } = generate(text)
  const side = size + 2 * quiet
  const rows = Array.from({ length: size }, (_, y) => y)
  const dark = rows.flatMap((y) => rows.filter((x) => get(x, y)).map((x) => `M${x + quiet} ${y + quiet}h1v1h-1z`)).join("")
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" width="208" height="208" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${dark}" fill="#000"/></svg>`
}
