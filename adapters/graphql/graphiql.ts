import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import type { GraphiQLOptions } from "graphql-yoga"

/** Allows only the inline scripts of the page and requests to its own origin. The editor inserts styles at run time. */
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

/** The response with the page. */
export const respond = (html: string) =>
  HttpServerResponse.setHeader(
    HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8" }),
    "content-security-policy",
    policyOf(html),
  )

/** Renders the page with all of its scripts, without a request to another host. The package is large: it is loaded with the first page. */
export const render = async (options: GraphiQLOptions) => {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql")
  return renderGraphiQL(options)
}

export const optionsOf = (path: string): GraphiQLOptions => ({ endpoint: path, title: "Sallyport", defaultQuery })

const defaultQuery = "{\n  viewer {\n    user {\n      id\n      email\n    }\n  }\n}\n"
