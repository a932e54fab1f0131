import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"

/** The response with a page that contains all of its scripts and inserts styles at run time. */
export const selfContainedPage = (html: string) =>
  HttpServerResponse.setHeader(
    HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8" }),
    "content-security-policy",
    policyOf(html),
  )

/** Allows only the inline scripts of the page, by their hashes, and requests to its own origin. */
const policyOf = (html: string) =>
  [
    "default-src 'none'",
    `script-src ${scriptsOf(html).map(hashOf).join(" ")}`,
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data:",
    "worker-src blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

const scriptsOf = (html: string) => [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = ""]) => script)

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
