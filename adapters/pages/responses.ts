import { html, type SafeHtml } from "@remix-run/html-template"
import { Schema } from "effect"
import { Cookies, HttpServerResponse } from "effect/http"
import { destinationOf } from "../../domain/values/redirect-uri.ts"
import { document } from "./components/layout.ts"
import type { Shown } from "./page.ts"
import type { View } from "./view.ts"

interface Allowed {
  /** A further origin of images. */
  readonly images: string | null
  /** The pages to load in frames. */
  readonly frames?: ReadonlyArray<string> | undefined
  /** Whether scripts turn texts into HTML only by the policy of the console's script (Trusted Types). */
  readonly isConsole?: boolean
}

const policyWith = ({ images, frames = [], isConsole = false }: Allowed) =>
  [
    ...(isConsole ? ["require-trusted-types-for 'script'", "trusted-types sallyport"] : []),
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    images === null ? "img-src 'self'" : `img-src 'self' ${images}`,
    ...(frames.length === 0 ? [] : [`frame-src ${[...new Set(frames.map((src) => new URL(src).origin))].join(" ")}`]),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

/** Under `no-referrer` browsers would send the forms of these pages with `Origin: null`. */
const headers = {
  "content-security-policy": policyWith({ images: null }),
  "referrer-policy": "same-origin",
  vary: "Accept-Language, Cookie, Origin",
}

/** The response with a page or a redirect. */
export const responseOf = (view: View, shown: Exclude<Shown, { readonly stream: unknown }>): HttpServerResponse.HttpServerResponse => {
  if ("to" in shown) {
    const response = shown.to.startsWith("/") ? redirect(shown.to) : responseOf(view, continuePage(view, shown.to))
    return shown.forget === true ? HttpServerResponse.setHeader(response, "clear-site-data", '"cache"') : response
  }
  if ("file" in shown) return fileResponse(shown.file)
  const { status = 200, headers: own = {}, picture = null, ...content } = shown
  const isConsole = content.header !== undefined
  return HttpServerResponse.text(String(document(view, content)), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...headers,
      ...own,
      ...(isConsole ? { "cross-origin-opener-policy": "same-origin" } : {}),
      "content-security-policy": policyWith({ images: picture?.origin ?? null, frames: content.frames, isConsole }),
    },
  })
}

const fileResponse = ({ name, text }: { readonly name: string; readonly text: string }) =>
  HttpServerResponse.text(text, {
    contentType: "text/plain; charset=utf-8",
    headers: { ...headers, "content-disposition": `attachment; filename="${name}"` },
  })

/** A redirect after a form, or to a page of the same origin. */
export const redirect = (location: string) => HttpServerResponse.empty({ status: 303, headers: { ...headers, location } })

/**
 * Leads to another origin. Not a redirect: browsers apply `form-action` to redirects after a form, and would stay on this page without a
 * message.
 */
export const continuePage = ({ texts }: View, to: string): Extract<Shown, { readonly main: SafeHtml }> => {
  const title = texts.t("continue.title")
  return {
    title,
    refresh: to,
    main: html`<div class="card"><h1>${title}</h1><p>${texts.rich("continue.text", { host: destinationOf(to) })}</p><a class="button" href="${to}">${texts.t("continue.button")}</a></div>`,
  }
}

const Stored = Schema.fromJsonString(
  Schema.Struct({
    status: Schema.Number,
    headers: Schema.Record(Schema.String, Schema.String),
    cookies: Schema.Array(Schema.String),
    body: Schema.String,
  }),
)
const [encode, decode] = [Schema.encodeSync(Stored), Schema.decodeSync(Stored)]

/** A response as text. Responses to forms are empty or text. */
export const textOf = ({ status, headers, cookies, body }: HttpServerResponse.HttpServerResponse): string =>
  encode({
    status,
    headers,
    cookies: Cookies.toSetCookieHeaders(cookies),
    body: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "",
  })

/** The same response again. */
export const responseFrom = (text: string): HttpServerResponse.HttpServerResponse => {
  const { body, cookies, ...rest } = decode(text)
  const options = { ...rest, cookies: Cookies.fromSetCookie(cookies) }
  const contentType = rest.headers["content-type"]
  return contentType === undefined ? HttpServerResponse.empty(options) : HttpServerResponse.text(body, { ...options, contentType })
}
