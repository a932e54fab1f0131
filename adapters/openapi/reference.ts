import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Json } from "./json.ts"

/** Allows only the inline scripts of the page and requests to its own origin. The page inserts styles at run time. */
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

/** A page that shows a document. Scalar and the document are in the page itself, so that it needs no further request. */
export const reference = (document: Json) =>
  Effect.map(rendered(document), (html) =>
    HttpServerResponse.setHeader(
      HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8" }),
      "content-security-policy",
      policyOf(html),
    ),
  )

/** Effect has a copy of Scalar. It shows the document of an `HttpApi`, in whose place it gets this one. */
const rendered = (document: Json) =>
  Effect.promise(async () => {
    const { HttpApi, HttpApiScalar, OpenApi } = await import("effect/http-api")
    const api = HttpApi.make("sallyport").annotate(OpenApi.Transform, () => document)
    const { handler, dispose } = HttpRouter.toWebHandler(HttpApiScalar.layer(api, { path: page, scalar }), { disableLogger: true })
    const response = await handler(new Request(`http://localhost${page}`))
    const html = await response.text()
    await dispose()
    return html
  })

const page = "/docs"
/** The page loads no fonts and sends no reports. */
const scalar = { withDefaultFonts: false, showOperationId: true }
