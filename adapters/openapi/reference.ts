import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { selfContainedPage } from "../http/self-contained-page.ts"
import type { Json } from "./json.ts"

/** A page that shows a document. Scalar and the document are in the page itself, so that it needs no further request. */
export const reference = (document: Json) => Effect.map(rendered(document), selfContainedPage)

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
