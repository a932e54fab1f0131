import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { selfContainedPage } from "../http/self-contained-page.ts"
import type { Json } from "./json.ts"

/** A page that shows a document. Scalar and the document are in the page itself, so that it needs no further request. */
export const reference = (document: Json) => Effect.map(rendered(document), selfContainedPage)

/** Effect includes Scalar, but renders only the document of an `HttpApi`. The transformation replaces that document by this one. */
const rendered = (document: Json) =>
  Effect.promise(async () => {
    // Not from "effect/http-api", which has a copy of Swagger UI as well.
    const [HttpApi, HttpApiScalar, OpenApi] = await Promise.all([
      import("effect/http-api/HttpApi"),
      import("effect/http-api/HttpApiScalar"),
      import("effect/http-api/OpenApi"),
    ])
    const api = HttpApi.make("sallyport").annotate(OpenApi.Transform, () => document)
    const { handler, dispose } = HttpRouter.toWebHandler(HttpApiScalar.layer(api, { path: page, scalar }), { disableLogger: true })
    const response = await handler(new Request(`http://localhost${page}`))
    const html = await response.text()
    await dispose()
    return html
  })

const page = "/docs"
/** The page loads no fonts and sends no reports. */
const scalar = { withDefaultFonts: false, showOperationId: true, operationTitleSource: "path" }
