import { createHash } from "node:crypto"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"

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

const respond = (html: string) =>
  HttpServerResponse.setHeader(
    HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8" }),
    "content-security-policy",
    policyOf(html),
  )

/** The GraphiQL page, from a development dependency; none where the package is not installed. */
export const graphiql = (path: string) =>
  Effect.tryPromise(() => import("@graphql-yoga/render-graphiql")).pipe(
    Effect.map(({ renderGraphiQL }) => respond(renderGraphiQL({ endpoint: path, title: "Sallyport", defaultQuery }))),
    Effect.option,
    Effect.tap((page) =>
      Option.isSome(page)
        ? Effect.void
        : Effect.logWarning("GraphiQL is not installed: @graphql-yoga/render-graphiql is a development dependency."),
    ),
  )

const defaultQuery = "{\n  viewer {\n    user {\n      id\n      email\n    }\n  }\n}\n"
